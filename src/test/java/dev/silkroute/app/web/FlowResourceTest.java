package dev.silkroute.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.component.rib.RibNotReady;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who is sent away, and what counts as under way. In the place of {@code flows.yaml}'s is a route that ends when Kafka "answers". */
class FlowResourceTest {
    private static final long LIMIT_SECONDS = 60;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final int MANY = 100_000;

    private final DefaultCamelContext camel = new DefaultCamelContext();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore asked = new Semaphore(0);
    private final Semaphore answers = new Semaphore(0);
    private @Nullable FlowResource resource;
    private volatile @Nullable RuntimeException fault;

    @BeforeEach
    void start() throws Exception {
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:flows-http").routeId("flows-http").process(_ -> {
                    asked.release();
                    answers.acquire();
                    if (fault != null) {
                        throw fault;
                    }
                });
            }
        });
        camel.start();
    }

    @AfterEach
    void stop() throws IOException {
        answers.release(MANY);
        senders.close();
        if (resource != null) {
            resource.stop();
        }
        camel.close();
    }

    private FlowResource resource(int mostRequests, Duration limit) {
        resource = new FlowResource(
                camel, camel.createProducerTemplate(), new ObjectMapper(), meters, "1M", mostRequests, limit);
        return resource;
    }

    private static Response post(FlowResource resource) {
        return post(resource, "{\"bytes\":1}");
    }

    private static Response post(FlowResource resource, String body) {
        UriInfo uri = (UriInfo) Proxy.newProxyInstance(
                UriInfo.class.getClassLoader(), new Class<?>[] {UriInfo.class}, (_, _, _) -> "/api/v1/flows");
        try {
            return resource.flows(new ByteArrayInputStream(body.getBytes(UTF_8)), MediaType.APPLICATION_JSON_TYPE, uri);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private CompletableFuture<Response> send(FlowResource resource) {
        return CompletableFuture.supplyAsync(() -> post(resource), senders);
    }

    /** Until so many requests more are in the route. */
    private void awaitAsked(int requests) throws InterruptedException {
        assertThat(asked.tryAcquire(requests, LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    private static void isTaken(Object response) {
        assertThat(((Response) response).getStatus()).isEqualTo(200);
        assertThat(((Response) response).getEntity()).isEqualTo("{\"records\":[{\"bytes\":1}],\"refused\":[]}");
    }

    private static void isSentAway(Response response, String property) {
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getHeaderString(HttpHeaders.RETRY_AFTER)).isEqualTo("5");
        assertThat(((Problem) response.getEntity()).detail()).contains(property);
    }

    @Test
    void theAnswersNumbersAreWhatTheyWere() {
        answers.release(MANY);
        assertThat(post(resource(1, LONG), "{\"t\":1699999999.123456789,\"x\":1E+400,\"d\":1.10}")
                        .getEntity())
                .isEqualTo("{\"records\":[{\"t\":1699999999.123456789,\"x\":1E+400,\"d\":1.10}],\"refused\":[]}");
    }

    @Test
    void givenARibThatIsNotReadYetThenTheSenderIsSentAway() throws Exception {
        answers.release(MANY);
        fault = new RibNotReady();
        isSentAway(post(resource(1, LONG)), "the RIB has not been read yet; /q/health/ready says how far it is");
        assertThat(unanswered()).isEqualTo(1);
    }

    private double unanswered() {
        return meters.get("flows.http.unanswered").counter().count();
    }

    @Test
    void givenAsManyRequestsAsMayBeThenTheNextIsSentAwayUntilOneHasItsAnswer() throws Exception {
        FlowResource flows = resource(2, LONG);
        CompletableFuture<Response> one = send(flows);
        CompletableFuture<Response> other = send(flows);
        awaitAsked(2);

        isSentAway(post(flows), "silkroute.flows.http.max-requests");
        assertThat(asked.availablePermits()).isZero(); // nothing of it has come to the route
        assertThat(unanswered()).isEqualTo(1);

        // When one is answered
        answers.release();
        isTaken(CompletableFuture.anyOf(one, other).get(LIMIT_SECONDS, TimeUnit.SECONDS));
        // Then there is room for one, and for no more
        CompletableFuture<Response> next = send(flows);
        awaitAsked(1);
        isSentAway(post(flows), "silkroute.flows.http.max-requests");

        answers.release(2);
        isTaken(one.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        isTaken(other.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        isTaken(next.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        assertThat(unanswered()).isEqualTo(2);
    }

    @Test
    void givenARequestThatTakesTooLongThenItsSenderIsSentAwayAndItCountsUntilKafkaHasAnswered() throws Exception {
        FlowResource flows = resource(1, SHORT);

        isSentAway(post(flows), "silkroute.flows.http.timeout");
        awaitAsked(1);
        isSentAway(post(flows), "silkroute.flows.http.max-requests");
        assertThat(asked.availablePermits()).isZero();
        assertThat(unanswered()).isEqualTo(2);

        // When Kafka answers after all, and at once from then on
        answers.release(MANY);
        // Then there is room again
        await().atMost(Duration.ofSeconds(LIMIT_SECONDS)).untilAsserted(() -> isTaken(post(flows)));
    }
}
