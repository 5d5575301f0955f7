package dev.silkroute.component.bmp;

import dev.silkroute.session.CollectorStart;
import dev.silkroute.session.Lane;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.support.DefaultMessage;
import org.apache.camel.support.DefaultProducer;

/** {@code bmp:start}: that this collector has begun, for the lanes that keep a present. */
final class StartProducer extends DefaultProducer {
    private final CollectorStart start;
    private final JsonRecords json = new JsonRecords();

    StartProducer(BmpEndpoint endpoint, CollectorStart start) {
        super(endpoint);
        this.start = start;
    }

    @Override
    public void process(Exchange exchange) {
        exchange.getMessage()
                .setBody(List.of(
                        message(exchange, Lane.ROUTES, start.routes()),
                        message(exchange, Lane.PEERS, json.texts(List.of(start.peers())))));
    }

    private Message message(Exchange exchange, Lane lane, Object body) {
        Message message = new DefaultMessage(exchange.getContext());
        message.setHeader("lane", lane.text());
        message.setHeader(KafkaConstants.KEY, start.collector());
        message.setBody(body);
        return message;
    }
}
