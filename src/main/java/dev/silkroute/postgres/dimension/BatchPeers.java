package dev.silkroute.postgres.dimension;

import dev.silkroute.postgres.copy.Text;
import dev.silkroute.postgres.dimension.DimensionCache.RouterPeer;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The peer ids of one batch, resolved as its events need them, in advance because a connection accepts no other
 * statement while a COPY runs: routes and End-of-RIB insert their peer, other events only look it up.
 */
public final class BatchPeers {
    /** A result of {@link #known}: the peer is not in the database. */
    public static final int UNKNOWN = -1;

    private static final int UNRESOLVED = -2;

    private final DimensionCache dimensions;
    private final Connection connection;
    private final RouteBatch batch;
    private int router = UNRESOLVED;
    private final int[] ids;

    public BatchPeers(DimensionCache dimensions, Connection connection, RouteBatch batch) {
        this.dimensions = dimensions;
        this.connection = connection;
        this.batch = batch;
        ids = new int[batch.peerCount()];
        Arrays.fill(ids, UNKNOWN);
    }

    /** Returns the router's id, inserting it if it is new; {@link #UNKNOWN} for a batch without a router. */
    public int router() throws SQLException {
        if (router == UNRESOLVED) {
            resolveRouters(List.of(this));
        }
        return router;
    }

    /**
     * Resolves the routers of batches, by few statements for all of them together: many routers may connect at once.
     *
     * @param batches of one connection
     */
    public static void resolveRouters(List<BatchPeers> batches) throws SQLException {
        List<BatchPeers> wanted =
                batches.stream().filter(of -> of.router == UNRESOLVED).toList();
        if (wanted.isEmpty()) {
            return;
        }
        SortedMap<String, String> addresses = new TreeMap<>();
        for (BatchPeers of : wanted) {
            if (!of.batch.router().isEmpty()) {
                addresses.putIfAbsent(of.routerName(), of.batch.routerAddress());
            }
        }
        BatchPeers any = wanted.getFirst();
        Map<String, Integer> found = any.dimensions.routers(any.connection, addresses);
        wanted.forEach(of -> of.router = found.getOrDefault(of.routerName(), UNKNOWN));
    }

    private String routerName() {
        return Text.clean(batch.router());
    }

    /**
     * Resolves the routers and the peers of routes, by few statements for all batches together: each statement that
     * inserts waits for the disk, and a flood of small batches has new peers in each.
     *
     * @param batches of one connection
     * @param othersToo also the peers of other events
     */
    public static void resolve(List<BatchPeers> batches, boolean othersToo) throws SQLException {
        resolveRouters(batches);
        List<Wanted> made = new ArrayList<>();
        List<Wanted> found = new ArrayList<>();
        for (BatchPeers batch : batches) {
            batch.select(othersToo, made, found);
        }
        find(made, true);
        find(found, false);
    }

    /** A peer of a batch. */
    private record Wanted(BatchPeers of, int index, RouterPeer peer) {}

    /** Adds the peers to insert if they are new, and those of other events; no peer is added twice. */
    private void select(boolean othersToo, List<Wanted> made, List<Wanted> found) throws SQLException {
        BitSet inserting = new BitSet();
        BitSet others = new BitSet();
        RouteCursor event = batch.cursor();
        while (event.next()) {
            EventKind kind = event.kind();
            if (kind.isRoute() || othersToo && kind == EventKind.END_OF_RIB) {
                inserting.set(event.peerIndex());
            } else if (othersToo && kind.hasPeer()) {
                others.set(event.peerIndex());
            }
        }
        others.andNot(inserting);
        add(inserting, made);
        add(others, found);
    }

    private void add(BitSet indexes, List<Wanted> wanted) throws SQLException {
        for (int i = indexes.nextSetBit(0); i >= 0; i = indexes.nextSetBit(i + 1)) {
            wanted.add(new Wanted(this, i, new RouterPeer(router(), batch.peer(i))));
        }
    }

    private static void find(List<Wanted> wanted, boolean insert) throws SQLException {
        if (wanted.isEmpty()) {
            return;
        }
        BatchPeers any = wanted.getFirst().of;
        int[] ids = any.dimensions.peers(
                any.connection, wanted.stream().map(Wanted::peer).toList(), insert);
        for (int i = 0; i < ids.length; i++) {
            wanted.get(i).of.ids[wanted.get(i).index] = ids[i];
        }
    }

    /** Returns the id that {@link #resolve} has found, or {@link #UNKNOWN}. */
    public int known(int index) {
        return ids[index];
    }

    /** Adds the resolved ids. */
    public void addTo(Set<Integer> routers, Set<Integer> peers) {
        if (router >= 0) {
            routers.add(router);
        }
        for (int id : ids) {
            if (id >= 0) {
                peers.add(id);
            }
        }
    }
}
