package dev.silkroute.postgres;

import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * The peer ids of one batch, asked for as its events need them: a peer that only went down is looked for, one that has
 * routes is made.
 */
final class BatchPeers {
    private static final int UNKNOWN = -1;

    private final DimensionCache dimensions;
    private final Connection connection;
    private final RouteBatch batch;
    private final int router;
    private final int[] ids;

    BatchPeers(DimensionCache dimensions, Connection connection, RouteBatch batch) throws SQLException {
        this.dimensions = dimensions;
        this.connection = connection;
        this.batch = batch;
        router = dimensions.router(connection, batch.router(), batch.routerAddress());
        ids = new int[batch.peerCount()];
        Arrays.fill(ids, UNKNOWN);
    }

    int router() {
        return router;
    }

    int make(int index) throws SQLException {
        if (ids[index] == UNKNOWN) {
            ids[index] = dimensions.peer(connection, router, batch.peer(index));
        }
        return ids[index];
    }

    OptionalInt find(int index) throws SQLException {
        return ids[index] == UNKNOWN
                ? dimensions.findPeer(connection, router, batch.peer(index))
                : OptionalInt.of(ids[index]);
    }

    /** An id that {@link #make} has given before. */
    int made(int index) {
        return ids[index];
    }
}
