package dev.silkroute.component.bmp;

import dev.silkroute.collector.transport.FrameBatch;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.InvalidPayloadException;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.support.DefaultProducer;

/** {@code bmp:raw}: the messages as they came, with the headers of {@code bmp.raw}. */
final class RawProducer extends DefaultProducer {
    /** Exchange property in which the batch waits for {@code bmp:decode}. */
    static final String BATCH = "silkroute.batch";

    RawProducer(BmpEndpoint endpoint) {
        super(endpoint);
    }

    @Override
    public void process(Exchange exchange) throws InvalidPayloadException {
        FrameBatch batch = exchange.getMessage().getMandatoryBody(FrameBatch.class);
        batch.session().name().identify(batch.bytes());
        exchange.setProperty(BATCH, batch);
        Message message = exchange.getMessage();
        message.removeHeaders("*");
        message.setHeader(KafkaConstants.KEY, batch.session().router());
        message.setHeader("collector", batch.session().collector());
        message.setHeader("router", batch.session().router());
        message.setHeader("router_address", batch.session().address().getHostAddress());
        message.setHeader("session", Long.toString(batch.session().id()));
        message.setHeader("sequence", Long.toString(batch.firstMessage() << 16));
        message.setHeader("received", Long.toString(batch.receivedAtMicros()));
        message.setBody(batch.bytes().length == 0 ? List.of() : batch.bytes());
    }
}
