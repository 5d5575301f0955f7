package dev.silkroute.postgres.history;

import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.copy.Times;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Withdraws routes that were announced when messages were decoded again, if their table has ended since. The current
 * state never had them, so nothing else withdraws them. One call covers all messages of a session, because each call
 * searches the history.
 */
final class RedecodedRoutes {
    private static final String WITHDRAW = "SELECT bmp.withdraw_redecoded(?, ?, ?, ?)";

    private RedecodedRoutes() {}

    /** The messages of one session, and the times between which they were received. */
    private static final class Messages {
        private final Set<Long> numbers = new TreeSet<>();
        private long first = Long.MAX_VALUE;
        private long last = Long.MIN_VALUE;
    }

    static void addMessages(RouteBatch batch, Set<Long> numbers) {
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            if (cursor.kind().isRoute()) {
                numbers.add(cursor.sequence() >> 16);
            }
        }
    }

    /**
     * @param batches stored batches; those that were not decoded again are ignored
     * @return the number of withdrawals
     */
    static long withdraw(Connection connection, List<RouteBatch> batches) throws SQLException {
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
            rows += Sql.number(
                    connection,
                    WITHDRAW,
                    session.getKey(),
                    Sql.array(connection, "bigint", messages.numbers),
                    Times.of(messages.first),
                    Times.of(messages.last));
        }
        return rows;
    }
}
