package dev.silkroute.component.bmp;

import dev.silkroute.route.EventCodes;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteChange;
import dev.silkroute.route.WireFormatException;
import dev.silkroute.route.view.RouteEvents;
import dev.silkroute.rpki.Validity;
import java.util.Collections;
import java.util.Iterator;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.support.DefaultProducer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code bmp:json}: converts records of {@code bmp.routes} into JSON, one object per event. */
final class JsonProducer extends DefaultProducer {
    private static final Logger LOGGER = LoggerFactory.getLogger(JsonProducer.class);

    JsonProducer(BmpEndpoint endpoint) {
        super(endpoint);
    }

    @Override
    public void process(Exchange exchange) {
        KafkaBatch.transform(exchange, JsonProducer::events);
    }

    private static Iterator<byte[]> events(Message record) {
        byte[] bytes = record.getBody(byte[].class);
        try {
            RouteBatch batch = RouteBatch.read(bytes == null ? new byte[0] : bytes);
            return new Events(
                    new RouteEvents(batch, codes(record, Validity.HEADER, batch)),
                    codes(record, RouteChange.HEADER, batch));
        } catch (WireFormatException e) {
            // The history lane reads the same record and puts it into quarantine, with reason and offset.
            LOGGER.warn(
                    "Skipped a record of bmp.routes that is not a route batch: {} at byte {}", e.reason(), e.offset());
            return Collections.emptyIterator();
        }
    }

    private static EventCodes codes(Message record, String header, RouteBatch batch) {
        return EventCodes.of(record.getHeader(header, byte[].class), batch);
    }

    private static final class Events implements Iterator<byte[]> {
        private final RouteEvents events;
        private final EventCodes changes;
        private int number;

        /** @param changes what each event has changed */
        Events(RouteEvents events, EventCodes changes) {
            this.events = events;
            this.changes = changes;
        }

        @Override
        public boolean hasNext() {
            return events.hasNext();
        }

        @Override
        public byte[] next() {
            return events.next().toJson(RouteChange.of(changes.code(number++)));
        }
    }
}
