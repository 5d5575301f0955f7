package dev.silkroute.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.live.Captures;
import dev.silkroute.live.LiveFilter;
import dev.silkroute.live.LiveLimits;
import dev.silkroute.live.LiveStream;
import dev.silkroute.live.Subscriber;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerResponse;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

        HttpServerResponse proxy() {
            return (HttpServerResponse) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {HttpServerResponse.class}, (_, method, arguments) -> {
                        switch (method.getName()) {
                            case "writeQueueFull", "closed":
                                return false;
                            case "drainHandler":
                                drained = handler(arguments[0]);
                                return null;
                            case "write":
                                written.append(arguments[0]);
                                drained.handle(null);
                                return null;
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

    private static Context context() {
        return (Context) Proxy.newProxyInstance(
                LiveConnectionTest.class.getClassLoader(), new Class<?>[] {Context.class}, (_, _, arguments) -> {
                    Response.handler(arguments[0]).handle(null);
                    return null;
                });
    }

    @Test
    void givenWritesThatCallTheDrainHandlerThenEachEventIsSentOnce() {
        LiveStream stream = new LiveStream("0f", new LiveLimits(1, 1, 1 << 30, 1 << 30));
        Response response = new Response();
        SseConnection connection = new SseConnection(stream, context(), response.proxy(), false);
        Subscriber subscriber = Objects.requireNonNull(stream.subscribe(() -> {}));
        stream.add(subscriber, List.of(LiveFilter.parse(Map.of(), false)));
        stream.publish(Captures.batch("frr-all"));

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
