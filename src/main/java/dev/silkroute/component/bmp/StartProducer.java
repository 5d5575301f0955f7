package dev.silkroute.component.bmp;

import dev.silkroute.session.CollectorStart;
import dev.silkroute.session.LaneName;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.support.DefaultMessage;
import org.apache.camel.support.DefaultProducer;

/** {@code bmp:start}: reports the start of this collector on the lanes whose consumers keep the current state. */
final class StartProducer extends DefaultProducer {
    private final CollectorStart start;

    StartProducer(BmpEndpoint endpoint, CollectorStart start) {
        super(endpoint);
        this.start = start;
    }

    @Override
    public void process(Exchange exchange) {
        exchange.getMessage()
                .setBody(List.of(
                        message(exchange, LaneName.ROUTES, start.routes()),
                        message(exchange, LaneName.PEERS, start.peers())));
    }

    private Message message(Exchange exchange, LaneName lane, byte[] body) {
        Message message = new DefaultMessage(exchange.getContext());
        message.setHeader("lane", lane.text());
        message.setHeader(KafkaConstants.KEY, start.collector());
        message.setBody(body);
        return message;
    }
}
