package dev.silkroute.app.trace;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * The spans of an exchange that is traced, and of the exchanges into which it is split. Thread-safe.
 *
 * @param owner ID of the exchange that ends the spans
 * @param spans one for each trace that the exchange is part of: one of a batch from a router, or those of the traced
 *     records among which a lane has read
 * @param isBatch whether the exchange is a batch from a router
 * @param open the spans of steps that have begun, by exchange and endpoint
 */
record BatchTrace(String owner, List<Span> spans, boolean isBatch, Map<String, List<Span>> open) {
    /** Name of the exchange property; split exchanges have the properties of the one that they are part of. */
    private static final String PROPERTY = "silkroute.trace";

    static void begin(Exchange exchange, List<Span> spans, boolean isBatch) {
        exchange.setProperty(
                PROPERTY, new BatchTrace(exchange.getExchangeId(), spans, isBatch, new ConcurrentHashMap<>()));
    }

    /** Returns the trace of an exchange, or null if it is not traced. */
    static @Nullable BatchTrace of(Exchange exchange) {
        return exchange.getProperty(PROPERTY, BatchTrace.class);
    }

    /** Begins a span in each trace. */
    List<Span> start(Tracer tracer, String name) {
        return spans.stream()
                .map(parent -> tracer.spanBuilder(name)
                        .setParent(Context.root().with(parent))
                        .startSpan())
                .toList();
    }

    void opened(Exchange exchange, Endpoint endpoint, List<Span> step) {
        open.put(key(exchange, endpoint), step);
    }

    void closed(Exchange exchange, Endpoint endpoint) {
        List<Span> step = open.remove(key(exchange, endpoint));
        if (step != null) {
            end(exchange, step);
        }
    }

    /** Ends the spans of the exchange, if it is not a part of another one. */
    void finish(Exchange exchange) {
        if (exchange.getExchangeId().equals(owner)) {
            end(exchange, spans);
        }
    }

    private static String key(Exchange exchange, Endpoint endpoint) {
        return exchange.getExchangeId() + " " + endpoint.getEndpointKey();
    }

    private static void end(Exchange exchange, List<Span> spans) {
        Exception failure = exchange.getException();
        for (Span span : spans) {
            if (failure != null) {
                span.setStatus(StatusCode.ERROR, failure.toString());
            }
            span.end();
        }
    }
}
