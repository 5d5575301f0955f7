package dev.silkroute.postgres.withdrawal;

import dev.silkroute.bgp.PeerType;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Hex;
import dev.silkroute.net.RouteDistinguisher;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.route.view.EventPeer;
import dev.silkroute.route.view.EventRoute;
import dev.silkroute.route.view.EventSource;
import dev.silkroute.route.view.RouteEvent;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The station's own withdrawals on their way to a topic, in {@code bmp.withdrawal_outbox}. They are inserted in the
 * transaction that generates them ({@link Withdrawals}, {@code StateMerge}) and deleted after delivery, so each is
 * delivered at least once. Thread-safe, with a connection for each thread.
 */
public final class WithdrawalOutbox {
    /** The advisory lock of those who deliver: "out". */
    private static final int TURN = 0x6F7574;

    /**
     * Only one station delivers at a time: two would deliver the same withdrawals, or overtake each other. The lock
     * ends with the transaction. So that a station that hangs or has disappeared does not keep it, the server ends a
     * transaction that is idle for too long. A station that was only slow has then delivered withdrawals that are
     * delivered again, before any later ones, so the order is kept.
     */
    private static final String TAKE_TURN = "SELECT pg_try_advisory_xact_lock(?, 0)";

    private static final String LIMIT_TURN = "SET LOCAL idle_in_transaction_session_timeout = '150s'";

    /**
     * The oldest withdrawals, with what {@link RouteEvent} needs. The ids of a router ascend in commit order:
     * {@code RouterLocks} excludes merges and withdrawals from each other, and merges follow one another at the offset
     * of their lane. So the withdrawals of a router are read without gaps. Between routers there may be gaps: a
     * later read finds an id that is not visible yet.
     */
    private static final String READ = """
        SELECT o.id, coalesce(l.collector, r.collector) AS collector, r.name AS router, r.address AS router_address,
          o.session_id, o.sequence, o.received_at,
          p.peer_type, p.distinguisher, p.address AS peer_address, p.asn, p.bgp_id, o.rib_view,
          o.family, o.rd, o.prefix, o.nlri, o.path_id
        FROM (SELECT * FROM bmp.withdrawal_outbox ORDER BY id LIMIT ?) o
          JOIN bmp.peer p USING (peer_id) JOIN bmp.router r USING (router_id)
          LEFT JOIN bmp.live_session l USING (router_id)
        ORDER BY o.id\
        """;

    private static final String REMOVE = "DELETE FROM bmp.withdrawal_outbox WHERE id = ANY (?)";

    /**
     * Two lookups in the index instead of a count: numbers of transactions that failed are missing, so it may be
     * some too many.
     */
    private static final String WAITING = "SELECT coalesce(max(id) - min(id) + 1, 0) FROM bmp.withdrawal_outbox";

    private static final String SET_ENABLED =
            "UPDATE bmp.withdrawal_topic SET enabled = ? WHERE enabled IS DISTINCT FROM CAST(? AS boolean)";
    private static final String IS_ENABLED = "SELECT coalesce(bool_or(enabled), false) FROM bmp.withdrawal_topic";

    private final long bound;

    /** @param bound maximum number of pending withdrawals */
    public WithdrawalOutbox(long bound) {
        if (bound < 1) {
            throw new IllegalArgumentException("an outbox for " + bound + " withdrawals");
        }
        this.bound = bound;
    }

    /**
     * One withdrawal.
     *
     * @param router whose it is
     * @param json an object in UTF-8 according to {@code docs/reference/schema/route.schema.json}
     */
    public record Entry(long id, String router, byte[] json) {}

    /**
     * Records in the database whether the station publishes its withdrawals, for {@code Rebuild}, which generates some
     * too.
     */
    public static void setEnabled(Connection connection, boolean enabled) throws SQLException {
        Sql.update(connection, SET_ENABLED, enabled, enabled);
    }

    /** Returns what the station that started last has recorded. */
    public static boolean isEnabled(Connection connection) throws SQLException {
        return Sql.bool(connection, IS_ENABLED);
    }

    /** The number of pending withdrawals. */
    public static long waiting(Connection connection) throws SQLException {
        return Sql.number(connection, WAITING);
    }

    public boolean full(long waiting) {
        return waiting > bound;
    }

    /**
     * Delivers the oldest withdrawals, unless another station is delivering some.
     *
     * @param connection in auto-commit mode
     * @param limit the maximum number
     * @param delivery returns when all of them are delivered, in their order; if it throws, they all stay
     * @return the number of withdrawals delivered
     */
    public static int deliver(Connection connection, int limit, Consumer<List<Entry>> delivery) throws SQLException {
        return LaneTransaction.run(connection, transaction -> {
            if (!takeTurn(connection)) {
                return 0;
            }
            List<Entry> entries = read(connection, limit);
            if (!entries.isEmpty()) {
                delivery.accept(entries);
                remove(connection, entries);
            }
            return entries.size();
        });
    }

    private static boolean takeTurn(Connection connection) throws SQLException {
        boolean taken = Sql.bool(connection, TAKE_TURN, TURN);
        if (taken) {
            Sql.update(connection, LIMIT_TURN);
        }
        return taken;
    }

    private static List<Entry> read(Connection connection, int limit) throws SQLException {
        return Sql.list(
                connection,
                READ,
                row -> {
                    RouteEvent event = event(row);
                    byte[] json = event.json();
                    return new Entry(row.getLong("id"), event.source().router(), json);
                },
                limit);
    }

    private static RouteEvent event(ResultSet row) throws SQLException {
        Instant receivedAt = row.getObject("received_at", OffsetDateTime.class).toInstant();
        EventSource source = new EventSource(
                Objects.requireNonNullElse(row.getString("collector"), ""),
                row.getString("router"),
                Addresses.canonical(Objects.requireNonNullElse(row.getString("router_address"), "")),
                row.getLong("session_id"),
                ChronoUnit.MICROS.between(Instant.EPOCH, receivedAt));
        EventPeer peer = new EventPeer(
                PeerType.text(row.getInt("peer_type")),
                Hex.of(row.getLong("distinguisher")),
                Addresses.canonical(row.getString("peer_address")),
                row.getLong("asn"),
                Addresses.ipv4((int) row.getLong("bgp_id")),
                RibView.of(row.getInt("rib_view")).text());
        return RouteEvent.syntheticWithdrawal(source, row.getLong("sequence"), peer, row.getInt("family"), route(row));
    }

    private static EventRoute route(ResultSet row) throws SQLException {
        Long pathId = row.getObject("path_id", Long.class);
        Long rdNumber = row.getObject("rd", Long.class);
        String rd = rdNumber == null ? null : RouteDistinguisher.text(rdNumber);
        String prefix = row.getString("prefix");
        if (prefix == null) {
            return EventRoute.withdrawn(rd, null, row.getString("nlri"), pathId);
        }
        int slash = prefix.indexOf('/');
        String canonical = Addresses.canonical(prefix.substring(0, slash)) + prefix.substring(slash);
        return EventRoute.withdrawn(rd, canonical, rd == null ? canonical : rd + " " + canonical, pathId);
    }

    /** Exactly those: a smaller number may have come since they were read. */
    private static void remove(Connection connection, List<Entry> entries) throws SQLException {
        List<Long> ids = entries.stream().map(Entry::id).toList();
        Sql.update(connection, REMOVE, Sql.array(connection, "bigint", ids));
    }
}
