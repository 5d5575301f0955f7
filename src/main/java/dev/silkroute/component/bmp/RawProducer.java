package dev.silkroute.component.bmp;

import dev.silkroute.collector.transport.FrameBatch;
import dev.silkroute.session.BmpSession;
import org.apache.camel.Exchange;
import org.apache.camel.InvalidPayloadException;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.support.DefaultProducer;

/**
 * {@code bmp:raw}: turns a {@link FrameBatch} into a record of {@code bmp.raw}: the messages verbatim, with their
 * headers.
 */
final class RawProducer extends DefaultProducer {
    RawProducer(BmpEndpoint endpoint) {
        super(endpoint);
    }

    @Override
    public void process(Exchange exchange) throws InvalidPayloadException {
        Message message = exchange.getMessage();
        FrameBatch batch = message.getMandatoryBody(FrameBatch.class);
        BmpSession session = batch.session();
        message.removeHeaders("*");
        message.setHeader(KafkaConstants.KEY, session.router());
        message.setHeader("collector", session.collector());
        message.setHeader("router", session.router());
        message.setHeader("router_address", session.address().getHostAddress());
        message.setHeader("session", Long.toString(session.id()));
        message.setHeader("sequence", Long.toString(batch.firstMessage() << 16));
        message.setHeader("received", Long.toString(batch.receivedAtMicros()));
        message.setBody(new RawMessages(batch, message));
    }
}
