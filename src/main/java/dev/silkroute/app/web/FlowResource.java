package dev.silkroute.app.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.silkroute.app.config.ByteSize;
import dev.silkroute.component.rib.RibConstants;
import dev.silkroute.component.rib.RibNotReady;
import dev.silkroute.component.rib.RibRefusal;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.ServiceStatus;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /api/v1/flows}: flow records into the route {@code flows-http} of {@code flows.yaml}, and what it makes of them as the answer. Bounded
 * in the bytes of a request, the requests at a time, and the time that each is waited for; beyond that the sender is told to come again.
 */
@Path("/api/v1/flows")
@Produces(MediaType.APPLICATION_JSON)
@Singleton
public final class FlowResource {
    private static final String ROUTE = "flows-http";
    private static final String LINES = "application/x-ndjson";

    private final CamelContext camel;
    private final ProducerTemplate routes;
    private final ObjectMapper json;
    private final int mostBytes;
    private final Duration limit;
    private final Semaphore turns;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Counter enriched;
    private final Counter refused;
    private final Counter unanswered;

    @Inject
    FlowResource(
            CamelContext camel,
            ProducerTemplate routes,
            ObjectMapper json,
            MeterRegistry meters,
            @ConfigProperty(name = "silkroute.flows.http.max-bytes", defaultValue = "1M") String mostBytes,
            @ConfigProperty(name = "silkroute.flows.http.max-requests", defaultValue = "8") int mostRequests,
            @ConfigProperty(name = "silkroute.flows.http.timeout", defaultValue = "10s") Duration limit) {
        this.camel = camel;
        this.routes = routes;
        this.json = json;
        this.mostBytes = Math.toIntExact(ByteSize.parse(mostBytes));
        this.limit = limit;
        turns = new Semaphore(mostRequests);
        enriched = counter(meters, "enriched");
        refused = counter(meters, "refused");
        unanswered = Counter.builder("flows.http.unanswered")
                .description(
                        "Requests that were sent away: too many at a time, the RIB not read yet, or Kafka didn't answer in time")
                .register(meters);
    }

    private static Counter counter(MeterRegistry meters, String outcome) {
        return Counter.builder("flows.http.records")
                .tag("outcome", outcome)
                .description("Flow records that came by HTTP, by what became of them")
                .register(meters);
    }

    @POST
    @Consumes({MediaType.APPLICATION_JSON, LINES})
    public Response flows(InputStream body, @HeaderParam(HttpHeaders.CONTENT_TYPE) MediaType type, @Context UriInfo uri)
            throws IOException, InterruptedException {
        String path = uri.getPath();
        if (camel.getRouteController().getRouteStatus(ROUTE) != ServiceStatus.Started) {
            return Problem.response(
                    Response.Status.SERVICE_UNAVAILABLE,
                    "flow records are not taken here: that needs the role rib and silkroute.routes.flows.enabled=true",
                    path);
        }
        byte[] bytes = read(body);
        if (bytes == null) {
            return Problem.response(
                    Response.Status.REQUEST_ENTITY_TOO_LARGE,
                    "a request may have " + ByteSize.text(mostBytes) + " (silkroute.flows.http.max-bytes)",
                    path);
        }
        FlowRecords records = records(bytes, type);
        if (!turns.tryAcquire()) {
            return away("as many requests as may be are under way (silkroute.flows.http.max-requests)", path);
        }
        try {
            Exchange exchange = CompletableFuture.supplyAsync(() -> enrich(records), threads)
                    .get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return answer(records, exchange, path);
        } catch (TimeoutException e) {
            return away(
                    "Kafka has not taken the records in time (silkroute.flows.http.timeout); it may do so later", path);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static FlowRecords records(byte[] body, MediaType type) {
        if (MediaType.valueOf(LINES).isCompatible(type)) {
            return FlowRecords.lines(body);
        }
        try {
            return FlowRecords.json(body);
        } catch (IllegalArgumentException e) {
            throw new BadRequestException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Null if it is too long; then the rest isn't read. */
    private byte @Nullable [] read(InputStream body) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(body.readNBytes(mostBytes));
        return body.read() < 0 ? bytes.toByteArray() : null;
    }

    /** Keeps its turn until Kafka has answered, also when nobody waits for that any more. */
    private Exchange enrich(FlowRecords records) {
        try {
            return routes.request(
                    "direct:" + ROUTE, request -> request.getMessage().setBody(records.records()));
        } finally {
            turns.release();
        }
    }

    private Response away(String reason, String path) {
        unanswered.increment();
        return Problem.comeAgain(reason, path);
    }

    private Response answer(FlowRecords records, Exchange exchange, String path) throws IOException {
        if (exchange.getException() instanceof RibNotReady e) {
            return away(String.valueOf(e.getMessage()), path);
        }
        if (exchange.getException() != null) {
            throw new IllegalStateException(exchange.getException());
        }
        List<?> taken = exchange.getMessage().getBody(List.class);
        var object = json.createObjectNode();
        var answers = object.putArray("records");
        ObjectReader reader = FlowRecords.exact(json.reader());
        for (Object record : taken) {
            answers.add(record instanceof byte[] bytes ? reader.readTree(bytes) : json.valueToTree(record));
        }
        var refusals = object.putArray("refused");
        List<?> left = exchange.getMessage().getHeader(RibConstants.REFUSALS, List.of(), List.class);
        for (Object element : left) {
            RibRefusal refusal = (RibRefusal) element;
            refusals.addObject()
                    .put(records.unit(), records.places().get(refusal.record()))
                    .put("reason", refusal.reason());
        }
        enriched.increment(taken.size());
        refused.increment(left.size());
        if (taken.isEmpty() && !left.isEmpty()) {
            object.removeAll();
            Response.Status status = Response.Status.BAD_REQUEST;
            object.put("type", "about:blank")
                    .put("title", status.getReasonPhrase())
                    .put("status", status.getStatusCode())
                    .put("detail", "none of the records was taken")
                    .put("instance", path)
                    .set("refused", refusals);
            return Response.status(status)
                    .type(Problem.MEDIA_TYPE)
                    .entity(json.writeValueAsString(object))
                    .build();
        }
        return Response.ok(json.writeValueAsString(object)).build();
    }

    @PreDestroy
    void stop() {
        threads.shutdownNow();
    }
}
