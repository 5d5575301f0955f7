package dev.silkroute.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.net.Family;
import dev.silkroute.net.RouteDistinguisher;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The names and texts that users rely on. */
class SchemaIT {
    private static final DataSource DATABASE = TestPostgres.database();

    private static final String PEER =
            "router, peer_address, peer_asn, peer_bgp_id, peer_type, peer_distinguisher, table_name, rib_view, ";
    private static final String ROUTE = PEER
            + "afi, safi, family, rd, prefix, nlri, path_id, next_hop, origin, as_path, origin_asn, med, local_pref, "
            + "communities, large_communities, ext_communities, labels, attributes, ";

    private static void beginsWith(String view, String columns) throws SQLException {
        List<String> expected = Arrays.asList(columns.split(", "));
        assertThat(TestPostgres.query(
                                DATABASE,
                                "SELECT column_name FROM information_schema.columns WHERE table_schema = 'bmp'"
                                        + " AND table_name = '" + view + "' ORDER BY ordinal_position")
                        .subList(0, expected.size()))
                .isEqualTo(expected);
    }

    @Test
    void viewsBeginWithTheColumnsPromised() throws SQLException {
        beginsWith("v_routers", "router, address, sys_name, sys_descr, state, connected_at, disconnected_at");
        beginsWith("v_peers", PEER + "state, up_at, down_at, down_reason, capabilities");
        beginsWith("v_rib", ROUTE + "first_seen, last_changed, stale");
        beginsWith("v_route_history", ROUTE + "event, synthetic, received_at, router_time, session_id, sequence");
        beginsWith("v_peer_events", PEER + "event, reason_code, reason, received_at, router_time");
        beginsWith(
                "v_stats", PEER.replace("table_name, ", "") + "type, name, afi, safi, value, received_at, router_time");
        beginsWith("v_quarantine", PEER.replace("table_name, ", "") + "message_type, reason, rfc_section, byte_offset");
    }

    @Test
    void addressesAreInetPrefixesCidrAndUnsignedValuesBigint() throws SQLException {
        assertThat(TestPostgres.query(
                        DATABASE,
                        "SELECT column_name, udt_name FROM information_schema.columns WHERE table_schema = 'bmp'"
                                + " AND table_name = 'v_rib' AND column_name IN ('peer_address', 'peer_asn', 'prefix',"
                                + " 'path_id', 'next_hop', 'origin_asn', 'med', 'local_pref', 'communities',"
                                + " 'labels', 'attributes', 'stale') ORDER BY ordinal_position"))
                .containsExactly(
                        "peer_address|inet",
                        "peer_asn|int8",
                        "prefix|cidr",
                        "path_id|int8",
                        "next_hop|inet",
                        "origin_asn|int8",
                        "med|int8",
                        "local_pref|int8",
                        "communities|_text",
                        "labels|_int4",
                        "attributes|jsonb",
                        "stale|bool");
    }

    @Test
    void familiesAreCalledAsTheyAreElsewhere() throws SQLException {
        List<String> names = new ArrayList<>();
        for (int afi : new int[] {1, 2, 7, 25, 16388}) {
            for (int safi = 0; safi < 256; safi++) {
                names.add(Family.text(Family.of(afi, safi)));
            }
        }
        assertThat(TestPostgres.query(
                        DATABASE,
                        "SELECT bmp.family_text(afi << 8 | safi) FROM unnest('{1,2,7,25,16388}'::int[]) WITH ORDINALITY"
                                + " a(afi, n), generate_series(0, 255) safi ORDER BY n, safi"))
                .isEqualTo(names);
        assertThat(TestPostgres.query(
                        DATABASE, "SELECT f FROM generate_series(0, 700) f WHERE bmp.has_rd(f) ORDER BY 1"))
                .containsExactly(
                        text(Family.VPNV4),
                        text(Family.VPNV4_MULTICAST),
                        text(Family.VPNV6),
                        text(Family.VPNV6_MULTICAST));
    }

    private static String text(int number) {
        return Integer.toString(number);
    }

    @Test
    void routeDistinguishersReadAsTheyDoElsewhere() throws SQLException {
        long[] samples = {
            0x0000fbf400000001L,
            0x0001c00002010001L,
            0x0001ffffffffffffL,
            0x0002fa56ea0b0007L,
            0x0000fffffffffffeL,
            0x8003000000000001L,
            0L,
            -1L
        };
        for (long rd : samples) {
            assertThat(TestPostgres.query(DATABASE, "SELECT bmp.rd_text(" + rd + ")"))
                    .containsExactly(RouteDistinguisher.text(rd));
        }
    }

    @Test
    void codesAndTextsGoBothWays() throws SQLException {
        assertThat(TestPostgres.query(
                        DATABASE,
                        "SELECT bmp.rib_view_text(c::smallint), bmp.rib_view_code(bmp.rib_view_text(c::smallint)),"
                                + " bmp.peer_type_text(c::smallint), bmp.peer_type_code(bmp.peer_type_text(c::smallint))"
                                + " FROM generate_series(0, 4) c"))
                .containsExactly(
                        "adj-rib-in-pre|0|global|0",
                        "adj-rib-in-post|1|rd|1",
                        "adj-rib-out-pre|2|local|2",
                        "adj-rib-out-post|3|loc-rib|3",
                        "loc-rib|4|type-4|4");
        assertThat(TestPostgres.query(DATABASE, "SELECT bmp.bgp_id_text(4294967295), bmp.bgp_id_number('10.0.0.1')"))
                .containsExactly("255.255.255.255|167772161");
    }

    @Test
    void partitionsAreMadeOncePerDay() throws SQLException {
        String make = "SELECT bmp.ensure_partitions('2031-03-01 23:59:59.999999+00', '2031-03-03 00:00+00')";
        assertThat(TestPostgres.query(DATABASE, make)).containsExactly("3");
        assertThat(TestPostgres.query(DATABASE, make)).containsExactly("0");
        assertThat(TestPostgres.query(
                        DATABASE,
                        "SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE relname = 'route_event_20310302'"))
                .singleElement()
                .asString()
                .contains("FROM ('2031-03-0");
    }

    @Test
    void aClockGoneWildMakesNoPartitions() {
        assertThatThrownBy(
                        () -> TestPostgres.query(DATABASE, "SELECT bmp.ensure_partitions('1970-01-01', '1970-01-01')"))
                .hasMessageContaining("cannot create partitions");
    }

    @Test
    void aPrefixConditionReachesThePrimaryKey() throws SQLException {
        for (String query : List.of(
                "SELECT nlri FROM bmp.v_rib WHERE prefix = '10.0.0.0/8'", "SELECT nlri FROM bmp.lookup('10.1.2.3')")) {
            assertThat(String.join("\n", TestPostgres.query(DATABASE, "EXPLAIN " + query)))
                    .contains("_pkey on rib_route_")
                    .doesNotContain("Seq Scan on rib_route");
        }
    }
}
