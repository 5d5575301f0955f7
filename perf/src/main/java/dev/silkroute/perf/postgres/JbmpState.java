package dev.silkroute.perf.postgres;

import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.Addresses;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The current state of jBMP (lorenzopompili/jbmp at a3d4720, migration V5): 32 hash partitions by peer, every attribute
 * in the row, three indexes beside the primary key; of each poll the last event of a route, upserts as one batch that
 * pgjdbc joins, withdrawals as a batch of DELETEs. Reimplemented from its description, see {@link JbmpHistory}.
 */
public final class JbmpState {
    private static final int PARTITIONS = 32;

    /** Name and type, the key first. */
    private static final Map<String, String> COLUMNS = columns();

    private static final String TABLE = "create table rib_state ("
            + COLUMNS.entrySet().stream()
                    .map(column -> column.getKey() + " " + column.getValue())
                    .collect(Collectors.joining(", "))
            + ", updated_at timestamptz not null default now(), primary key (peer_id, prefix)) partition by hash (peer_id)";

    private static final String PARTITION = "create table rib_state_%d partition of rib_state"
            + " for values with (modulus 32, remainder %d) with (fillfactor = 80)";

    private static final String UPSERT = "insert into rib_state (" + String.join(", ", COLUMNS.keySet()) + ") values ("
            + Stream.generate(() -> "?").limit(COLUMNS.size()).collect(Collectors.joining(", "))
            + ") on conflict (peer_id, prefix) do update set "
            + COLUMNS.keySet().stream()
                    .skip(2)
                    .map(column -> column + " = excluded." + column)
                    .collect(Collectors.joining(", "))
            + ", updated_at = now()";

    private static final String DELETE = "delete from rib_state where peer_id = ? and prefix = ?";

    private final Identity identity = new Identity();
    private final Map<PathAttributes, JbmpRoute> routes = new IdentityHashMap<>();

    private record Key(UUID peer, String prefix) {}

    private record Row(Key key, UUID router, @Nullable JbmpRoute route, boolean ipv4, long routerTime) {}

    private static Map<String, String> columns() {
        Map<String, String> columns = new LinkedHashMap<>();
        columns.put("peer_id", "uuid not null");
        columns.put("prefix", "cidr not null");
        columns.put("router_id", "uuid not null");
        columns.put("origin_as", "integer");
        columns.put("as_path", "integer[]");
        columns.put("next_hop", "inet");
        columns.put("med", "integer");
        columns.put("local_pref", "integer");
        columns.put("origin", "smallint");
        columns.put("communities", "integer[]");
        columns.put("large_communities", "text[]");
        columns.put("ext_communities", "text[]");
        columns.put("vprn_id", "integer");
        columns.put("route_target", "text[]");
        columns.put("is_ipv4", "boolean not null");
        columns.put("is_prepolicy", "boolean not null");
        columns.put("peer_rd", "text");
        columns.put("path_id", "integer");
        columns.put("timestamp", "timestamptz not null");
        return columns;
    }

    public static void create(Database database) throws SQLException {
        for (String statement : schema()) {
            database.execute(statement);
        }
    }

    /** The statements that create the table, its partitions and its indexes. */
    public static List<String> schema() {
        List<String> statements = new ArrayList<>(List.of(TABLE));
        for (int i = 0; i < PARTITIONS; i++) {
            statements.add(PARTITION.formatted(i, i));
        }
        for (String column : List.of("prefix", "origin_as", "router_id")) {
            statements.add("create index on rib_state (" + column + ")");
        }
        return statements;
    }

    /** One poll, in a transaction. */
    public void write(Connection connection, List<byte[]> records) throws SQLException {
        Map<Key, Row> last = new LinkedHashMap<>();
        routes.clear();
        Events.forEach(records, (batch, event, attributes) -> {
            Row row = row(batch, event, attributes);
            last.put(row.key, row);
        });
        connection.setAutoCommit(false);
        try (PreparedStatement upsert = connection.prepareStatement(UPSERT);
                PreparedStatement delete = connection.prepareStatement(DELETE)) {
            for (Row row : last.values()) {
                if (row.route == null) {
                    delete.setObject(1, row.key.peer);
                    delete.setObject(2, row.key.prefix, Types.OTHER);
                    delete.addBatch();
                } else {
                    bind(connection, upsert, row, row.route);
                    upsert.addBatch();
                }
            }
            upsert.executeBatch();
            delete.executeBatch();
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private Row row(RouteBatch batch, RouteCursor event, @Nullable PathAttributes attributes) {
        NlriReader nlri = event.nlri();
        String prefix = Addresses.prefix(nlri.ipv6(), nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength());
        return new Row(
                new Key(identity.peer(batch.router(), batch.peer(event.peerIndex())), prefix),
                identity.router(batch.router()),
                attributes == null ? null : routes.computeIfAbsent(attributes, JbmpRoute::new),
                !nlri.ipv6(),
                event.routerTimeMicros());
    }

    private static void bind(Connection connection, PreparedStatement upsert, Row row, JbmpRoute route)
            throws SQLException {
        upsert.setObject(1, row.key.peer);
        upsert.setObject(2, row.key.prefix, Types.OTHER);
        upsert.setObject(3, row.router);
        upsert.setObject(4, route.originAs, Types.INTEGER);
        upsert.setObject(5, route.asPath);
        upsert.setObject(6, route.nextHopText(), Types.OTHER);
        upsert.setObject(7, route.med, Types.INTEGER);
        upsert.setObject(8, route.localPref, Types.INTEGER);
        upsert.setShort(9, (short) route.origin);
        if (route.communities == null) {
            upsert.setNull(10, Types.ARRAY);
        } else {
            upsert.setObject(10, route.communities);
        }
        texts(connection, upsert, 11, route.largeCommunities);
        texts(connection, upsert, 12, route.extendedCommunities);
        upsert.setNull(13, Types.INTEGER);
        upsert.setNull(14, Types.ARRAY);
        upsert.setBoolean(15, row.ipv4);
        upsert.setBoolean(16, true);
        upsert.setNull(17, Types.VARCHAR);
        upsert.setNull(18, Types.INTEGER);
        upsert.setObject(19, time(row.routerTime));
    }

    private static void texts(Connection connection, PreparedStatement upsert, int at, List<String> values)
            throws SQLException {
        if (values.isEmpty()) {
            upsert.setNull(at, Types.ARRAY);
        } else {
            upsert.setArray(at, connection.createArrayOf("text", values.toArray()));
        }
    }

    private static OffsetDateTime time(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }
}
