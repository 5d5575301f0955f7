package dev.silkroute.postgres.state;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.nlri.NlriKey;
import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.digest.DigestKey;
import dev.silkroute.digest.Position;
import dev.silkroute.digest.RouteHasher;
import dev.silkroute.digest.RouteState;
import dev.silkroute.digest.Sketch;
import dev.silkroute.digest.TableDigest;
import dev.silkroute.digest.TableName;
import dev.silkroute.digest.TableSelection;
import dev.silkroute.digest.TableSource;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.RouteDistinguisher;
import dev.silkroute.postgres.copy.CopiedRow;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.history.Markings;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads the current state for comparisons: the rows of the selected tables with their attribute sets, by COPY, each
 * time in one snapshot of the database. The station computes the hashes, because PostgreSQL has no keyed hash function.
 * Rows of ended generations are left out, as in {@code v_rib}. Thread-safe.
 */
public final class StateDigests implements TableSource {
    private static final String OFFSETS =
            "SELECT topic_id::text, kafka_partition, next_offset, max_timestamp_ms FROM bmp.lane_offset WHERE lane = ?";

    private static final String PEERS = """
        SELECT r.name, p.peer_id, p.peer_type, p.distinguisher, host(p.address), p.bgp_id, p.asn
        FROM bmp.peer p JOIN bmp.router r USING (router_id)
        WHERE (?::text IS NULL OR r.name = ?) AND (?::inet IS NULL OR p.address = ?::inet)\
        """;

    /** The condition on peers follows; the function of peer and view is that of an index. */
    private static final String ROUTES = """
        SELECT r.peer_id, r.rib_view, %s, r.path_status, r.path_reason, a.raw
        FROM bmp.rib_route r JOIN bmp.attribute_set a ON a.attribute_hash = r.attribute_hash
        WHERE NOT EXISTS (SELECT FROM bmp.rib_ended e
            WHERE e.peer_id = r.peer_id AND e.rib_view = r.rib_view AND e.generation = r.generation)
          AND (r.peer_id::bigint << 3 | r.rib_view) = ANY ('{%%s}'::bigint[])\
        """.formatted(NlriColumns.NAMES);

    // The columns of ROUTES: six of an NLRI, two of a marking.
    private static final int PEER = 1;
    private static final int VIEW = 2;
    private static final int FAMILY = 3;
    private static final int RD = 4;
    private static final int PATH_ID = 5;
    private static final int PREFIX = 6;
    private static final int NLRI = 7;
    private static final int LABELS = 8;
    private static final int MARKING = 9;
    private static final int ATTRIBUTES = 11;

    private static final int VIEW_BITS = 3;
    private static final int FAMILY_BITS = 24;

    // Offsets in the result of inet_send
    private static final int PREFIX_LENGTH = 1;
    private static final int ADDRESS = 4;

    private final DataSource database;
    private final String lane;
    private final Duration timeout;

    /**
     * @param lane the lane that writes the current state
     * @param timeout how long a statement may take
     */
    public StateDigests(DataSource database, String lane, Duration timeout) {
        this.database = database;
        this.lane = lane;
        this.timeout = timeout;
    }

    @Override
    public Digests digests(TableSelection selection, DigestKey key, int cells) throws IOException {
        RouteHasher hasher = new RouteHasher(key);
        List<TableDigest> digests = new ArrayList<>();
        Position position = read(selection, hasher, table -> {
            TableDigest digest = new TableDigest(table.name, table.peerAsn, cells == 0 ? null : new Sketch(cells));
            digests.add(digest);
            return (row, routeKey) -> digest.add(routeKey, row.digest(routeKey));
        });
        return new Digests(position, digests);
    }

    @Override
    public Routes routes(TableName table, DigestKey key, Set<Long> keys) throws IOException {
        RouteHasher hasher = new RouteHasher(key);
        List<RouteState> found = new ArrayList<>();
        Position position = read(TableSelection.of(table, hasher), hasher, _ -> (row, routeKey) -> {
            if (keys.contains(routeKey)) {
                found.add(row.state(routeKey));
            }
        });
        return new Routes(position, found);
    }

    /** A peer of the database. */
    private record Peer(int id, String router, int type, long distinguisher, String address, int bgpId, long asn) {
        TableName table(RibView view, int family) {
            return new TableName(router, type, distinguisher, address, bgpId, view, family);
        }
    }

    /** A table of the database. */
    private record SelectedTable(TableName name, long peerAsn) {}

    /** Receives the rows of one table. */
    @FunctionalInterface
    private interface RowReader {
        /** @param key the hash of the route's key */
        void read(Row row, long key);
    }

    /**
     * Reads the rows of the selected tables.
     *
     * @param readers creates the reader of a table, at its first row
     */
    private Position read(TableSelection selection, RouteHasher hasher, Function<SelectedTable, RowReader> readers)
            throws IOException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (Statement settings = connection.createStatement()) {
                settings.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off;"
                        + " SET LOCAL work_mem = '64MB'; SET LOCAL statement_timeout = " + timeout.toMillis());
                return read(connection, selection, hasher, readers);
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw new IOException("PostgreSQL failed: " + e.getMessage(), e);
        }
    }

    private Position read(
            Connection connection,
            TableSelection selection,
            RouteHasher hasher,
            Function<SelectedTable, RowReader> readers)
            throws SQLException {
        Position position = position(connection);
        Map<Integer, Peer> peers = peers(connection, selection);
        if (peers.isEmpty()) {
            return position;
        }
        Map<Long, RowReader> byTable = new HashMap<>();
        Row current = new Row(hasher);
        CopiedRow.read(connection, routes(peers.keySet(), selection), row -> {
            long table = (row.number(PEER) << VIEW_BITS | row.number(VIEW)) << FAMILY_BITS | row.integer(FAMILY);
            RowReader reader = byTable.get(table);
            if (reader == null) {
                Peer peer = Objects.requireNonNull(peers.get(row.integer(PEER)));
                TableName name = peer.table(RibView.of(row.integer(VIEW)), row.integer(FAMILY));
                reader = selection.selects(name, hasher)
                        ? readers.apply(new SelectedTable(name, peer.asn))
                        : (_, _) -> {};
                byTable.put(table, reader);
            }
            current.moveTo(row);
            reader.read(current, current.key());
        });
        return position;
    }

    private Position position(Connection connection) throws SQLException {
        Map<Integer, Long> offsets = new HashMap<>();
        String[] topic = new String[1];
        long[] newest = {-1};
        Sql.query(
                connection,
                OFFSETS,
                row -> {
                    topic[0] = row.getString(1);
                    offsets.put(row.getInt(2), row.getLong(3));
                    newest[0] = Math.max(newest[0], row.getLong(4));
                },
                lane);
        return new Position(topic[0], offsets, newest[0] < 0 ? OptionalLong.empty() : OptionalLong.of(newest[0]));
    }

    private static Map<Integer, Peer> peers(Connection connection, TableSelection selection) throws SQLException {
        Map<Integer, Peer> peers = new HashMap<>();
        Sql.query(
                connection,
                PEERS,
                row -> peers.put(
                        row.getInt(2),
                        new Peer(
                                row.getInt(2),
                                row.getString(1),
                                row.getInt(3),
                                row.getLong(4),
                                Addresses.canonical(row.getString(5)),
                                (int) row.getLong(6),
                                row.getLong(7))),
                selection.router(),
                selection.router(),
                selection.peer(),
                selection.peer());
        return peers;
    }

    /** COPY takes no parameters, so the query contains the numbers of peers, views and families. */
    private static String routes(Collection<Integer> peers, TableSelection selection) {
        RibView view = selection.view();
        Integer family = selection.family();
        String tables = peers.stream()
                .flatMap(peer -> Arrays.stream(RibView.values())
                        .filter(each -> view == null || view == each)
                        .map(each -> Long.toString(peer.longValue() << VIEW_BITS | each.code())))
                .collect(Collectors.joining(","));
        return ROUTES.formatted(tables) + (family == null ? "" : " AND r.family = " + family.intValue());
    }

    /** A row of {@link #ROUTES}. One object serves all rows, one after the other. */
    private static final class Row {
        private final RouteHasher hasher;
        private final ByteSink keyBytes = new ByteSink();

        @SuppressWarnings("NullAway.Init") // not at a row yet
        private CopiedRow row;

        private byte @Nullable [] nlri;
        private byte[] attributes = {};

        @SuppressWarnings("NullAway.Init")
        Row(RouteHasher hasher) {
            this.hasher = hasher;
        }

        void moveTo(CopiedRow to) {
            row = to;
            nlri = to.bytes(NLRI);
            attributes = Objects.requireNonNull(to.bytes(ATTRIBUTES));
        }

        private int family() {
            return row.integer(FAMILY);
        }

        private int pathId() {
            return row.isNull(PATH_ID) ? 0 : (int) row.number(PATH_ID);
        }

        private IpPrefix prefix() {
            byte[] inet = Objects.requireNonNull(row.bytes(PREFIX));
            boolean ipv6 = inet.length > ADDRESS + Integer.BYTES;
            return new IpPrefix(
                    ipv6,
                    ipv6 ? BigEndian.i64(inet, ADDRESS) : 0,
                    ipv6 ? BigEndian.i64(inet, ADDRESS + Long.BYTES) : BigEndian.u32(inet, ADDRESS),
                    inet[PREFIX_LENGTH] & 0xFF);
        }

        long key() {
            boolean hasPathId = !row.isNull(PATH_ID);
            if (nlri != null) {
                keyBytes.reset();
                NlriKey.write(family(), nlri, 0, nlri.length, keyBytes);
                return hasher.other(keyBytes.array(), 0, keyBytes.position(), hasPathId, pathId());
            }
            IpPrefix prefix = prefix();
            return hasher.prefix(row.number(RD), prefix.high(), prefix.low(), prefix.length(), hasPathId, pathId());
        }

        long digest(long key) {
            hasher.begin(key, Markings.read(row, MARKING));
            for (int label : row.integers(LABELS)) {
                hasher.label(label);
            }
            if (nlri != null) {
                hasher.nlri(nlri, 0, nlri.length);
            }
            return hasher.attributes(attributes, 0, attributes.length);
        }

        RouteState state(long key) {
            return new RouteState(
                    key,
                    digest(key),
                    text(),
                    row.isNull(PATH_ID) ? OptionalLong.empty() : OptionalLong.of(row.number(PATH_ID)),
                    row.integers(LABELS),
                    Markings.read(row, MARKING),
                    attributes);
        }

        private String text() {
            if (nlri != null) {
                return NlriText.of(family(), nlri, 0, nlri.length);
            }
            String prefix = prefix().toString();
            return Family.safi(family()) >= 128 ? RouteDistinguisher.text(row.number(RD)) + " " + prefix : prefix;
        }
    }
}
