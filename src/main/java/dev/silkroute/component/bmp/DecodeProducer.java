package dev.silkroute.component.bmp;

import dev.silkroute.collector.sessions.DecodeCounters;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.transport.FrameBatch;
import dev.silkroute.component.StageSpans;
import org.apache.camel.Exchange;
import org.apache.camel.InvalidPayloadException;
import org.apache.camel.ShutdownRunningTask;
import org.apache.camel.spi.ShutdownAware;
import org.apache.camel.support.DefaultProducer;

/**
 * {@code bmp:decode}: decodes a {@link FrameBatch} into messages for lanes ({@link DecodedLanes}). Delays the shutdown
 * of the station until the last batch of every session, which contains the end of the session, has been processed.
 */
final class DecodeProducer extends DefaultProducer implements ShutdownAware {
    private final SessionRegistry sessions;
    private final DecodeCounters counters;
    private final DecodingSlots slots;
    private final StageSpans spans;

    DecodeProducer(
            BmpEndpoint endpoint,
            SessionRegistry sessions,
            DecodeCounters counters,
            DecodingSlots slots,
            StageSpans spans) {
        super(endpoint);
        this.spans = spans;
        this.sessions = sessions;
        this.counters = counters;
        this.slots = slots;
    }

    @Override
    public void process(Exchange exchange) throws InvalidPayloadException {
        FrameBatch batch = RawMessages.batch(exchange.getMessage());
        DecodedLanes lanes = new DecodedLanes(exchange, batch, sessions, counters, slots, spans);
        exchange.getExchangeExtension().addOnCompletion(lanes);
        exchange.getMessage().removeHeaders("*");
        exchange.getMessage().setBody(lanes);
    }

    @Override
    public boolean deferShutdown(ShutdownRunningTask task) {
        return true;
    }

    @Override
    public int getPendingExchangesSize() {
        return sessions.count();
    }

    @Override
    public void prepareShutdown(boolean suspendOnly, boolean forced) {
        // Nothing to stop here: the sessions end when their connections close.
    }
}
