package dev.silkroute.postgres.state;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.BatchPeers;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.DumpHistory;
import dev.silkroute.postgres.history.Labels;
import dev.silkroute.postgres.history.Partitions;
import dev.silkroute.postgres.lane.BatchWriter;
import dev.silkroute.postgres.lane.Prepared;
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
 * Keeps {@code bmp.rib_route} at what the routers say now, and tells the history of the announcements of table dumps, which it alone
 * can tell from repetitions. A list of batches is folded to one change a route and merged at once ({@link StateMerge}). An
 * announcement that changes nothing writes nothing.
 *
 * <p>What a session says of a table (a peer's view) counts unless a newer one has spoken of it. Messages that were decoded
 * again say nothing: rows have no sequence, so whether something newer has come since can't be told.
 */
public final class CurrentStateWriter implements BatchWriter {
    /** So many changes are merged before more are folded: some 25 MB of heap, whatever a batch holds. */
    static final int MOST_CHANGES = 100_000;

    private final DimensionCache dimensions;
    private final AttributeSets attributes;
    private final boolean tellWithdrawals;
    private final int mostChanges;
    private final Partitions partitions = new Partitions();

    public CurrentStateWriter(DimensionCache dimensions, AttributeSets attributes) {
        this(dimensions, attributes, false);
    }

    /** @param tellWithdrawals whether withdrawals that the station makes go to a topic too ({@code WithdrawalOutbox}) */
    public CurrentStateWriter(DimensionCache dimensions, AttributeSets attributes, boolean tellWithdrawals) {
        this(dimensions, attributes, tellWithdrawals, MOST_CHANGES);
    }

    CurrentStateWriter(DimensionCache dimensions, AttributeSets attributes, boolean tellWithdrawals, int mostChanges) {
        this.dimensions = dimensions;
        this.attributes = attributes;
        this.tellWithdrawals = tellWithdrawals;
        this.mostChanges = mostChanges;
    }

    @Override
    public Prepared prepare(Connection connection, List<RouteBatch> batches) throws SQLException {
        List<RouteBatch> present = new ArrayList<>(batches.size());
        List<BatchPeers> peers = new ArrayList<>(batches.size());
        for (RouteBatch batch : batches) {
            if (!batch.redecoded()) {
                partitions.ensure(connection, batch.receivedAtMicros());
                present.add(batch);
                peers.add(peers(connection, batch));
            }
        }
        Runnable known = attributes.write(connection, present);
        return transaction -> {
            try {
                transaction.afterCommit(known);
                return new Run(transaction.connection(), present, peers).write();
            } catch (SQLException e) {
                partitions.forget();
                throw e;
            }
        };
    }

    /** Routes make their peer; other events find it, if it is there. */
    private BatchPeers peers(Connection connection, RouteBatch batch) throws SQLException {
        BatchPeers peers = new BatchPeers(dimensions, connection, batch);
        RouteCursor event = batch.cursor();
        while (event.next()) {
            if (event.kind().isRoute()) {
                peers.make(event.peerIndex());
            } else if (event.kind().hasPeer()) {
                peers.find(event.peerIndex());
            } else {
                peers.router();
            }
        }
        return peers;
    }

    /** One transaction. */
    private final class Run {
        private final Connection connection;
        private final List<RouteBatch> batches;
        private final List<BatchPeers> peers;
        private final RouteFold routes = new RouteFold();
        private final RouteFold.Announcement said = new RouteFold.Announcement();
        private final LiveSessions sessions;
        private final ByteSink scratch = new ByteSink();
        private final DumpHistory history = new DumpHistory();
        private final RibTables tables;
        private final StateMerge merge;
        private long rows;

        Run(Connection connection, List<RouteBatch> batches, List<BatchPeers> peers) throws SQLException {
            this.connection = connection;
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
            merge = new StateMerge(connection, tables, tellWithdrawals);
        }

        long write() throws SQLException {
            for (int i = 0; i < batches.size(); i++) {
                RouteBatch batch = batches.get(i);
                history.begin(batch, peers.get(i));
                RouteCursor event = batch.cursor();
                for (int at = 0; event.next(); at++) {
                    apply(batch, peers.get(i), event, at);
                    if (routes.size() >= mostChanges) {
                        flush();
                    }
                }
            }
            flush();
            tables.write();
            sessions.write();
            return rows + history.copy(connection);
        }

        private void flush() throws SQLException {
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
            int view = batch.peer(event.peerIndex()).view().code();
            switch (kind) {
                case ANNOUNCE -> announce(batch, peer, event, index);
                case WITHDRAW -> {
                    RibTables.View table = tables.accepting(peer, view, session);
                    if (table != null) {
                        routes.withdraw(key(batch, peer, event), session, table.generation());
                    }
                }
                case PEER_DOWN -> {
                    if (routes.holds(peer)) {
                        flush();
                    }
                    tables.peerDown(peer, event.coversAllViews() ? RibTables.ALL_VIEWS : view, cause(batch, event));
                }
                case PEER_UP -> tables.peerUp(peer, session);
                case END_OF_RIB -> tables.endOfRib(peer, view, event.family(), cause(batch, event));
                case SESSION_UP, SESSION_DOWN, COLLECTOR_START -> throw new AssertionError(kind);
            }
        }

        private static RibTables.Cause cause(RouteBatch batch, RouteCursor event) {
            return new RibTables.Cause(batch.sessionId(), event.sequence(), batch.receivedAtMicros());
        }

        private void announce(RouteBatch batch, int peer, RouteCursor event, int index) throws SQLException {
            PeerEntry entry = batch.peer(event.peerIndex());
            RibTables.View table = tables.announced(peer, entry.view().code(), batch.sessionId());
            boolean tell = false; // what a router said before a newer session of it has spoken is no news
            if (table != null) {
                said.session = batch.sessionId();
                said.generation = table.generation();
                said.synced = table.isSynchronized(event.family(), batch.sessionId());
                said.attributesHigh = batch.hashHigh(event.attributeSet());
                said.attributesLow = batch.hashLow(event.attributeSet());
                said.labels = Labels.of(event.nlri());
                said.nlri = nlri(batch, event.nlri());
                said.marking = event.marking();
                said.at = batch.receivedAtMicros();
                said.dump = event.isTableDump();
                said.sequence = event.sequence();
                said.routerTime = event.routerTimeMicros();
                RibKey key = key(batch, peer, event);
                if (routes.ofOlderSession(key, said.session)) {
                    flush();
                }
                tell = routes.announce(key, said);
            }
            if (tell) {
                history.add(index);
            }
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
