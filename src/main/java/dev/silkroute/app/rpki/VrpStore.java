package dev.silkroute.app.rpki;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.postgres.copy.CopyBinary;
import dev.silkroute.postgres.copy.CopyTable;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.rpki.Vrp;
import dev.silkroute.rpki.VrpTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Stores versions of the VRPs in {@code bmp.vrp}, each as its differences from the newest one there, in one
 * transaction. One store at a time writes to a database: that which holds an advisory lock, on a connection that it
 * keeps. After a failure, and when it takes over from another one, it reads the newest version from the database. For
 * one thread.
 */
final class VrpStore implements AutoCloseable {
    /** The key of the advisory lock: "vrps". */
    private static final long LOCK = 0x76727073L;

    /** After 60 seconds without an answer, the database closes the connection, and another station takes over. */
    private static final String KEEPALIVE =
            "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3";

    private static final String TRY_LOCK = "SELECT pg_try_advisory_lock(" + LOCK + ")";
    private static final String UNLOCK = "SELECT pg_advisory_unlock(" + LOCK + ")";
    private static final String NEWEST_VRPS =
            "SELECT cidr_send(prefix), max_length, asn FROM bmp.vrp WHERE valid_until IS NULL";
    private static final String WITHDRAWN = "SELECT count(*) FROM bmp.vrp WHERE valid_until IS NOT NULL";
    private static final String NEWEST_VERSION =
            "SELECT used_from, vrps FROM bmp.vrp_version ORDER BY used_from DESC LIMIT 1";
    private static final String WITHDRAW = """
            UPDATE bmp.vrp v SET valid_until = ?
            FROM unnest(CAST(? AS cidr[]), CAST(? AS smallint[]), CAST(? AS bigint[])) w (prefix, max_length, asn)
            WHERE v.prefix = w.prefix AND v.max_length = w.max_length AND v.asn = w.asn AND v.valid_until IS NULL""";
    private static final String VRP = "bmp.vrp (prefix, max_length, asn, valid_from, valid_until)";
    private static final String VERSION =
            "INSERT INTO bmp.vrp_version (used_from, vrps, announced, withdrawn) VALUES (?, ?, ?, ?)";
    private static final String PURGE = "SELECT bmp.purge_vrps(CAST(? AS interval), ?)";

    private static final int CIDR_HEADER = 4;
    private static final int ROWS_PER_FETCH = 10_000;
    private static final int ROWS_PER_UPDATE = 50_000;

    private final DataSource database;
    private final @Nullable String retention;
    private final long maxWithdrawn;
    private @Nullable Newest newest;

    /**
     * The newest version in the database.
     *
     * @param connection which holds the lock
     * @param vrps those without an end
     * @param usedFrom null without any version
     * @param empty whether the station had no VRPs in the version
     * @param withdrawn number of rows with an end
     */
    private record Newest(
            Connection connection, VrpTable vrps, @Nullable Instant usedFrom, boolean empty, long withdrawn) {}

    /**
     * The number of rows that a version has changed.
     *
     * @param purged rows deleted afterwards because there were too many
     */
    record Changes(int announced, int withdrawn, long purged) {
        static final Changes NONE = new Changes(0, 0, 0);
    }

    /**
     * @param retention how long withdrawn VRPs are kept, zero for ever
     * @param maxWithdrawn number of withdrawn VRPs at which the oldest ones are deleted
     */
    VrpStore(DataSource database, Duration retention, long maxWithdrawn) {
        this.database = database;
        this.retention = retention.isZero() ? null : retention.toString();
        this.maxWithdrawn = maxWithdrawn;
    }

    /** Returns the number of rows; 0 while another store has the lock. */
    long rows() {
        Newest now = newest;
        return now == null ? 0 : now.vrps().size() + now.withdrawn();
    }

    /**
     * Takes the lock, unless this store has it already.
     *
     * @return whether it has the lock now
     */
    boolean takeOver() throws SQLException {
        if (newest != null) {
            return true;
        }
        Connection connection = database.getConnection();
        try {
            if (Sql.bool(connection, TRY_LOCK)) {
                try (var settings = connection.createStatement()) {
                    settings.execute(KEEPALIVE);
                }
                newest = read(connection);
                return true;
            }
            connection.close();
            return false;
        } catch (SQLException | RuntimeException e) {
            end(connection);
            throw e;
        }
    }

    private static Newest read(Connection connection) throws SQLException {
        connection.setAutoCommit(false); // the driver fetches rows in batches only inside a transaction
        List<Vrp> vrps = new ArrayList<>();
        try (var statement = connection.prepareStatement(NEWEST_VRPS)) {
            statement.setFetchSize(ROWS_PER_FETCH);
            try (var row = statement.executeQuery()) {
                while (row.next()) {
                    vrps.add(new Vrp(prefix(row.getBytes(1)), row.getInt(2), (int) row.getLong(3)));
                }
            }
        }
        record Version(Instant usedFrom, boolean empty) {}
        Version version = Sql.first(
                        connection,
                        NEWEST_VERSION,
                        row -> new Version(
                                row.getObject(1, OffsetDateTime.class).toInstant(), row.getInt(2) == 0))
                .orElse(null);
        long withdrawn = Sql.number(connection, WITHDRAWN);
        connection.commit();
        return new Newest(
                connection,
                VrpTable.of(vrps),
                version == null ? null : version.usedFrom(),
                version == null || version.empty(),
                withdrawn);
    }

    /** Reads the binary form of a cidr: address family, prefix length, a flag, length of the address, address. */
    static IpPrefix prefix(byte[] cidr) {
        boolean ipv6 = cidr.length == CIDR_HEADER + 16;
        return ipv6
                ? new IpPrefix(
                        true, BigEndian.i64(cidr, CIDR_HEADER), BigEndian.i64(cidr, CIDR_HEADER + 8), cidr[1] & 0xFF)
                : new IpPrefix(false, 0, BigEndian.u32(cidr, CIDR_HEADER), cidr[1]);
    }

    /**
     * Stores a version, if it differs from the newest one. A version without VRPs withdraws none.
     *
     * @param since when the station began to use it. If the database has a newer version, which another station has
     *     stored, the new one begins now.
     * @throws IllegalStateException if {@link #takeOver} has not returned true since the last failure
     */
    Changes store(VrpTable vrps, Instant since) throws SQLException {
        Newest before = newest;
        if (before == null) {
            throw new IllegalStateException("the store does not have the lock");
        }
        boolean empty = vrps.size() == 0;
        List<Vrp> withdrawn = empty ? List.of() : before.vrps().minus(vrps);
        List<Vrp> announced = empty ? List.of() : vrps.minus(before.vrps());
        if (empty == before.empty() && withdrawn.isEmpty() && announced.isEmpty()) {
            return Changes.NONE;
        }
        Connection connection = before.connection();
        try {
            Instant usedFrom = after(before.usedFrom(), since);
            withdraw(connection, withdrawn, usedFrom);
            announce(connection, announced, usedFrom);
            Sql.update(connection, VERSION, time(usedFrom), vrps.size(), announced.size(), withdrawn.size());
            long ended = before.withdrawn() + withdrawn.size();
            long purged = ended > maxWithdrawn ? Sql.number(connection, PURGE, retention, maxWithdrawn) : 0;
            connection.commit();
            newest = new Newest(connection, empty ? before.vrps() : vrps, usedFrom, empty, ended - purged);
            return new Changes(announced.size(), withdrawn.size(), purged);
        } catch (SQLException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Deletes what is older than the retention, and returns the number of VRPs. */
    long purge() throws SQLException {
        Newest before = newest;
        if (before == null) {
            return 0;
        }
        try {
            long purged = Sql.number(before.connection(), PURGE, retention, maxWithdrawn);
            before.connection().commit();
            newest = new Newest(
                    before.connection(), before.vrps(), before.usedFrom(), before.empty(), before.withdrawn() - purged);
            return purged;
        } catch (SQLException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Returns a time that is after that of the version before. */
    private static Instant after(@Nullable Instant before, Instant since) {
        Instant time = since.truncatedTo(ChronoUnit.MICROS);
        if (before == null || time.isAfter(before)) {
            return time;
        }
        Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);
        return now.isAfter(before) ? now : before.plus(1, ChronoUnit.MICROS);
    }

    private static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    private static void withdraw(Connection connection, List<Vrp> vrps, Instant at) throws SQLException {
        for (int from = 0; from < vrps.size(); from += ROWS_PER_UPDATE) {
            List<Vrp> some = vrps.subList(from, Math.min(vrps.size(), from + ROWS_PER_UPDATE));
            long updated = Sql.update(
                    connection,
                    WITHDRAW,
                    time(at),
                    Sql.array(
                            connection,
                            "text",
                            some.stream().map(vrp -> vrp.prefix().toString()).toList()),
                    Sql.array(
                            connection,
                            "integer",
                            some.stream().map(Vrp::maxLength).toList()),
                    Sql.array(
                            connection,
                            "bigint",
                            some.stream()
                                    .map(vrp -> Integer.toUnsignedLong(vrp.asn()))
                                    .toList()));
            if (updated != some.size()) {
                throw new IllegalStateException("bmp.vrp has other VRPs than those that this station has stored: "
                        + updated + " of " + some.size() + " to withdraw were there");
            }
        }
    }

    private static void announce(Connection connection, List<Vrp> vrps, Instant at) throws SQLException {
        if (vrps.isEmpty()) {
            return;
        }
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, at);
        try (CopyTable rows = CopyTable.into(connection, VRP)) {
            for (Vrp vrp : vrps) {
                IpPrefix prefix = vrp.prefix();
                CopyBinary row = rows.row(5);
                row.cidr(prefix.ipv6(), prefix.high(), prefix.low(), prefix.length());
                row.int2(vrp.maxLength());
                row.unsigned(vrp.asn());
                row.timestamp(micros);
                row.nullField();
            }
            rows.finish();
        }
    }

    /** Gives the lock back. */
    @Override
    public void close() {
        Newest before = newest;
        newest = null;
        if (before != null) {
            end(before.connection());
        }
    }

    /** Returns a connection to its pool without the lock, or closes it for good if that fails. */
    private static void end(Connection connection) {
        try (connection) {
            try {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                    connection.setAutoCommit(true);
                }
                Sql.bool(connection, UNLOCK);
            } catch (SQLException e) {
                connection.abort(Runnable::run);
            }
        } catch (SQLException e) {
            // The connection is closed already, and its lock is free.
        }
    }
}
