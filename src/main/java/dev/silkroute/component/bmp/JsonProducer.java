package dev.silkroute.component.bmp;

import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteChange;
import dev.silkroute.route.WireFormatException;
import dev.silkroute.route.view.RouteEvent;
import dev.silkroute.route.view.RouteEvents;
import java.util.Collections;
import java.util.Iterator;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.support.DefaultProducer;
import org.jspecify.annotations.Nullable;
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
            byte[] changes = record.getHeader(RouteChange.HEADER, byte[].class);
            return new Events(RouteBatch.read(bytes == null ? new byte[0] : bytes), changes);
        } catch (WireFormatException e) {
            // The history lane reads the same record and puts it into quarantine, with reason and offset.
            LOGGER.warn(
                    "Skipped a record of bmp.routes that is not a route batch: {} at byte {}", e.reason(), e.offset());
            return Collections.emptyIterator();
        }
    }

    private static final class Events implements Iterator<byte[]> {
        private final RouteEvents events;
        private final byte[] changes;
        private int number;

        /** @param changes what each event has changed; ignored unless there is one for each event */
        Events(RouteBatch batch, byte @Nullable [] changes) {
            events = new RouteEvents(batch);
            this.changes = changes != null && changes.length == batch.eventCount() ? changes : new byte[0];
        }

        @Override
        public boolean hasNext() {
            return events.hasNext();
        }

        @Override
        public byte[] next() {
            RouteEvent event = events.next();
            int change = number < changes.length ? changes[number] : 0;
            number++;
            return event.toJson(RouteChange.of(change));
        }
    }
}
