package dev.silkroute.postgres.history;

import dev.silkroute.postgres.copy.CopyTable;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.copy.Times;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.BatchPeers;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.lane.Prepared;
import dev.silkroute.postgres.lane.RouteBatchWriter;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes announcements and withdrawals to {@code bmp.route_event}, by one COPY for a list of batches. Announcements of
 * table dumps are left to {@code CurrentStateWriter}, which determines whether they are new. A batch that was decoded
 * again replaces the rows of its messages, so it may be stored any number of times; if a table has ended since, the
 * routes that the batch announces are withdrawn ({@link RedecodedRoutes}).
 */
public final class HistoryWriter extends RouteBatchWriter {
    /** The station's own table. */
    public static final String TABLE = "bmp.route_event";

    /** The receive time selects the partition and, by its BRIN index, the few pages in it. */
    private static final String DELETE_MESSAGES =
            "DELETE FROM %s WHERE received_at = ? AND session_id = ? AND sequence >> 16 = ANY (?) AND NOT synthetic";

    private final String table;
    private final String deleteMessages;
    private final DimensionCache dimensions;
    private final AttributeSets attributes;
    private final Partitions partitions = new Partitions();

    public HistoryWriter(DimensionCache dimensions, AttributeSets attributes) {
        this(TABLE, dimensions, attributes);
    }

    /** @param table a table with the columns of {@value #TABLE}; partitions are created for that one only */
    public HistoryWriter(String table, DimensionCache dimensions, AttributeSets attributes) {
        this.table = table;
        deleteMessages = DELETE_MESSAGES.formatted(table);
        this.dimensions = dimensions;
        this.attributes = attributes;
    }

    @Override
    protected String table() {
        return table;
    }

    @Override
    public Prepared prepareBatches(Connection connection, List<RouteBatch> all) throws SQLException {
        List<RouteBatch> batches = all.stream().filter(HistoryWriter::hasRows).toList();
        List<BatchPeers> peers = new ArrayList<>(batches.size());
        for (RouteBatch batch : batches) {
            partitions.ensure(connection, batch.receivedAtMicros());
            peers.add(peersWithRoutes(connection, batch));
        }
        Runnable remember = attributes.write(connection, batches);
        return transaction -> {
            try {
                transaction.afterCommit(remember);
                return store(transaction.connection(), batches, peers);
            } catch (SQLException e) {
                partitions.forget();
                throw e;
            }
        };
    }

    /**
     * Returns whether a batch has any rows. Most batches of a table dump have none, so their attribute sets are not
     * needed.
     */
    private static boolean hasRows(RouteBatch batch) {
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            if (isRow(batch, cursor)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isRow(RouteBatch batch, RouteCursor event) {
        return event.kind().isRoute() && (!event.isTableDump() || batch.redecoded());
    }

    private BatchPeers peersWithRoutes(Connection connection, RouteBatch batch) throws SQLException {
        BatchPeers peers = new BatchPeers(dimensions, connection, batch);
        peers.resolve(false);
        return peers;
    }

    /** Copies the batches in order, each redecoded one after deleting the rows that it replaces. */
    private long store(Connection connection, List<RouteBatch> batches, List<BatchPeers> peers) throws SQLException {
        long rows = 0;
        int from = 0;
        for (int i = 0; i < batches.size(); i++) {
            if (batches.get(i).redecoded()) {
                rows += copy(connection, batches.subList(from, i), peers.subList(from, i));
                deleteMessages(connection, batches.get(i));
                from = i;
            }
        }
        rows += copy(connection, batches.subList(from, batches.size()), peers.subList(from, peers.size()));
        return table.equals(TABLE) ? rows + RedecodedRoutes.withdraw(connection, batches) : rows;
    }

    /** Deletes the rows of the messages from which the batch has routes. */
    private void deleteMessages(Connection connection, RouteBatch batch) throws SQLException {
        Set<Long> messages = new TreeSet<>();
        RedecodedRoutes.addMessages(batch, messages);
        Sql.update(
                connection,
                deleteMessages,
                Times.of(batch.receivedAtMicros()),
                batch.sessionId(),
                Sql.array(connection, "bigint", messages));
    }

    private long copy(Connection connection, List<RouteBatch> batches, List<BatchPeers> peers) throws SQLException {
        if (batches.isEmpty()) {
            return 0;
        }
        try (CopyTable copy = RouteEventRow.copyInto(connection, table)) {
            for (int i = 0; i < batches.size(); i++) {
                RouteBatch batch = batches.get(i);
                RouteCursor cursor = batch.cursor();
                while (cursor.next()) {
                    if (isRow(batch, cursor)) {
                        RouteEventRow.write(copy, batch, cursor, peers.get(i));
                    }
                }
            }
            return copy.finish();
        }
    }
}
