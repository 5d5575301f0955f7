package dev.silkroute.component.bmp;

import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.VerdictCodes;
import dev.silkroute.route.view.RouteEvent;
import dev.silkroute.route.view.RouteEvents;
import dev.silkroute.rpki.AspaVerdict;
import dev.silkroute.rpki.Validity;
import java.util.ArrayList;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.InvalidPayloadException;
import org.apache.camel.Message;
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
        Message record = exchange.getMessage();
        RouteBatch batch = RouteBatch.read(record.getMandatoryBody(byte[].class));
        // The events have them, and a header of the message would become one of each Kafka record that the route sends
        VerdictCodes verdicts =
                VerdictCodes.of(record.getHeader(Validity.HEADER), record.getHeader(AspaVerdict.HEADER), batch);
        record.removeHeader(Validity.HEADER);
        record.removeHeader(AspaVerdict.HEADER);
        List<RouteEvent> events = new ArrayList<>(batch.eventCount());
        new RouteEvents(batch, verdicts).forEachRemaining(events::add);
        record.setBody(events);
    }
}
