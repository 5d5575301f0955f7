package dev.silkroute.component.bmp;

import dev.silkroute.session.CollectorStart;
import dev.silkroute.session.LaneName;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.support.DefaultProducer;

/**
 * {@code bmp:start}: reports the start of this collector, the first time on the lanes whose consumers keep the current
 * state, and then on the lane of peers only, whose consumer stores when a collector has reported.
 */
final class StartProducer extends DefaultProducer {
    private final CollectorStart start;
    private final AtomicBoolean hasReported = new AtomicBoolean();

    StartProducer(BmpEndpoint endpoint, CollectorStart start) {
        super(endpoint);
        this.start = start;
    }

    @Override
    public void process(Exchange exchange) {
        Message peers = message(exchange, LaneName.PEERS, start.peers());
        exchange.getMessage()
                .setBody(
                        hasReported.getAndSet(true)
                                ? List.of(peers)
                                : List.of(message(exchange, LaneName.ROUTES, start.routes()), peers));
    }

    private Message message(Exchange exchange, LaneName lane, byte[] body) {
        return LaneMessage.of(exchange.getContext(), lane.text(), start.collector(), body);
    }
}
