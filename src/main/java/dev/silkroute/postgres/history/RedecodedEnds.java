package dev.silkroute.postgres.history;

import dev.silkroute.postgres.copy.Times;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What was decoded again may come after the end of its table. The state never had it, so no sweep withdraws it: that is done here, for all
 * messages of a session at once, because each look has its price.
 */
final class RedecodedEnds {
    private static final String END = "SELECT bmp.withdraw_redecoded(?, ?, ?, ?)";

    private RedecodedEnds() {}

    /** Messages of one session, and between which times they were received. */
    private static final class Messages {
        private final Set<Long> numbers = new TreeSet<>();
        private long first = Long.MAX_VALUE;
        private long last = Long.MIN_VALUE;
    }

    /** The numbers of the messages that a batch has routes of. */
    static void addMessages(RouteBatch batch, Set<Long> numbers) {
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            if (cursor.kind().isRoute()) {
                numbers.add(cursor.sequence() >> 16);
            }
        }
    }

    /**
     * @param batches that are stored; others than those that were decoded again count for nothing
     * @return how many withdrawals were written
     */
    static long write(Connection connection, List<RouteBatch> batches) throws SQLException {
        Map<Long, Messages> sessions = new TreeMap<>();
        for (RouteBatch batch : batches) {
            if (batch.redecoded()) {
                Messages messages = sessions.computeIfAbsent(batch.sessionId(), _ -> new Messages());
                addMessages(batch, messages.numbers);
                messages.first = Math.min(messages.first, batch.receivedAtMicros());
                messages.last = Math.max(messages.last, batch.receivedAtMicros());
            }
        }
        long rows = 0;
        for (Map.Entry<Long, Messages> session : sessions.entrySet()) {
            Messages messages = session.getValue();
            try (PreparedStatement end = connection.prepareStatement(END)) {
                end.setLong(1, session.getKey());
                end.setArray(2, connection.createArrayOf("bigint", messages.numbers.toArray()));
                end.setObject(3, Times.of(messages.first));
                end.setObject(4, Times.of(messages.last));
                try (ResultSet row = end.executeQuery()) {
                    row.next();
                    rows += row.getLong(1);
                }
            }
        }
        return rows;
    }
}
