package dev.silkroute.component.bmp;

import dev.silkroute.collector.transport.FrameBatch;
import java.util.Iterator;
import java.util.List;
import org.apache.camel.InvalidPayloadException;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.support.DefaultMessage;

/**
 * The body that {@code bmp:raw} makes of a {@link FrameBatch}: {@code kafka:} sends its messages as one record, or
 * nothing if there is no message, and {@code bmp:decode} finds the batch in it.
 */
final class RawMessages implements Iterable<Message> {
    private final FrameBatch batch;
    private final List<Message> records;

    /**
     * @param message the message whose context the record belongs to; the record's headers are those of this message
     */
    RawMessages(FrameBatch batch, Message message) {
        this.batch = batch;
        if (batch.bytes().length == 0) {
            records = List.of();
        } else {
            Message record = new DefaultMessage(message.getExchange().getContext());
            record.setHeader(KafkaConstants.KEY, batch.session().router());
            record.setBody(batch.bytes());
            records = List.of(record);
        }
    }

    /** Returns the batch that a message contains, whether or not it has passed through {@code bmp:raw}. */
    static FrameBatch batch(Message message) throws InvalidPayloadException {
        return message.getBody() instanceof RawMessages raw ? raw.batch : message.getMandatoryBody(FrameBatch.class);
    }

    @Override
    public Iterator<Message> iterator() {
        return records.iterator();
    }
}
