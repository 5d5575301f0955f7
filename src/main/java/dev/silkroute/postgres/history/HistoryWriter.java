package dev.silkroute.postgres.history;

import dev.silkroute.postgres.copy.CopyTable;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.copy.Times;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.BatchPeers;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.lane.LaneTransaction;
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
 * Writes announcements and withdrawals to {@code bmp.route_event}, by one COPY for a list of batches. Only the newest
 * session of a router counts ({@link NewestSessions}). Announcements of table dumps are left to {@code
 * CurrentStateWriter}, which determines whether they are new. A batch that was decoded
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

    /** A batch with the ids of its router and, if it has rows, of its peers. */
    private record Candidate(RouteBatch batch, BatchPeers peers, boolean hasRows) {}

    @Override
    public Prepared prepareBatches(Connection connection, List<RouteBatch> batches) throws SQLException {
        List<Candidate> candidates = new ArrayList<>(batches.size());
        List<RouteBatch> withRows = new ArrayList<>(batches.size());
        List<BatchPeers> ofRouters = new ArrayList<>(batches.size());
        for (RouteBatch batch : batches) {
            Candidate candidate = new Candidate(batch, new BatchPeers(dimensions, connection, batch), hasRows(batch));
            if (candidate.hasRows) {
                partitions.ensure(connection, batch.receivedAtMicros());
                withRows.add(batch);
            }
            if (isOfRouter(batch)) {
                ofRouters.add(candidate.peers);
            }
            candidates.add(candidate);
        }
        BatchPeers.resolveRouters(ofRouters);
        Set<Integer> routers = new TreeSet<>();
        for (BatchPeers of : ofRouters) {
            routers.add(of.router());
        }
        BatchPeers.resolve(
                candidates.stream()
                        .filter(Candidate::hasRows)
                        .map(Candidate::peers)
                        .toList(),
                false);
        Runnable remember = attributes.write(connection, withRows);
        return transaction -> {
            try {
                transaction.afterCommit(remember);
                return store(transaction, candidates, routers);
            } catch (SQLException e) {
                partitions.forget();
                throw e;
            }
        };
    }

    /** Returns whether a batch is one of a router's session, in the order of the topic. */
    private static boolean isOfRouter(RouteBatch batch) {
        return !batch.redecoded() && !batch.router().isEmpty();
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

    /** Stores the batches with rows, but not those of sessions that are not the newest one of their router. */
    private long store(LaneTransaction transaction, List<Candidate> candidates, Set<Integer> routers)
            throws SQLException {
        NewestSessions newest = NewestSessions.read(transaction.connection(), table, routers);
        List<RouteBatch> batches = new ArrayList<>(candidates.size());
        List<BatchPeers> peers = new ArrayList<>(candidates.size());
        for (Candidate candidate : candidates) {
            if (!counts(candidate, newest)) {
                transaction.superseded(candidate.batch.eventCount());
            } else if (candidate.hasRows) {
                batches.add(candidate.batch);
                peers.add(candidate.peers);
            }
        }
        newest.write();
        return store(transaction.connection(), batches, peers);
    }

    private static boolean counts(Candidate candidate, NewestSessions newest) throws SQLException {
        RouteBatch batch = candidate.batch;
        if (batch.redecoded()) {
            return !candidate.hasRows || newest.counted(candidate.peers.router(), batch);
        }
        return !isOfRouter(batch) || newest.counts(candidate.peers.router(), batch);
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
