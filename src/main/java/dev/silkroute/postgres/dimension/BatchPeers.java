package dev.silkroute.postgres.dimension;

import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;

/**
 * The peer ids of one batch, resolved as its events need them: routes insert their peer, other events only look it up.
 */
public final class BatchPeers {
    /** For {@link #known}: the peer is not in the database. */
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
        Arrays.fill(ids, NOT_ASKED);
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

    public int make(int index) throws SQLException {
        if (ids[index] < 0) {
            ids[index] = dimensions.peer(connection, router(), batch.peer(index));
        }
        return ids[index];
    }

    /** Looks up a peer that may be missing. */
    public void find(int index) throws SQLException {
        if (ids[index] == NOT_ASKED) {
            ids[index] =
                    dimensions.findPeer(connection, router(), batch.peer(index)).orElse(UNKNOWN);
        }
    }

    /** Returns the id that {@link #make} or {@link #find} has resolved, or {@link #UNKNOWN}. */
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
