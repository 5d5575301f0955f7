package dev.silkroute.component.pgcopy;

import dev.silkroute.postgres.lane.LanePosition;
import dev.silkroute.postgres.lane.LaneRecord;
import dev.silkroute.postgres.lane.PositionedRecord;
import java.util.ArrayList;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.jspecify.annotations.Nullable;

/**
 * The records of an exchange: the elements of its body if that is a batch, a list of exchanges; otherwise the body as
 * one record.
 *
 * @param list in their order
 * @param positions of those that a lane's consumer has read
 */
record Records<T>(List<LaneRecord<T>> list, List<PositionedRecord> positions) {
    static <T> Records<T> of(Exchange exchange, Class<T> type) {
        Object body = exchange.getMessage().getBody();
        Records<T> records = new Records<>(new ArrayList<>(), new ArrayList<>());
        if (body instanceof List<?> batch && !batch.isEmpty() && batch.getFirst() instanceof Exchange) {
            batch.forEach(element -> records.add(((Exchange) element).getMessage(), type));
        } else if (body != null) {
            records.add(exchange.getMessage(), type);
        }
        return records;
    }

    /** True if each record has a position from which it can be read again. */
    boolean arePositioned() {
        return positions.size() == list.size();
    }

    private void add(Message message, Class<T> type) {
        LanePosition position = null;
        if (message.getHeader(PgCopyConstants.POSITION) instanceof PositionedRecord positioned) {
            positions.add(positioned);
            position = positioned.position();
        }
        String name = message.getHeader(PgCopyConstants.TOPIC) + "-" + message.getHeader(PgCopyConstants.PARTITION)
                + "@" + message.getHeader(PgCopyConstants.OFFSET);
        list.add(new LaneRecord<>(name, position, value(message, type)));
    }

    /** A record without a value has an empty one, so that its offset counts. */
    private static <T> T value(Message message, Class<T> type) {
        @Nullable Object body = message.getBody();
        if (body == null && type == byte[].class) {
            body = new byte[0];
        } else if (body != null) {
            body = message.getBody(type);
        }
        if (!type.isInstance(body)) {
            throw new IllegalArgumentException("the body of a record must be a " + type.getName());
        }
        return type.cast(body);
    }
}
