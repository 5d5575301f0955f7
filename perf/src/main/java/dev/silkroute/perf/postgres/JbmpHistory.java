package dev.silkroute.perf.postgres;

import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.postgres.copy.CopyBinary;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The history of jBMP (lorenzopompili/jbmp at a3d4720, migration V4) on plain PostgreSQL: one table of 39 columns that
 * has every attribute in every row, five indexes, and rows by binary COPY. Reimplemented from its description: columns,
 * types, and what is indexed are its own; text and encoder are ours.
 */
public final class JbmpHistory {
    /** Name and type in the table's order, which decides the padding between them. */
    private static final String[] COLUMNS = {
        "received_at timestamptz not null",
        "timestamp timestamptz not null",
        "collector_id smallint not null",
        "router_id uuid not null",
        "peer_id uuid not null",
        "action smallint not null",
        "is_end_of_rib boolean not null",
        "prefix cidr not null",
        "is_ipv4 boolean not null",
        "origin_as integer",
        "as_path integer[]",
        "as_path_len smallint",
        "next_hop inet",
        "med integer",
        "local_pref integer",
        "origin smallint",
        "atomic_agg boolean",
        "aggregator_as integer",
        "aggregator_ip inet",
        "communities integer[]",
        "large_communities text[]",
        "ext_communities text[]",
        "vprn_id integer",
        "route_target text[]",
        "peer_rd text",
        "ls_attrs jsonb",
        "is_prepolicy boolean not null",
        "is_locrib boolean not null",
        "kafka_partition smallint",
        "kafka_offset bigint",
        "path_id integer",
        "mpls_labels integer[]",
        "originator_id uuid",
        "cluster_list uuid[]",
        "as_path_segments jsonb",
        "evpn_data jsonb",
        "flowspec_data jsonb",
        "sr_policy_data jsonb",
        "raw_nlri jsonb"
    };

    private static final List<String> INDEXES = List.of(
            "create index on route_monitor (peer_id, received_at desc)",
            "create index on route_monitor (prefix)",
            "create index on route_monitor (origin_as, received_at desc) where origin_as is not null",
            "create index on route_monitor (vprn_id, received_at desc) where vprn_id is not null",
            "create index on route_monitor (kafka_partition, kafka_offset)");

    public static final String COPY = "COPY route_monitor FROM STDIN (FORMAT binary)";

    private static final int ROW_BYTES = 400;
    private static final int UUID_OID = 2950;

    private final Identity identity = new Identity();
    private final Map<PathAttributes, JbmpRoute> routes = new IdentityHashMap<>();

    public static void create(Database database) throws SQLException {
        for (String statement : schema()) {
            database.execute(statement);
        }
    }

    /** The statements that create the table and its indexes. */
    public static List<String> schema() {
        List<String> statements = new ArrayList<>(INDEXES);
        statements.addFirst("create table route_monitor (" + String.join(", ", COLUMNS) + ")");
        return statements;
    }

    /** Rows of one transaction, ready to be sent. */
    public byte[] encode(List<byte[]> records) throws SQLException {
        CopyBinary rows = new CopyBinary(records.size() * ROW_BYTES);
        rows.header();
        routes.clear();
        Events.forEach(records, (batch, event, attributes) -> row(rows, batch, event, attributes));
        rows.trailer();
        return Arrays.copyOf(rows.array(), rows.length());
    }

    private void row(CopyBinary row, RouteBatch batch, RouteCursor event, @Nullable PathAttributes attributes) {
        NlriReader nlri = event.nlri();
        UUID router = identity.router(batch.router());
        UUID peer = identity.peer(batch.router(), batch.peer(event.peerIndex()));
        row.row(COLUMNS.length);
        row.timestamp(batch.receivedAtMicros());
        row.timestamp(event.routerTimeMicros());
        row.int2(0);
        row.uuid(router.getMostSignificantBits(), router.getLeastSignificantBits());
        row.uuid(peer.getMostSignificantBits(), peer.getLeastSignificantBits());
        row.int2(attributes == null ? 1 : 0);
        row.bool(false);
        row.cidr(nlri.ipv6(), nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength());
        row.bool(!nlri.ipv6());
        if (attributes == null) {
            nulls(row, 17);
        } else {
            attributes(row, routes.computeIfAbsent(attributes, JbmpRoute::new));
        }
        row.bool(true);
        row.bool(false);
        row.int2((int) batch.sessionId());
        row.int8(event.sequence() >> 16);
        nulls(row, 2);
        if (attributes == null) {
            nulls(row, 3);
        } else {
            reflection(row, routes.computeIfAbsent(attributes, JbmpRoute::new));
            row.jsonb(routes.computeIfAbsent(attributes, JbmpRoute::new).segments);
        }
        nulls(row, 4);
    }

    /** From {@code origin_as} to {@code ls_attrs}. */
    private static void attributes(CopyBinary row, JbmpRoute route) {
        number(row, route.originAs);
        row.int4Array(route.asPath);
        row.int2(route.asPath.length);
        if (route.nextHop == null || !route.nextHop.isAddress()) {
            row.nullField();
        } else {
            row.inet(route.nextHop.ipv6(), route.nextHop.high(), route.nextHop.low());
        }
        number(row, route.med);
        number(row, route.localPref);
        row.int2(route.origin);
        row.bool(route.atomicAggregate);
        if (route.aggregator == null) {
            nulls(row, 2);
        } else {
            row.int4(route.aggregator.i32(0));
            row.inet(false, 0, route.aggregator.i32(Integer.BYTES));
        }
        if (route.communities == null) {
            row.nullField();
        } else {
            row.int4Array(route.communities);
        }
        texts(row, route.largeCommunities);
        texts(row, route.extendedCommunities);
        nulls(row, 4);
    }

    /** {@code originator_id} and {@code cluster_list}: identifiers of 32 bits as uuid. */
    private static void reflection(CopyBinary row, JbmpRoute route) {
        if (route.originatorId == null) {
            row.nullField();
        } else {
            row.uuid(0, route.originatorId.i32(0));
        }
        if (route.clusterList == null) {
            row.nullField();
        } else {
            List<Integer> clusters = new ArrayList<>();
            for (int at = 0; at < route.clusterList.length(); at += Integer.BYTES) {
                clusters.add(route.clusterList.i32(at));
            }
            row.array(UUID_OID, clusters, (element, value) -> element.uuid(0, (Integer) value));
        }
    }

    private static void number(CopyBinary row, @Nullable Integer value) {
        if (value == null) {
            row.nullField();
        } else {
            row.int4(value);
        }
    }

    private static void texts(CopyBinary row, List<String> values) {
        if (values.isEmpty()) {
            row.nullField();
        } else {
            row.textArray(values);
        }
    }

    private static void nulls(CopyBinary row, int count) {
        for (int i = 0; i < count; i++) {
            row.nullField();
        }
    }
}
