package dev.silkroute.postgres.state;

import dev.silkroute.net.Family;
import dev.silkroute.postgres.copy.CopiedRow;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteBatchBuilder;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Reads a span of the history as route batches: the unicast routes as they were at its beginning, and then its events
 * in the order in which they were received. Each batch has events of one session that were received at the same time.
 *
 * <p>The history has no End-of-RIB, and none of the routes that a table
 * dump repeats unchanged. The withdrawals that an End-of-RIB causes are synthetic ones. Peers have the role of their
 * newest Peer Up at all times. Not thread-safe.
 */
public final class PastEvents {
    /** Limits how many events PostgreSQL sorts at once. */
    private static final Duration PART = Duration.ofHours(1);

    private static final int MAX_BATCH_EVENTS = 2_000;
    private static final EventKind[] KINDS = EventKind.values();
    private static final byte[] NONE = {};

    private static final String WORK_MEMORY = "SET LOCAL work_mem = '128MB'";
    /** The epoch of PostgreSQL's timestamps, 2000-01-01, in microseconds since 1970. */
    private static final long EPOCH_MICROS = 946_684_800_000_000L;

    private static final int RECEIVED_AT = 1;
    private static final int SESSION = 2;
    private static final int SEQUENCE = 3;
    private static final int ROUTER = 4;
    private static final int KIND = 5;
    private static final int FLAG = 6;
    private static final int VIEW = 7;
    private static final int PEER = 8;
    private static final int NLRI = 14;
    private static final int ATTRIBUTES = 20;

    /** The columns of a row {@code t} of the type {@code bmp.event}, with {@link EventKind} as a number. */
    private static final String ROUTES = """
        SELECT t.received_at, t.session_id, t.sequence, q.name, t.action::integer, t.synthetic, t.rib_view, %s,
          t.family, coalesce(t.rd, 0), t.path_id, inet_send(t.prefix::inet), NULL::bytea, t.labels, a.raw,
          1 AS turn, t.prefix
        FROM %%s t JOIN bmp.peer p ON p.peer_id = t.peer_id JOIN bmp.router q ON q.router_id = p.router_id
          LEFT JOIN bmp.attribute_set a ON a.attribute_hash = t.attribute_hash
        WHERE t.family IN (%d, %d) AND t.prefix IS NOT NULL\
        """.formatted(PeerColumns.NAMES, Family.IPV4_UNICAST, Family.IPV6_UNICAST);

    /** Routes as in {@code bmp.rib_at}. Those of a session precede those of the next one, which supersedes it. */
    private static final String STATE = ROUTES + """
         AND t.action = 1 AND NOT EXISTS (SELECT FROM bmp.rib_ended d
          WHERE d.peer_id = t.peer_id AND d.rib_view = t.rib_view AND d.received_at <= timestamptz '%s'
            AND (d.session_id, d.sequence) > (t.session_id, t.sequence))
        ORDER BY t.session_id, t.received_at, t.sequence, t.prefix\
        """;

    private static final String SESSION_COLUMNS = """
        SELECT v.received_at, v.session_id, v.sequence, q.name,
          CASE v.event WHEN 'session-up' THEN %d WHEN 'session-down' THEN %d WHEN 'peer-up' THEN %d ELSE %d END,
          (v.detail->>'all_views')::boolean IS NOT FALSE, coalesce(v.rib_view, 0::smallint), %s,
          NULL::integer, NULL::bigint, NULL::bigint, NULL::bytea, NULL::bytea, NULL::integer[], NULL::bytea, 0, NULL::cidr
        FROM %%s v JOIN bmp.router q ON q.router_id = v.router_id
          LEFT JOIN bmp.peer p ON p.router_id = v.router_id AND p.peer_type = v.peer_type
            AND p.distinguisher = v.distinguisher AND p.address = v.address AND p.bgp_id = v.bgp_id\
        """.formatted(
                    EventKind.SESSION_UP.code(),
                    EventKind.SESSION_DOWN.code(),
                    EventKind.PEER_UP.code(),
                    EventKind.PEER_DOWN.code(),
                    PeerColumns.NAMES);

    private static final String SESSIONS = SESSION_COLUMNS.formatted("""
        (SELECT DISTINCT ON (router_id) * FROM bmp.peer_event
          WHERE event IN ('session-up', 'session-down') AND received_at <= timestamptz '%s' AND NOT detail ? 'redecoded'
          ORDER BY router_id, session_id DESC, sequence DESC)""") + " ORDER BY v.session_id";

    /** A Peer Down precedes the withdrawals that it causes, which have its sequence. */
    private static final String EVENTS =
            ROUTES.formatted("bmp.route_event") + """
         AND t.received_at > timestamptz '%1$s' AND t.received_at <= timestamptz '%2$s'
        UNION ALL
        """ + SESSION_COLUMNS.formatted("bmp.peer_event") + """
         WHERE v.received_at > timestamptz '%1$s' AND v.received_at <= timestamptz '%2$s' AND NOT v.detail ? 'redecoded'
          AND (v.event IN ('session-up', 'session-down') OR v.event IN ('peer-up', 'peer-down') AND p.peer_id IS NOT NULL)
        ORDER BY received_at, session_id, sequence, turn, prefix\
        """;

    /** Receives the parts of a span. */
    @FunctionalInterface
    public interface PartListener {
        /**
         * Called in the snapshot of the database, in which it may read.
         *
         * @param from exclusive
         * @param to inclusive
         */
        void begins(Instant from, Instant to) throws SQLException;
    }

    private final PeerColumns peers = new PeerColumns();
    private final NlriColumns nlri = new NlriColumns();
    private final RouteBatchBuilder builder = new RouteBatchBuilder();
    private final Connection connection;
    private final Consumer<RouteBatch> listener;

    private String router = "";
    private long session;
    private long receivedAt;
    private boolean open;
    private long events;

    private PastEvents(Connection connection, Consumer<RouteBatch> listener) {
        this.connection = connection;
        this.listener = listener;
    }

    /**
     * Reads a span, in one snapshot of the database.
     *
     * @param connection in auto-commit mode; left so
     * @param from the time of the state; the events follow it
     * @param to the end of the events, inclusive
     * @param listener receives the batches
     * @param loaded called between the state and the events
     * @param parts called before the events of each part of the span
     * @return the number of routes and events
     * @throws SQLException also if the history begins after {@code from}
     */
    public static long read(
            Connection connection,
            Instant from,
            Instant to,
            Consumer<RouteBatch> listener,
            Runnable loaded,
            PartListener parts)
            throws SQLException {
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        try {
            Sql.update(connection, "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
            Sql.update(connection, WORK_MEMORY);
            PastEvents past = new PastEvents(connection, listener);
            CopiedRow.read(connection, PeerColumns.ROLES, past.peers::readRole);
            past.readAll(STATE.formatted("bmp.last_events(timestamptz '" + from + "', NULL, NULL, NULL)", from));
            past.readAll(SESSIONS.formatted(from));
            loaded.run();
            for (Instant start = from; start.isBefore(to); start = start.plus(PART)) {
                Instant end = start.plus(PART).isBefore(to) ? start.plus(PART) : to;
                parts.begins(start, end);
                past.readAll(EVENTS.formatted(start, end));
            }
            past.builder.release();
            return past.events;
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
            connection.setReadOnly(false);
        }
    }

    private void readAll(String query) throws SQLException {
        CopiedRow.read(connection, query, this::event);
        emit();
    }

    private void event(CopiedRow row) {
        turnTo(row);
        events++;
        EventKind kind = KINDS[row.integer(KIND)];
        long sequence = row.number(SEQUENCE);
        if (!kind.isRoute()) {
            boolean isPeer = kind.hasPeer();
            int peer = isPeer ? peer(row) : -1;
            builder.event(kind, peer, 0, isPeer && row.bool(FLAG), sequence, 0);
            return;
        }
        nlri.read(row, NLRI);
        var group = builder.group(peer(row), nlri.family())
                .pathIds(nlri.hasPathId())
                .synthetic(row.bool(FLAG))
                .at(sequence, 0);
        if (kind == EventKind.ANNOUNCE) {
            byte[] attributes = Objects.requireNonNullElse(row.bytes(ATTRIBUTES), NONE);
            int set = builder.attributeSet(attributes, 0, attributes.length);
            group.announce(set, 1, nlri.array(), 0, nlri.length());
        } else {
            group.withdraw(1, nlri.array(), 0, nlri.length());
        }
    }

    private int peer(CopiedRow row) {
        PeerEntry peer = peers.read(row, PEER, row.integer(VIEW));
        return builder.peer(peer, peers.role(peer));
    }

    private void turnTo(CopiedRow row) {
        long at = row.number(RECEIVED_AT) + EPOCH_MICROS;
        long of = row.number(SESSION);
        String name = row.text(ROUTER);
        if (!open
                || builder.eventCount() >= MAX_BATCH_EVENTS
                || at != receivedAt
                || of != session
                || !name.equals(router)) {
            emit();
            builder.begin("", name, "", of, at);
            open = true;
            receivedAt = at;
            session = of;
            router = name;
        }
    }

    private void emit() {
        if (open) {
            open = false;
            listener.accept(RouteBatch.read(builder.build()));
        }
    }
}
