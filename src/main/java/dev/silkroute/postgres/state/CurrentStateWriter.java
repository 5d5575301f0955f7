package dev.silkroute.postgres.state;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.BatchPeers;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.Labels;
import dev.silkroute.postgres.history.Partitions;
import dev.silkroute.postgres.history.TableDumpEvents;
import dev.silkroute.postgres.lane.LaneGap;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.lane.Prepared;
import dev.silkroute.postgres.lane.RouteBatchWriter;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keeps {@code bmp.rib_route} equal to what the routers advertise, and records the announcements of table dumps in the
 * history, because no other writer can distinguish them from repetitions. A list of batches is folded into one change
 * per route and merged at once ({@link StateMerge}). An announcement that changes nothing writes nothing.
 *
 * <p>Only the newest session of a router counts; batches of older ones are ignored. So are batches that were decoded
 * again: the rows have no sequence, so it is unknown whether newer events have been applied since.
 */
public final class CurrentStateWriter extends RouteBatchWriter {
    private static final System.Logger LOGGER = System.getLogger(CurrentStateWriter.class.getName());

    /** Changes that are folded before they are merged: about 25 MB of heap, whatever the size of a batch. */
    static final int MAX_CHANGES = 100_000;

    private final DimensionCache dimensions;
    private final AttributeSets attributes;
    private final boolean publishWithdrawals;
    private final TableDumps dumps;
    private final int maxChanges;
    private final Partitions partitions = new Partitions();

    public CurrentStateWriter(DimensionCache dimensions, AttributeSets attributes) {
        this(dimensions, attributes, false, new TableDumps(TableDumps.DEFAULT_BYTES));
    }

    /**
     * @param publishWithdrawals whether withdrawals that the station generates are published ({@code
     *     WithdrawalOutbox})
     * @param dumps may be shared with other writers
     */
    public CurrentStateWriter(
            DimensionCache dimensions, AttributeSets attributes, boolean publishWithdrawals, TableDumps dumps) {
        this(dimensions, attributes, publishWithdrawals, dumps, MAX_CHANGES);
    }

    CurrentStateWriter(
            DimensionCache dimensions,
            AttributeSets attributes,
            boolean publishWithdrawals,
            TableDumps dumps,
            int maxChanges) {
        this.dimensions = dimensions;
        this.attributes = attributes;
        this.publishWithdrawals = publishWithdrawals;
        this.dumps = dumps;
        this.maxChanges = maxChanges;
    }

    @Override
    protected String table() {
        return "bmp.rib_route";
    }

    /** Until its next session, the router's routes count as stale: which of them are out of date is unknown. */
    @Override
    protected void setAside(LaneTransaction transaction, RouteBatch batch) throws SQLException {
        LiveSessions.markIncomplete(transaction.connection(), batch);
    }

    /** Marks all routers of this partition as incomplete: the events of any of them may be missing. */
    @Override
    public void missed(LaneTransaction transaction, LaneGap gap) throws SQLException {
        int routers = LiveSessions.markIncomplete(transaction.connection(), gap);
        transaction.afterCommit(() -> LOGGER.log(
                System.Logger.Level.WARNING,
                "The routes of {0} routers count as stale until their next sessions: events of {1} are missing",
                Integer.toString(routers),
                gap));
    }

    @Override
    public Prepared prepareBatches(Connection connection, List<RouteBatch> batches) throws SQLException {
        List<RouteBatch> present = new ArrayList<>(batches.size());
        List<BatchPeers> peers = new ArrayList<>(batches.size());
        for (RouteBatch batch : batches) {
            if (!batch.redecoded()) {
                partitions.ensure(connection, batch.receivedAtMicros());
                present.add(batch);
                peers.add(new BatchPeers(dimensions, connection, batch));
            }
        }
        BatchPeers.resolve(peers, true);
        Runnable remember = attributes.write(connection, present);
        boolean withDump = present.stream().anyMatch(CurrentStateWriter::hasTableDump);
        return transaction -> {
            try {
                transaction.afterCommit(remember);
                return withDump
                        ? writeWithDump(transaction, present, peers)
                        : new Run(transaction, present, peers, dumps).write();
            } catch (SQLException e) {
                partitions.forget();
                throw e;
            }
        };
    }

    private static boolean hasTableDump(RouteBatch batch) {
        RouteCursor event = batch.cursor();
        while (event.next()) {
            if (event.isTableDump()) {
                return true;
            }
        }
        return false;
    }

    /** Writes batches, with new routes copied. If a new route turns out to have a row already, merges all of them. */
    private long writeWithDump(LaneTransaction transaction, List<RouteBatch> batches, List<BatchPeers> peers)
            throws SQLException {
        try {
            return transaction.part(part -> {
                Run run = new Run(part, batches, peers, dumps);
                long rows = run.write();
                part.afterCommit(() -> dumps.copied(run.newRoutes.copied()));
                return rows;
            });
        } catch (NewRoutes.RouteExistsException e) {
            dumps.conflict();
            LOGGER.log(System.Logger.Level.DEBUG, "Merging a table dump, because a route exists: {0}", e.getMessage());
            return new Run(transaction, batches, peers, TableDumps.NONE).write();
        }
    }

    /** The state of one transaction. */
    private final class Run {
        private final LaneTransaction transaction;
        private final Connection connection;
        private final List<RouteBatch> batches;
        private final List<BatchPeers> peers;
        private final RouteFold routes = new RouteFold();
        private final RouteFold.Announcement announcement = new RouteFold.Announcement();
        private final LiveSessions sessions;
        private final ByteSink scratch = new ByteSink();
        private final TableDumpEvents tableDumps = new TableDumpEvents();
        private final RibTables tables;
        private final StateMerge merge;
        private final NewRoutes newRoutes;
        private long rows;

        Run(LaneTransaction transaction, List<RouteBatch> batches, List<BatchPeers> peers, TableDumps dumps)
                throws SQLException {
            this.transaction = transaction;
            connection = transaction.connection();
            this.batches = batches;
            this.peers = peers;
            Set<Integer> routers = new TreeSet<>();
            Set<Integer> ids = new HashSet<>();
            for (BatchPeers of : peers) {
                of.addTo(routers, ids);
            }
            RouterLocks.share(connection, routers);
            sessions = LiveSessions.read(connection, routers, batches);
            tables = RibTables.read(connection, ids);
            merge = new StateMerge(connection, tables, publishWithdrawals);
            newRoutes = new NewRoutes(connection, dumps);
        }

        long write() throws SQLException {
            boolean predicted = true;
            try {
                return writeAll();
            } catch (NewRoutes.RouteExistsException e) {
                predicted = false;
                throw e;
            } finally {
                newRoutes.close(predicted);
            }
        }

        private long writeAll() throws SQLException {
            for (int i = 0; i < batches.size(); i++) {
                RouteBatch batch = batches.get(i);
                if (sessions.supersede(peers.get(i).router(), batch)) {
                    transaction.superseded(batch.eventCount());
                    continue;
                }
                tableDumps.begin(batch, peers.get(i));
                RouteCursor event = batch.cursor();
                for (int index = 0; event.next(); index++) {
                    apply(batch, peers.get(i), event, index);
                    if (routes.size() >= maxChanges) {
                        flush();
                    }
                }
            }
            flush();
            tables.write();
            sessions.write();
            return rows + newRoutes.copied() + tableDumps.copy(connection);
        }

        private void flush() throws SQLException {
            newRoutes.copy();
            rows += merge.apply(routes);
            routes.clear();
        }

        private void apply(RouteBatch batch, BatchPeers of, RouteCursor event, int index) throws SQLException {
            long session = batch.sessionId();
            EventKind kind = event.kind();
            if (kind == EventKind.COLLECTOR_START) {
                sessions.collectorStarted(batch);
                return;
            }
            sessions.event(of.router(), kind, batch);
            if (!kind.hasPeer()) {
                return;
            }
            int peer = of.known(event.peerIndex());
            if (peer == BatchPeers.UNKNOWN) {
                return; // a Peer Up or Peer Down of a peer that has no tables
            }
            int view = batch.peer(event.peerIndex()).view().code();
            switch (kind) {
                case ANNOUNCE -> announce(batch, peer, event, index);
                case WITHDRAW -> {
                    RibTables.View table = tables.accepting(peer, view, session);
                    if (table != null) {
                        RibKey key = key(batch, peer, event);
                        newRoutes.isNew(table, key, session);
                        routes.withdraw(key, session, table.generation());
                    }
                }
                case PEER_DOWN -> {
                    if (routes.holds(peer)) {
                        flush();
                    }
                    tables.peerDown(peer, event.coversAllViews() ? RibTables.ALL_VIEWS : view, cause(batch, event));
                }
                case PEER_UP -> tables.peerUp(peer, session);
                case END_OF_RIB -> {
                    if (!sessions.isIncomplete(of.router())) {
                        endOfRib(batch, peer, event);
                    }
                }
                case SESSION_UP, SESSION_DOWN, COLLECTOR_START -> throw new AssertionError(kind);
            }
        }

        private void endOfRib(RouteBatch batch, int peer, RouteCursor event) throws SQLException {
            int view = batch.peer(event.peerIndex()).view().code();
            for (RibTables.View of : tables.endOfRib(peer, view, event.family(), cause(batch, event))) {
                if (event.family() == 0) {
                    newRoutes.end(of);
                } else {
                    newRoutes.end(of, event.family());
                }
            }
        }

        private static RibTables.Cause cause(RouteBatch batch, RouteCursor event) {
            return new RibTables.Cause(batch.sessionId(), event.sequence(), batch.receivedAtMicros());
        }

        private void announce(RouteBatch batch, int peer, RouteCursor event, int index) throws SQLException {
            PeerEntry entry = batch.peer(event.peerIndex());
            RibTables.View table = tables.announced(peer, entry.view().code(), batch.sessionId());
            if (table == null) {
                return; // a newer session has sent events for the table
            }
            if (table.hasBegun()) {
                begin(table, batch.sessionId());
            }
            announcement.session = batch.sessionId();
            announcement.generation = table.generation();
            announcement.isSynchronized = table.isSynchronized(event.family(), batch.sessionId());
            announcement.attributesHigh = batch.hashHigh(event.attributeSet());
            announcement.attributesLow = batch.hashLow(event.attributeSet());
            announcement.labels = Labels.of(event.nlri());
            announcement.nlri = nlri(batch, event.nlri());
            announcement.marking = event.marking();
            announcement.receivedAt = batch.receivedAtMicros();
            announcement.isTableDump = event.isTableDump();
            announcement.sequence = event.sequence();
            announcement.routerTime = event.routerTimeMicros();
            RibKey key = key(batch, peer, event);
            if (isNew(table, key)) {
                newRoutes.add(key, announcement);
                tableDumps.add(index);
                return;
            }
            if (routes.ofOlderSession(key, announcement.session)) {
                flush();
            }
            if (routes.announce(key, announcement)) {
                tableDumps.add(index);
            }
        }

        private void begin(RibTables.View table, long session) throws SQLException {
            if (routes.holds(table.peer())) {
                flush();
            }
            newRoutes.end(table);
            if (!tables.ended(table)) {
                newRoutes.begin(table, session);
            }
        }

        private boolean isNew(RibTables.View table, RibKey key) {
            if (announcement.isTableDump) {
                return newRoutes.isNew(table, key, announcement.session);
            }
            newRoutes.end(table, key.family());
            return false;
        }

        private RibKey key(RouteBatch batch, int peer, RouteCursor event) {
            int view = batch.peer(event.peerIndex()).view().code();
            return RibKey.of(peer, view, event.family(), event.nlri(), batch.bytes(), scratch);
        }

        private static byte[] nlri(RouteBatch batch, NlriReader nlri) {
            return nlri.isPrefix() ? RouteFold.NO_NLRI : Arrays.copyOfRange(batch.bytes(), nlri.from(), nlri.to());
        }
    }
}
