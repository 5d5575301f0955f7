package dev.silkroute.app.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.silkroute.app.config.ByteSize;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.component.rib.RibConstants;
import dev.silkroute.component.rib.RibNotReady;
import dev.silkroute.component.rib.RibRejection;
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
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /api/v1/flows}: sends flow records through the route {@code flows-http} of {@code flows.camel.yaml} and
 * responds with the enriched records. The size of a request, the number of concurrent requests and the time that each
 * may take are bounded; beyond these bounds the response is 413 or 503 with {@code Retry-After}.
 */
@Path(FlowResource.PATH)
@Produces(MediaType.APPLICATION_JSON)
@Singleton
public final class FlowResource {
    static final String PATH = "/api/v1/flows";

    private static final String ROUTE = "flows-http";
    private static final String NDJSON = "application/x-ndjson";

    private final CamelContext camel;
    private final ProducerTemplate producer;
    private final ObjectMapper json;
    private final int maxBytes;
    private final Duration timeout;
    private final Semaphore permits;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final Counter enriched;
    private final Counter rejected;
    private final Counter unanswered;

    @Inject
    FlowResource(
            CamelContext camel,
            ProducerTemplate producer,
            ObjectMapper json,
            MeterRegistry meters,
            StationConfig config) {
        this.camel = camel;
        this.producer = producer;
        this.json = json;
        var limits = config.flows().http();
        maxBytes = Math.toIntExact(limits.maxBytes().asLongValue());
        timeout = limits.timeout();
        permits = new Semaphore(limits.maxRequests());
        enriched = recordCounter(meters, "enriched");
        rejected = recordCounter(meters, "rejected");
        unanswered = MeterGroup.counter(meters, Metric.FLOWS_UNANSWERED);
    }

    private static Counter recordCounter(MeterRegistry meters, String outcome) {
        return MeterGroup.counter(meters, Metric.FLOWS_RECORDS, "outcome", outcome);
    }

    @POST
    @Consumes({MediaType.APPLICATION_JSON, NDJSON})
    public Response flows(InputStream body, @HeaderParam(HttpHeaders.CONTENT_TYPE) MediaType type, @Context UriInfo uri)
            throws IOException, InterruptedException {
        String path = uri.getPath();
        if (camel.getRouteController().getRouteStatus(ROUTE) != ServiceStatus.Started) {
            return Problem.response(
                    Response.Status.SERVICE_UNAVAILABLE,
                    "This station does not enrich flow records: the role rib and silkroute.routes.flows.enabled=true are required",
                    path);
        }
        byte[] bytes = read(body);
        if (bytes == null) {
            return Problem.response(
                    Response.Status.REQUEST_ENTITY_TOO_LARGE,
                    "The request is larger than " + ByteSize.text(maxBytes) + " (silkroute.flows.http.max-bytes)",
                    path);
        }
        FlowRecords records = records(bytes, type);
        if (!permits.tryAcquire()) {
            return retryLater("Too many concurrent requests; retry later (silkroute.flows.http.max-requests)", path);
        }
        try {
            Exchange exchange = CompletableFuture.supplyAsync(() -> enrich(records), executor)
                    .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return response(records, exchange, path);
        } catch (TimeoutException e) {
            return retryLater(
                    "Kafka did not acknowledge the records within " + timeout.toMillis()
                            + " ms (silkroute.flows.http.timeout); it may still do so",
                    path);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static FlowRecords records(byte[] body, MediaType type) {
        if (MediaType.valueOf(NDJSON).isCompatible(type)) {
            return FlowRecords.lines(body);
        }
        try {
            return FlowRecords.json(body);
        } catch (IllegalArgumentException e) {
            throw new BadRequestException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Reads the body, or returns null once it exceeds the maximum size. */
    private byte @Nullable [] read(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(maxBytes);
        return body.read() < 0 ? bytes : null;
    }

    /** Holds its permit until Kafka has responded, even if the client's request has timed out by then. */
    private Exchange enrich(FlowRecords records) {
        try {
            return producer.request(
                    "direct:" + ROUTE, request -> request.getMessage().setBody(records.records()));
        } finally {
            permits.release();
        }
    }

    private Response retryLater(String reason, String path) {
        unanswered.increment();
        return Problem.retryLater(reason, path);
    }

    private Response response(FlowRecords records, Exchange exchange, String path) throws IOException {
        if (exchange.getException() instanceof RibNotReady e) {
            return retryLater(String.valueOf(e.getMessage()), path);
        }
        if (exchange.getException() != null) {
            throw new IllegalStateException(exchange.getException());
        }
        List<?> accepted = exchange.getMessage().getBody(List.class);
        List<?> rejections = exchange.getMessage().getHeader(RibConstants.REJECTIONS, List.of(), List.class);
        enriched.increment(accepted.size());
        rejected.increment(rejections.size());
        if (accepted.isEmpty() && !rejections.isEmpty()) {
            ObjectNode problem = json.valueToTree(
                    Problem.of(Response.Status.BAD_REQUEST, "No record was accepted; see rejected", path));
            addRejected(problem, records, rejections);
            return Response.status(Response.Status.BAD_REQUEST)
                    .type(Problem.MEDIA_TYPE)
                    .entity(json.writeValueAsString(problem))
                    .build();
        }
        ObjectNode response = json.createObjectNode();
        var enrichedRecords = response.putArray("records");
        ObjectReader reader = FlowRecords.exact(json.reader());
        for (Object record : accepted) {
            enrichedRecords.add(record instanceof byte[] bytes ? reader.readTree(bytes) : json.valueToTree(record));
        }
        addRejected(response, records, rejections);
        return Response.ok(json.writeValueAsString(response)).build();
    }

    private static void addRejected(ObjectNode response, FlowRecords records, List<?> rejections) {
        var rejectedRecords = response.putArray("rejected");
        for (Object element : rejections) {
            RibRejection rejection = (RibRejection) element;
            rejectedRecords
                    .addObject()
                    .put(records.unit(), records.positions().get(rejection.record()))
                    .put("reason", rejection.reason());
        }
    }

    @PreDestroy
    void stop() {
        executor.shutdownNow();
    }
}
