package dev.silkroute.component.bmp;

import dev.silkroute.collector.sessions.DecodeCounters;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.component.StageSpans;
import dev.silkroute.names.LabelSource;
import dev.silkroute.session.CollectorStart;
import java.util.Objects;
import org.apache.camel.Category;
import org.apache.camel.Consumer;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.spi.UriEndpoint;
import org.apache.camel.spi.UriParam;
import org.apache.camel.support.DefaultEndpoint;

/** Decodes the messages of BMP sessions into lanes, and converts records of Kafka into other formats. */
@UriEndpoint(
        firstVersion = "0.1.0",
        scheme = "bmp",
        title = "BMP",
        syntax = "bmp:operation",
        producerOnly = true,
        category = {Category.NETWORKING},
        remote = false)
public final class BmpEndpoint extends DefaultEndpoint {
    @UriParam
    private final BmpConfiguration configuration;

    BmpEndpoint(String uri, BmpComponent component, BmpConfiguration configuration) {
        super(uri, component);
        this.configuration = configuration;
    }

    public BmpConfiguration getConfiguration() {
        return configuration;
    }

    @Override
    public Producer createProducer() {
        return switch (configuration.getOperation()) {
            case START -> new StartProducer(this, required(CollectorStart.class));
            case RAW -> new RawProducer(this);
            case DECODE ->
                new DecodeProducer(
                        this,
                        required(SessionRegistry.class),
                        required(DecodeCounters.class),
                        required(DecodingSlots.class),
                        spans());
            case ROUTES -> new RoutesProducer(this);
            case JSON ->
                new JsonProducer(this, Objects.requireNonNullElse(configuration.getLabels(), LabelSource.NONE));
            case OPENBMP -> new OpenBmpProducer(this);
        };
    }

    private StageSpans spans() {
        StageSpans found = getCamelContext().getRegistry().findSingleByType(StageSpans.class);
        return found == null ? StageSpans.NONE : found;
    }

    private <T> T required(Class<T> type) {
        T found = getCamelContext().getRegistry().findSingleByType(type);
        if (found == null) {
            throw new IllegalStateException(this + " requires a bean of type " + type.getName() + " in the registry");
        }
        return found;
    }

    @Override
    public Consumer createConsumer(Processor processor) {
        throw new UnsupportedOperationException("bmp: has no consumer; receive BMP sessions with netty:");
    }
}
