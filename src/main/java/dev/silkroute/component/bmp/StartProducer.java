package dev.silkroute.component.bmp;

import dev.silkroute.session.CollectorStart;
import dev.silkroute.session.LaneName;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.camel.Exchange;
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
        LaneRecords records = new LaneRecords(exchange.getContext());
        if (!hasReported.getAndSet(true)) {
            records.add(LaneName.ROUTES.text(), start.collector(), start.routes());
        }
        records.add(LaneName.PEERS.text(), start.collector(), start.peers());
        exchange.getMessage().setBody(records);
    }
}
