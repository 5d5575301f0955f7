package dev.silkroute.postgres.dimension;

import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;

/**
 * The peer ids of one batch, asked for as its events need them: a peer that only went down is looked for, one that has
 * routes is made.
 */
public final class BatchPeers {
    /** For {@link #known}: there is none. */
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

    /** The router, made if it is new; none for a batch that is of no router. */
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

    /** Looks for a peer that need not be there. */
    public void find(int index) throws SQLException {
        if (ids[index] == NOT_ASKED) {
            ids[index] =
                    dimensions.findPeer(connection, router(), batch.peer(index)).orElse(UNKNOWN);
        }
    }

    /** The id that {@link #make} or {@link #find} has found, or {@link #UNKNOWN}. */
    public int known(int index) {
        return ids[index];
    }

    /** Adds the ids that are known. */
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

    /** An id that {@link #make} has given before. */
    public int made(int index) {
        return ids[index];
    }
}
