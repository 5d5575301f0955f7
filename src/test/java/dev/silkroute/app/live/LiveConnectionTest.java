package dev.silkroute.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.live.Captures;
import dev.silkroute.live.LiveFilter;
import dev.silkroute.live.LiveLimits;
import dev.silkroute.live.LiveStream;
import dev.silkroute.live.Subscriber;
import dev.silkroute.route.VerdictCodes;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LiveConnectionTest {
    private static final Pattern ID = Pattern.compile("(?m)^id: 0f-(\\d+)$");

    /** A response whose buffer each write fills and the socket empties at once, as it does for a large event. */
    private static final class Response {
        private final StringBuilder written = new StringBuilder();
        private Handler<Void> drained = _ -> {};
        private boolean ended;
        private boolean closed;
        private Future<Void> outcome = Future.succeededFuture();

        HttpServerResponse proxy() {
            return (HttpServerResponse) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {HttpServerResponse.class}, (_, method, arguments) -> {
                        switch (method.getName()) {
                            case "writeQueueFull":
                                return false;
                            case "closed":
                                return closed;
                            case "drainHandler":
                                drained = handler(arguments[0]);
                                return null;
                            case "write":
                                written.append(arguments[0]);
                                drained.handle(null);
                                return outcome;
                            case "reset":
                                ended = true;
                                return true;
                            default:
                                throw new UnsupportedOperationException(method.getName());
                        }
                    });
        }

        @SuppressWarnings("unchecked")
        private static Handler<Void> handler(Object argument) {
            return (Handler<Void>) argument;
        }
    }

    /** A socket that records the calls which write messages, and the length of each. */
    private static ServerWebSocket socket(List<String> written) {
        return (ServerWebSocket) Proxy.newProxyInstance(
                LiveConnectionTest.class.getClassLoader(),
                new Class<?>[] {ServerWebSocket.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isClosed", "writeQueueFull" -> false;
                    case "writeFrame" -> {
                        WebSocketFrame frame = (WebSocketFrame) arguments[0];
                        assertThat(frame.isText() && frame.isFinal()).isTrue();
                        written.add("frame " + frame.textData().length());
                        yield Future.succeededFuture();
                    }
                    case "writeTextMessage" -> {
                        written.add("message " + ((String) arguments[0]).length());
                        yield Future.succeededFuture();
                    }
                    default -> proxy;
                });
    }

    @Test
    void givenAMessageLongerThanAFrameThenItIsSplit() {
        int frame = 65_536;
        int around = "{\"type\":\"ris_message\",\"data\":}".length();
        LiveStream large = new LiveStream("0f", new LiveLimits(1, 1, 1 << 30, 1 << 30));
        List<String> written = new ArrayList<>();
        RisLiveConnection connection = new RisLiveConnection(large, context(), socket(written), List::of);
        Subscriber subscriber = Objects.requireNonNull(large.subscribe(() -> {}));
        large.add(subscriber, List.of(LiveFilter.parse(Map.of("type", "ALERT"), false)));
        String fields = "\"changed_at\":\"2025-11-25T10:12:00.000001Z\",\"condition\":\"%s\"}";
        int added = "{\"timestamp\":1764065520.000001,\"type\":\"ALERT\",".length();
        for (int length : List.of(frame, frame + 1)) {
            String condition =
                    "x".repeat(length - around - added - fields.formatted("").length());
            large.publishAlert(("{" + fields.formatted(condition)).getBytes(StandardCharsets.US_ASCII));
        }

        connection.start(subscriber);

        assertThat(written).containsExactly("frame " + frame, "message " + (frame + 1));
    }

    private static Context context() {
        return (Context) Proxy.newProxyInstance(
                LiveConnectionTest.class.getClassLoader(), new Class<?>[] {Context.class}, (_, _, arguments) -> {
                    if (arguments[0] instanceof Callable<?> call) {
                        return Future.succeededFuture(call.call());
                    }
                    Response.handler(arguments[0]).handle(null);
                    return null;
                });
    }

    private final LiveStream stream = new LiveStream("0f", new LiveLimits(1, 1, 1 << 30, 1 << 30));
    private final Response response = new Response();

    private SseConnection subscribed() {
        SseConnection connection = new SseConnection(stream, context(), response.proxy(), false);
        Subscriber subscriber = Objects.requireNonNull(stream.subscribe(() -> {}));
        stream.add(subscriber, List.of(LiveFilter.parse(Map.of(), false)));
        connection.start(subscriber);
        return connection;
    }

    @Test
    void givenAClientThatIsGoneThenAHeartbeatThatFailsFreesItsSubscription() {
        SseConnection connection = subscribed();
        connection.check(Long.MAX_VALUE);
        assertThat(response.written).hasToString(":\n");
        assertThat(stream.subscriberCount()).isEqualTo(1);

        response.outcome = Future.failedFuture("connection reset");
        connection.check(Long.MAX_VALUE);

        assertThat(response.ended).isTrue();
        assertThat(connection.isClosed()).isTrue();
        assertThat(stream.subscriberCount()).isZero();
    }

    @Test
    void givenAConnectionWhoseEndWasNotReportedThenItsSubscriptionIsFreedByTheNextCheck() {
        SseConnection connection = subscribed();
        response.closed = true;

        connection.check(Long.MAX_VALUE);

        assertThat(connection.isClosed()).isTrue();
        assertThat(stream.subscriberCount()).isZero();
    }

    @Test
    void givenAConnectionThatWasClosedBeforeItsSubscriptionIsMadeThenNothingIsLeft() {
        response.closed = true;

        subscribed();

        assertThat(response.written).isEmpty();
        assertThat(stream.subscriberCount()).isZero();
    }

    @Test
    void givenWritesThatCallTheDrainHandlerThenEachEventIsSentOnce() {
        SseConnection connection = new SseConnection(stream, context(), response.proxy(), false);
        Subscriber subscriber = Objects.requireNonNull(stream.subscribe(() -> {}));
        stream.add(subscriber, List.of(LiveFilter.parse(Map.of(), false)));
        stream.publish(Captures.batch("frr-all"), VerdictCodes.NONE);

        connection.start(subscriber);
        connection.check(-1);

        assertThat(ID.matcher(response.written).results().map(MatchResult::group))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, stream.counters().published())
                                .mapToObj(position -> "id: 0f-" + position)
                                .toList());
        assertThat(response.ended).isFalse();
    }
}
