package dev.silkroute.postgres.state;

import dev.silkroute.postgres.copy.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;

/**
 * Excludes merges and withdrawals of the same router from each other until the end of their transactions: merges share
 * the lock, a withdrawal holds it exclusively. Routers share {@value #LOCKS} locks, so that a transaction with many
 * routers does not fill PostgreSQL's lock table.
 */
public final class RouterLocks {
    private static final int LOCKS = 64;
    /** The first half of the advisory locks' keys: "rib". */
    private static final int CLASS = 0x726962;

    private RouterLocks() {}

    /** In ascending order, so that two merges cannot wait for each other. */
    public static void share(Connection connection, Set<Integer> routers) throws SQLException {
        Set<Integer> locks = new TreeSet<>();
        routers.forEach(router -> locks.add(router % LOCKS));
        if (locks.isEmpty()) {
            return;
        }
        Sql.query(
                connection,
                "SELECT pg_advisory_xact_lock_shared(?, n) FROM unnest(?) n",
                _ -> {},
                CLASS,
                Sql.array(connection, "integer", locks));
    }

    /** All routers. */
    public static void ownAll(Connection connection) throws SQLException {
        for (int lock = 0; lock < LOCKS; lock++) {
            own(connection, lock);
        }
    }

    public static void own(Connection connection, int router) throws SQLException {
        Sql.query(connection, "SELECT pg_advisory_xact_lock(?, ?)", _ -> {}, CLASS, router % LOCKS);
    }
}
