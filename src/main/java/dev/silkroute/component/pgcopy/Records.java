package dev.silkroute.component.pgcopy;

import dev.silkroute.postgres.lane.LanePosition;
import dev.silkroute.postgres.lane.LaneRecord;
import dev.silkroute.postgres.lane.Positioned;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.BaseStream;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.jspecify.annotations.Nullable;

/**
 * The records of an exchange: those of a batching consumer, whose body is a list of exchanges, or else the body as one.
 *
 * @param list in their order
 * @param read what their reader gave along
 */
record Records<T>(List<LaneRecord<T>> list, List<Positioned> read) {
    static <T> Records<T> of(Exchange exchange, Class<T> type, boolean again) {
        Object body = exchange.getMessage().getBody();
        Records<T> records = new Records<>(new ArrayList<>(), new ArrayList<>());
        if (body instanceof List<?> batch && !batch.isEmpty() && batch.getFirst() instanceof Exchange) {
            batch.forEach(element -> records.add(((Exchange) element).getMessage(), type, again));
        } else if (body != null) {
            records.add(exchange.getMessage(), type, again);
        }
        return records;
    }

    /** Whether each of them has a place where it can be read again. */
    boolean isPositioned() {
        return read.size() == list.size();
    }

    private void add(Message message, Class<T> type, boolean again) {
        LanePosition position = null;
        if (message.getHeader(PgCopyConstants.POSITION) instanceof Positioned positioned) {
            read.add(positioned);
            position = positioned.position();
        }
        String place = message.getHeader(PgCopyConstants.TOPIC) + "-" + message.getHeader(PgCopyConstants.PARTITION)
                + "@" + message.getHeader(PgCopyConstants.OFFSET);
        list.add(new LaneRecord<>(place, position, value(message, type, again)));
    }

    /** An empty value for a record that has none: its place counts all the same. */
    private static <T> T value(Message message, Class<T> type, boolean again) {
        Object body = message.getBody();
        if (body == null) {
            body = type.isAssignableFrom(byte[].class) && type != Object.class ? new byte[0] : List.of();
        } else if (type != Object.class) {
            body = message.getBody(type);
        } else if (again) {
            body = repeatable(body);
        }
        if (!type.isInstance(body)) {
            throw new IllegalArgumentException("the body is no " + type.getName());
        }
        return type.cast(body);
    }

    /** What can be iterated once only is kept, in case it has to be tried again. */
    private static Object repeatable(Object body) {
        Iterator<?> rows = switch (body) {
            case Iterator<?> iterator -> iterator;
            case BaseStream<?, ?> stream -> stream.iterator();
            default -> null;
        };
        if (rows == null) {
            return body;
        }
        List<@Nullable Object> list = new ArrayList<>();
        rows.forEachRemaining(list::add);
        return list;
    }
}
