package dev.silkroute.component.bmp;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.support.DefaultMessage;

/**
 * Converts the Kafka records of one poll into the records to be sent: an {@link Iterable} of messages, which a
 * {@code kafka:} endpoint sends in order, each with its own key. They are created while they are sent, so that a batch
 * of routes is never in memory as text as a whole. A second iteration, as by a redelivery, gives the same messages.
 */
final class KafkaBatch implements Iterable<Message> {
    private final Exchange exchange;
    private final List<Message> records;
    private final Function<Message, Iterator<byte[]>> values;

    private KafkaBatch(Exchange exchange, List<Message> records, Function<Message, Iterator<byte[]>> values) {
        this.exchange = exchange;
        this.records = records;
        this.values = values;
    }

    /**
     * Replaces the body of the exchange by the converted records.
     *
     * @param values converts one record into the values of any number of records with the same key
     */
    static void transform(Exchange exchange, Function<Message, Iterator<byte[]>> values) {
        exchange.getMessage().setBody(new KafkaBatch(exchange, records(exchange), values));
    }

    /**
     * Returns the records of an exchange: a consumer with {@code batching=true} delivers a list of exchanges, one per
     * record; otherwise the exchange is the record.
     */
    private static List<Message> records(Exchange exchange) {
        if (!(exchange.getMessage().getBody() instanceof List<?> list)) {
            return List.of(exchange.getMessage().copy());
        }
        List<Message> records = new ArrayList<>(list.size());
        for (Object element : list) {
            records.add(((Exchange) element).getMessage());
        }
        return records;
    }

    /** Returns a header as a string, whether it came from Kafka as bytes or was set in the route; empty without it. */
    static String text(Message message, String header) {
        String text = message.getHeader(header, String.class);
        return text == null ? "" : text;
    }

    @Override
    public Iterator<Message> iterator() {
        return new Iterator<>() {
            private final Iterator<Message> left = records.iterator();
            private Message record = exchange.getMessage();
            private Iterator<byte[]> made = List.<byte[]>of().iterator();

            @Override
            public boolean hasNext() {
                while (!made.hasNext() && left.hasNext()) {
                    record = left.next();
                    made = values.apply(record);
                }
                return made.hasNext();
            }

            @Override
            public Message next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                Message message = new DefaultMessage(exchange.getContext());
                message.setBody(made.next());
                Object key = record.getHeader(KafkaConstants.KEY);
                if (key != null) {
                    message.setHeader(KafkaConstants.KEY, text(record, KafkaConstants.KEY));
                }
                return message;
            }
        };
    }
}
