package dev.silkroute.postgres.dimension;

import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Set;

/**
 * The peer ids of one batch, resolved as its events need them, in advance because a connection accepts no other
 * statement while a COPY runs: routes insert their peer, other events only look it up.
 */
public final class BatchPeers {
    /** A result of {@link #known}: the peer is not in the database. */
    public static final int UNKNOWN = -1;

    private static final int NOT_ASKED = -2;

    private final DimensionCache dimensions;
    private final Connection connection;
    private final RouteBatch batch;
    private int router = NOT_ASKED;
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
        if (router == NOT_ASKED) {
            router = batch.router().isEmpty()
                    ? UNKNOWN
                    : dimensions.router(connection, batch.router(), batch.routerAddress());
        }
        return router;
    }

    /**
     * Resolves the peers of routes, by few statements.
     *
     * @param othersToo also the peers of other events, and the router
     */
    public void resolve(boolean othersToo) throws SQLException {
        BitSet made = new BitSet();
        BitSet found = new BitSet();
        boolean needsRouter = false;
        RouteCursor event = batch.cursor();
        while (event.next()) {
            if (event.kind().isRoute()) {
                made.set(event.peerIndex());
            } else if (othersToo && event.kind().hasPeer()) {
                found.set(event.peerIndex());
            } else {
                needsRouter |= othersToo;
            }
        }
        found.andNot(made);
        resolve(made, true);
        resolve(found, false);
        if (needsRouter) {
            router();
        }
    }

    private void resolve(BitSet indexes, boolean insert) throws SQLException {
        if (indexes.isEmpty()) {
            return;
        }
        int[] resolved = dimensions.peers(
                connection, router(), indexes.stream().mapToObj(batch::peer).toList(), insert);
        int next = 0;
        for (int i = indexes.nextSetBit(0); i >= 0; i = indexes.nextSetBit(i + 1)) {
            ids[i] = resolved[next++];
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
