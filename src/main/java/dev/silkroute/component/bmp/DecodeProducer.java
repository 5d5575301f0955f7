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
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.spi.ShutdownAware;
import org.apache.camel.support.DefaultMessage;
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
            lanes.add(lane(exchange, LaneName.ROUTES, decoded.router(), routes));
        }
        for (LaneName lane : LaneName.values()) {
            List<SessionRecord> records = decoded.records(lane);
            if (!records.isEmpty()) {
                lanes.add(lane(
                        exchange,
                        lane,
                        decoded.router(),
                        records.stream()
                                .map(record -> keyed(exchange, decoded.router(), record.json()))
                                .toList()));
            }
        }
        exchange.getMessage().removeHeaders("*");
        exchange.getMessage().setBody(lanes);
    }

    private static Message lane(Exchange exchange, LaneName lane, String router, Object body) {
        Message message = keyed(exchange, router, body);
        message.setHeader("lane", lane.text());
        return message;
    }

    /** Returns a message with its own key: camel-kafka sends plain elements of a list without one, to any partition. */
    private static Message keyed(Exchange exchange, String router, Object body) {
        Message message = new DefaultMessage(exchange.getContext());
        message.setHeader(KafkaConstants.KEY, router);
        message.setBody(body);
        return message;
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
