package dev.silkroute.component.bmp;

import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.view.RouteEvent;
import dev.silkroute.route.view.RouteEvents;
import java.util.ArrayList;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.InvalidPayloadException;
import org.apache.camel.support.DefaultProducer;

/**
 * {@code bmp:routes}: replaces a record of {@code bmp.routes} by a list of its {@link RouteEvent}s, for convenience
 * rather than speed.
 */
final class RoutesProducer extends DefaultProducer {
    RoutesProducer(BmpEndpoint endpoint) {
        super(endpoint);
    }

    @Override
    public void process(Exchange exchange) throws InvalidPayloadException {
        RouteBatch batch = RouteBatch.read(exchange.getMessage().getMandatoryBody(byte[].class));
        List<RouteEvent> events = new ArrayList<>(batch.eventCount());
        new RouteEvents(batch).forEachRemaining(events::add);
        exchange.getMessage().setBody(events);
    }
}
