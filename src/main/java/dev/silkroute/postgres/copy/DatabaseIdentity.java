package dev.silkroute.postgres.copy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.PGConnection;

/**
 * Identifies the database behind a connection for as long as what was read from it stays valid: the database and the
 * run of its server. A standby that has taken over, a restored backup and a restarted server are other ones, because
 * they may lack what another one has committed and use its ids for something else. A system identifier and a timeline
 * would not be sufficient: a restored copy of the data directory has those of the original.
 *
 * @param text is compared only
 */
public record DatabaseIdentity(String text) {
    /** The identity that no database has. */
    public static final DatabaseIdentity NONE = new DatabaseIdentity("");

    private static final String QUERY = "SELECT (SELECT oid FROM pg_database WHERE datname = current_database()) || ' '"
            + " || extract(epoch FROM pg_postmaster_start_time()), pg_is_in_recovery()";

    private static final AtomicLong ASKED = new AtomicLong();

    /** By the driver's connection: it ends with its server. */
    private static final Map<Object, DatabaseIdentity> KNOWN = Collections.synchronizedMap(new WeakHashMap<>());

    private record Answer(DatabaseIdentity identity, boolean standby) {}

    /** Asks the server at the first call for a connection. */
    public static DatabaseIdentity of(Connection connection) throws SQLException {
        Object key = key(connection);
        DatabaseIdentity known = KNOWN.get(key);
        return known != null ? known : ask(connection, key);
    }

    /** Asks the server at each call, so that a connection is noticed that has ended with its server. */
    public static DatabaseIdentity current(Connection connection) throws SQLException {
        return ask(connection, key(connection));
    }

    private static Object key(Connection connection) throws SQLException {
        return connection.isWrapperFor(PGConnection.class) ? connection.unwrap(PGConnection.class) : connection;
    }

    private static DatabaseIdentity ask(Connection connection, Object key) throws SQLException {
        Answer answer = Sql.first(
                        connection, QUERY, row -> new Answer(new DatabaseIdentity(row.getString(1)), row.getBoolean(2)))
                .orElseThrow();
        if (answer.standby) { // it can be promoted without being restarted
            return new DatabaseIdentity("standby " + ASKED.incrementAndGet());
        }
        KNOWN.put(key, answer.identity);
        return answer.identity;
    }
}
