package dev.silkroute.digest;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/** A copy of the tables that can be compared with another one. Thread-safe. */
public interface TableSource {
    /** A source adds sketches to its digests only if no more tables are selected. */
    int MAX_SKETCHES = 8;

    /** The maximum number of routes that {@link #routes} looks for. */
    int MAX_ROUTES = 128;

    /**
     * Digests of tables that have routes.
     *
     * @param position what the source included at least when it began to read
     */
    record Digests(Position position, List<TableDigest> tables) {}

    /**
     * Routes of one table.
     *
     * @param position what the source included at least when it began to read
     */
    record Routes(Position position, List<RouteState> routes) {}

    /**
     * Reads all routes of the selected tables.
     *
     * @param cells the size of a sketch of each table, 0 for none
     * @throws IOException if the source is not available
     */
    Digests digests(TableSelection selection, DigestKey key, int cells) throws IOException;

    /**
     * Finds the routes of a table with given hashes of their keys.
     *
     * @param keys at most {@link #MAX_ROUTES}
     * @throws IOException if the source is not available
     */
    Routes routes(TableName table, DigestKey key, Set<Long> keys) throws IOException;
}
