package dev.silkroute.component.bmp;

import dev.silkroute.collector.sessions.DecodeCounters;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.transport.FrameBatch;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.SessionRecord;
import java.util.ArrayList;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.InvalidPayloadException;
import org.apache.camel.Message;
import org.apache.camel.ShutdownRunningTask;
import org.apache.camel.spi.ShutdownAware;
import org.apache.camel.support.DefaultProducer;

/**
 * {@code bmp:decode}: decodes a {@link FrameBatch} into one message per lane. Delays the shutdown of the station until
 * the last batch of every session, which contains the end of the session, has been processed.
 */
final class DecodeProducer extends DefaultProducer implements ShutdownAware {
    private final SessionRegistry sessions;
    private final DecodeCounters counters;

    DecodeProducer(BmpEndpoint endpoint, SessionRegistry sessions, DecodeCounters counters) {
        super(endpoint);
        this.sessions = sessions;
        this.counters = counters;
    }

    @Override
    public void process(Exchange exchange) throws InvalidPayloadException {
        FrameBatch batch = RawMessages.batch(exchange.getMessage());
        DecodedBatch decoded = batch.session()
                .decode(
                        batch.bytes(),
                        batch.firstMessage(),
                        batch.receivedAtMicros(),
                        batch.elapsedMicros(),
                        batch.end());
        counters.add(decoded);
        List<Message> lanes = new ArrayList<>(2);
        byte[] routes = decoded.routes();
        if (routes.length > 0) {
            lanes.add(LaneMessage.of(exchange.getContext(), LaneName.ROUTES.text(), decoded.router(), routes));
        }
        for (LaneName lane : LaneName.values()) {
            List<SessionRecord> records = decoded.records(lane);
            if (!records.isEmpty()) {
                lanes.add(LaneMessage.of(
                        exchange.getContext(),
                        lane.text(),
                        decoded.router(),
                        records.stream()
                                .map(record ->
                                        LaneMessage.keyed(exchange.getContext(), decoded.router(), record.json()))
                                .toList()));
            }
        }
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
