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
 * Kafka records in, Kafka records out, a batch an exchange: what one poll gave becomes one {@link Iterable} of
 * messages, which a {@code kafka:} endpoint sends one by one, in order, each with its own key. They are made while they
 * are sent, so that a batch of routes needn't lie in memory as text; whoever goes through them again, as a redelivery
 * does, gets the same.
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
     * Puts what is made of the exchange's records into its body.
     *
     * @param values what is made of one record; the key is the record's own
     */
    static void transform(Exchange exchange, Function<Message, Iterator<byte[]>> values) {
        exchange.getMessage().setBody(new KafkaBatch(exchange, records(exchange), values));
    }

    /**
     * A consumer with {@code batching=true} gives a list of exchanges, one a record; without, the exchange is the
     * record.
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

    /** A header as text: Kafka's headers are bytes, a route's are what it put there. */
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
