package dev.silkroute.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.component.rib.RibNotReady;
import dev.silkroute.fixture.TestConfig;
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

/**
 * Which requests are answered with 503, and which count as concurrent. A route that waits for {@code kafkaResponses}
 * stands in for the one of {@code flows.camel.yaml}.
 */
class FlowResourceTest {
    private static final long TIMEOUT_SECONDS = 60;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final int MANY = 100_000;

    private final DefaultCamelContext camel = new DefaultCamelContext();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore arrived = new Semaphore(0);
    private final Semaphore kafkaResponses = new Semaphore(0);
    private @Nullable FlowResource resource;
    private volatile @Nullable RuntimeException failure;

    @BeforeEach
    void start() throws Exception {
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:flows-http").routeId("flows-http").process(_ -> {
                    arrived.release();
                    kafkaResponses.acquire();
                    if (failure != null) {
                        throw failure;
                    }
                });
            }
        });
        camel.start();
    }

    @AfterEach
    void stop() throws IOException {
        kafkaResponses.release(MANY);
        clients.close();
        if (resource != null) {
            resource.stop();
        }
        camel.close();
    }

    private FlowResource resource(int maxRequests, Duration limit) {
        StationConfig config =
                TestConfig.of("silkroute.flows.http.max-requests", maxRequests, "silkroute.flows.http.timeout", limit);
        resource = new FlowResource(camel, camel.createProducerTemplate(), new ObjectMapper(), meters, config);
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
        return CompletableFuture.supplyAsync(() -> post(resource), clients);
    }

    /** Waits until this many more requests have arrived in the route. */
    private void awaitArrived(int requests) throws InterruptedException {
        assertThat(arrived.tryAcquire(requests, TIMEOUT_SECONDS, TimeUnit.SECONDS))
                .isTrue();
    }

    private static void assertAccepted(Object response) {
        assertThat(((Response) response).getStatus()).isEqualTo(200);
        assertThat(((Response) response).getEntity()).isEqualTo("{\"records\":[{\"bytes\":1}],\"rejected\":[]}");
    }

    private static void assertRetryLater(Response response, String property) {
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getHeaderString(HttpHeaders.RETRY_AFTER)).isEqualTo("5");
        assertThat(((Problem) response.getEntity()).detail()).contains(property);
    }

    @Test
    void numbersKeepTheirDigitsInTheResponse() {
        kafkaResponses.release(MANY);
        assertThat(post(resource(1, LONG), "{\"t\":1699999999.123456789,\"x\":1E+400,\"d\":1.10}")
                        .getEntity())
                .isEqualTo("{\"records\":[{\"t\":1699999999.123456789,\"x\":1E+400,\"d\":1.10}],\"rejected\":[]}");
    }

    @Test
    void whileTheRibIsLoadingTheResponseIsRetryLater() throws Exception {
        kafkaResponses.release(MANY);
        failure = new RibNotReady();
        assertRetryLater(
                post(resource(1, LONG)), "the RIB has not been loaded yet; /q/health/ready reports its progress");
        assertThat(unanswered()).isEqualTo(1);
    }

    private double unanswered() {
        return meters.get("silkroute.flows.http.unanswered").counter().count();
    }

    @Test
    void beyondTheMaximumOfConcurrentRequestsTheResponseIsRetryLater() throws Exception {
        FlowResource flows = resource(2, LONG);
        CompletableFuture<Response> one = send(flows);
        CompletableFuture<Response> other = send(flows);
        awaitArrived(2);

        assertRetryLater(post(flows), "silkroute.flows.http.max-requests");
        assertThat(arrived.availablePermits()).isZero(); // the request has not reached the route
        assertThat(unanswered()).isEqualTo(1);

        // When one is completed
        kafkaResponses.release();
        assertAccepted(CompletableFuture.anyOf(one, other).get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        // Then one more is accepted, and no second
        CompletableFuture<Response> next = send(flows);
        awaitArrived(1);
        assertRetryLater(post(flows), "silkroute.flows.http.max-requests");

        kafkaResponses.release(2);
        assertAccepted(one.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        assertAccepted(other.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        assertAccepted(next.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
        assertThat(unanswered()).isEqualTo(2);
    }

    @Test
    void aRequestThatTimesOutCountsAsConcurrentUntilKafkaHasResponded() throws Exception {
        FlowResource flows = resource(1, SHORT);

        assertRetryLater(post(flows), "silkroute.flows.http.timeout");
        awaitArrived(1);
        assertRetryLater(post(flows), "silkroute.flows.http.max-requests");
        assertThat(arrived.availablePermits()).isZero();
        assertThat(unanswered()).isEqualTo(2);

        // When Kafka responds after all, and without delay from then on
        kafkaResponses.release(MANY);
        // Then requests are accepted again
        await().atMost(Duration.ofSeconds(TIMEOUT_SECONDS)).untilAsserted(() -> assertAccepted(post(flows)));
    }
}
