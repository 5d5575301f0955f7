package dev.silkroute.component.bmp;

import dev.silkroute.names.LabelSource;
import dev.silkroute.route.EventCodes;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteChange;
import dev.silkroute.route.VerdictCodes;
import dev.silkroute.route.WireFormatException;
import dev.silkroute.route.view.EventPeer;
import dev.silkroute.route.view.RouteEvent;
import dev.silkroute.route.view.RouteEvents;
import dev.silkroute.rpki.AspaVerdict;
import dev.silkroute.rpki.Validity;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.support.DefaultProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code bmp:json}: converts records of {@code bmp.routes} into JSON, one object per event. */
final class JsonProducer extends DefaultProducer {
    private static final Logger LOGGER = LoggerFactory.getLogger(JsonProducer.class);

    private final LabelSource labels;

    JsonProducer(BmpEndpoint endpoint, LabelSource labels) {
        super(endpoint);
        this.labels = labels;
    }

    @Override
    public void process(Exchange exchange) {
        KafkaBatch.transform(exchange, this::events);
    }

    private Iterator<byte[]> events(Message record) {
        byte[] bytes = record.getBody(byte[].class);
        try {
            RouteBatch batch = RouteBatch.read(bytes == null ? new byte[0] : bytes);
            return new Events(
                    new RouteEvents(
                            batch,
                            VerdictCodes.of(
                                    record.getHeader(Validity.HEADER), record.getHeader(AspaVerdict.HEADER), batch)),
                    EventCodes.of(record.getHeader(RouteChange.HEADER), batch),
                    labels);
        } catch (WireFormatException e) {
            // The history lane reads the same record and puts it into quarantine, with reason and offset.
            LOGGER.warn(
                    "Skipped a record of bmp.routes that is not a route batch: {} at byte {}", e.reason(), e.offset());
            return Collections.emptyIterator();
        }
    }

    private static final class Events implements Iterator<byte[]> {
        private final RouteEvents events;
        private final EventCodes changes;
        private final LabelSource labels;
        /** By the address of the peer; a batch is of one router. */
        private final Map<String, Map<String, String>> labelsOfPeers = new HashMap<>();

        private int number;

        /** @param changes what each event has changed */
        Events(RouteEvents events, EventCodes changes, LabelSource labels) {
            this.events = events;
            this.changes = changes;
            this.labels = labels;
        }

        @Override
        public boolean hasNext() {
            return events.hasNext();
        }

        @Override
        public byte[] next() {
            RouteEvent event = events.next();
            EventPeer peer = event.peer();
            Map<String, String> own = peer == null
                    ? Map.of()
                    : labelsOfPeers.computeIfAbsent(
                            peer.address(),
                            address -> labels.labelsOf(event.source().router(), address));
            return event.toJson(RouteChange.of(changes.code(number++)), own);
        }
    }
}
