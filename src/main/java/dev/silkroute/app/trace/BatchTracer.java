package dev.silkroute.app.trace;

import dev.silkroute.app.config.Version;
import dev.silkroute.collector.transport.FrameBatch;
import dev.silkroute.component.StageSpans;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.component.kafka.KafkaEndpoint;
import org.apache.camel.spi.CamelEvent;
import org.apache.camel.support.EventNotifierSupport;
import org.jspecify.annotations.Nullable;

/**
 * Traces sampled batches from the socket to the tables. The trace begins with the batch of a router; each record that
 * the collector makes of it carries the trace in the header {@value #HEADER}, and each lane that reads the record
 * continues it. Each step that sends to an endpoint is a span.
 */
final class BatchTracer extends EventNotifierSupport implements StageSpans {
    /** Name of the header of Kafka records (W3C Trace Context). */
    static final String HEADER = "traceparent";

    /** Maximum number of traces that an exchange of a lane continues. */
    private static final int MOST_TRACES = 16;

    private static final long SHUTDOWN_SECONDS = 3;
    private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();
    private static final TextMapGetter<String> TRACEPARENT = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(String carrier) {
            return List.of(HEADER);
        }

        @Override
        public @Nullable String get(@Nullable String carrier, String key) {
            return key.equals(HEADER) ? carrier : null;
        }
    };

    private final SdkTracerProvider provider;
    private final Tracer tracer;

    BatchTracer(TraceSettings settings, MeterRegistry meters) {
        OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(settings.endpoint().toString())
                .setTimeout(settings.timeout())
                .build();
        provider = SdkTracerProvider.builder()
                .setResource(Resource.create(Attributes.builder()
                        .put("service.name", "silkroute")
                        .put("service.version", Version.text())
                        .build()))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(settings.ratio())))
                .addSpanProcessor(new SpanSender(exporter, settings.timeout(), meters))
                .build();
        tracer = provider.get("dev.silkroute");
        setIgnoreCamelContextEvents(true);
        setIgnoreRouteEvents(true);
        setIgnoreServiceEvents(true);
        setIgnoreStepEvents(true);
        setIgnoreExchangeRedeliveryEvents(true);
        setIgnoreExchangeAsyncProcessingStartedEvents(true);
    }

    /** Sends the spans that wait, when Camel has stopped the routes. */
    @Override
    protected void doShutdown() {
        provider.shutdown().join(SHUTDOWN_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void notify(CamelEvent event) {
        switch (event) {
            case CamelEvent.ExchangeCreatedEvent created -> begin(created.getExchange());
            case CamelEvent.ExchangeSendingEvent sending -> send(sending.getExchange(), sending.getEndpoint());
            case CamelEvent.ExchangeSentEvent sent -> {
                BatchTrace trace = BatchTrace.of(sent.getExchange());
                if (trace != null) {
                    trace.closed(sent.getExchange(), sent.getEndpoint());
                }
            }
            case CamelEvent.ExchangeCompletedEvent completed -> finish(completed.getExchange());
            case CamelEvent.ExchangeFailedEvent failed -> finish(failed.getExchange());
            default -> {}
        }
    }

    @Override
    public Stage start(Exchange exchange, String name) {
        BatchTrace trace = BatchTrace.of(exchange);
        if (trace == null) {
            return NONE.start(exchange, name);
        }
        List<Span> spans = trace.start(tracer, name);
        return () -> spans.forEach(Span::end);
    }

    private void begin(Exchange exchange) {
        if (BatchTrace.of(exchange) != null) {
            return; // a part of an exchange that is traced
        }
        Object body = exchange.getMessage().getBody();
        if (body instanceof FrameBatch batch) {
            begin(exchange, batch);
        } else if (body instanceof List<?> records && !records.isEmpty() && records.getFirst() instanceof Exchange) {
            continueTraces(exchange, records);
        }
    }

    private void begin(Exchange exchange, FrameBatch batch) {
        Span root = tracer.spanBuilder("batch")
                .setNoParent()
                .setSpanKind(SpanKind.SERVER)
                .setStartTimestamp(batch.receivedAtMicros(), TimeUnit.MICROSECONDS)
                .startSpan();
        if (!root.isRecording()) {
            return;
        }
        root.setAttribute("silkroute.session_id", batch.session().id());
        root.setAttribute("silkroute.first_message", batch.firstMessage());
        root.setAttribute("silkroute.bytes", batch.bytes().length);
        tracer.spanBuilder("read")
                .setParent(Context.root().with(root))
                .setStartTimestamp(batch.receivedAtMicros(), TimeUnit.MICROSECONDS)
                .startSpan()
                .end();
        BatchTrace.begin(exchange, List.of(root), true);
    }

    private void continueTraces(Exchange exchange, List<?> records) {
        List<Span> spans = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (Object record : records) {
            Message message = ((Exchange) record).getMessage();
            String header = message.getHeader(HEADER, String.class);
            if (header != null && spans.size() < MOST_TRACES && known.add(header)) {
                Context parent = W3C.extract(Context.root(), header, TRACEPARENT);
                if (Span.fromContext(parent).getSpanContext().isSampled()) {
                    spans.add(consume(exchange, message, parent));
                }
            }
        }
        if (!spans.isEmpty()) {
            BatchTrace.begin(exchange, List.copyOf(spans), false);
        }
    }

    private Span consume(Exchange exchange, Message record, Context parent) {
        String topic = String.valueOf(record.getHeader(KafkaConstants.TOPIC));
        Span span = tracer.spanBuilder("consume " + topic)
                .setParent(parent)
                .setSpanKind(SpanKind.CONSUMER)
                .startSpan();
        span.setAttribute("messaging.destination.name", topic);
        span.setAttribute(
                "messaging.destination.partition.id", String.valueOf(record.getHeader(KafkaConstants.PARTITION)));
        span.setAttribute("messaging.kafka.offset", String.valueOf(record.getHeader(KafkaConstants.OFFSET)));
        span.setAttribute("silkroute.route", Objects.requireNonNullElse(exchange.getFromRouteId(), ""));
        return span;
    }

    /** Begins the span of a step, whose name is the URI of its endpoint without options: {@code kafka:bmp.routes}. */
    private void send(Exchange exchange, Endpoint endpoint) {
        BatchTrace trace = BatchTrace.of(exchange);
        if (trace == null) {
            return;
        }
        List<Span> spans = trace.start(tracer, endpoint.getEndpointBaseUri().replaceFirst("://", ":"));
        trace.opened(exchange, endpoint, spans);
        if (trace.isBatch() && endpoint instanceof KafkaEndpoint) {
            exchange.getMessage().setHeader(HEADER, header(spans.getFirst()));
        }
    }

    private static String header(Span span) {
        SpanContext context = span.getSpanContext();
        return "00-%s-%s-%s"
                .formatted(
                        context.getTraceId(),
                        context.getSpanId(),
                        context.getTraceFlags().asHex());
    }

    private static void finish(Exchange exchange) {
        BatchTrace trace = BatchTrace.of(exchange);
        if (trace != null) {
            trace.finish(exchange);
        }
    }
}
