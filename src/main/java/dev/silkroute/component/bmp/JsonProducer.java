package dev.silkroute.component.bmp;

import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteChange;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.route.WireFormatException;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.support.DefaultProducer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code bmp:json}: records of {@code bmp.routes} as JSON, one object an event. */
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
            LOGGER.warn("A record of bmp.routes is no route batch: {} at byte {}", e.reason(), e.offset());
            return Collections.emptyIterator();
        }
    }

    private static final class Events implements Iterator<byte[]> {
        private final RouteJson json;
        private final RouteCursor cursor;
        private final byte[] changes;
        private int number;
        private boolean ready;

        /** @param changes what each event has changed; it tells nothing if it is of another batch */
        Events(RouteBatch batch, byte @Nullable [] changes) {
            json = new RouteJson(batch);
            this.changes = changes != null && changes.length == batch.eventCount() ? changes : new byte[0];
            cursor = batch.cursor();
            ready = cursor.next();
        }

        @Override
        public boolean hasNext() {
            return ready;
        }

        @Override
        public byte[] next() {
            if (!ready) {
                throw new NoSuchElementException();
            }
            int change = number < changes.length ? changes[number] : 0;
            byte[] event = json.event(cursor, RouteChange.of(change));
            number++;
            ready = cursor.next();
            return event;
        }
    }
}
