package dev.silkroute.endtoend.shared;

import static dev.silkroute.fixture.TestMessages.attribute;
import static dev.silkroute.fixture.TestMessages.bgp;
import static dev.silkroute.fixture.TestMessages.bmp;
import static dev.silkroute.fixture.TestMessages.hex;
import static dev.silkroute.fixture.TestMessages.initiation;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.local;
import static dev.silkroute.fixture.TestMessages.peerHeader;
import static dev.silkroute.fixture.TestMessages.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.fixture.SharedStation;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import dev.silkroute.net.ByteSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests that unsigned values of 32 and 64 bits beyond the signed range are positive in every view, topic and response.
 */
class UnsignedValuesIT {
    private static final String ROUTER = "unsigned";
    private static final String OWN = " WHERE router = '" + ROUTER + "'";
    private static final int ASN = 0xFFFF_FFFE;
    private static final int BGP_ID = 0xFFFF_FFFD;

    private static final byte[] HEADER = peerHeader(0, 0, "203.0.113.2", ASN, BGP_ID, 1_700_000_000);

    /** IPv4 unicast with path identifiers, VPNv4, EVPN; four-octet AS numbers. */
    private static final byte[] OPEN =
            open("4104fffffffe" + "010400010001" + "010400010080" + "010400190046" + "450400010103");

    private static final byte[] ATTRIBUTES = join(
            attribute(0x40, 1, hex("00")),
            attribute(0x40, 2, hex("0202fffffffe80000000" + "0102fffffffd80000001")),
            attribute(0x80, 4, hex("ffffffff")),
            attribute(0x40, 5, hex("fffffffe")),
            attribute(0xC0, 7, hex("ffffffffcb007101")),
            attribute(0xC0, 8, hex("fff0fff1" + "80008000")),
            attribute(0x80, 9, hex("fffffffc")),
            attribute(0x80, 10, hex("fffffffb80000000")),
            attribute(0xC0, 16, hex("0202ffffffffffff" + "0002ffff80000000")),
            attribute(0x80, 26, hex("01000bffffffffffffffff")),
            attribute(0xC0, 32, hex("fffffffffffffffe80000000")));

    private static final String ATTRIBUTES_SEEN = "4294967294 2147483648 {4294967293,2147483649}|4294967295|4294967294"
            + "|{65520:65521,32768:32768}|{4294967295:4294967294:2147483648}|{rt:4294967295:65535,rt:65535:2147483648}"
            + "|4294967295|203.0.113.1|255.255.255.252|[\"255.255.255.251\", \"128.0.0.0\"]|18446744073709551615";

    private static final String ATTRIBUTE_COLUMNS =
            "as_path, med, local_pref, communities, large_communities, ext_communities,"
                    + " attributes->'aggregator'->>'asn', attributes->'aggregator'->>'address',"
                    + " attributes->>'originator_id', attributes->'cluster_list', attributes->'aigp'->0->>'metric'";

    private static StationProcess station;
    private static TestRouter router;

    @BeforeAll
    static void send() throws Exception {
        station = SharedStation.get();
        router = TestRouter.connect(station.bmpPort());
        router.send(join(
                initiation(ROUTER),
                bmp(3, HEADER, local(), OPEN, OPEN),
                unicast("ffffffff", "80000000", "7fffffff"),
                withdrawal("7fffffff"),
                // Route distinguishers of type 2, AS number first, and 0, AS number of two octets; the largest label
                reach("0001800c0000000000000000cb00710100" + "70fffff10002ffffffffffffcb0071"),
                reach("0001800c0000000000000000cb00710100" + "70fffff10000ffff80000000cb0072"),
                // A MAC address without an IP address: RD of type 1, Ethernet tag, label
                reach("00194604cb00710100" + "0221" + "0001fffffffeffff" + "00".repeat(10) + "ffffffff"
                        + "30020000000001" + "00" + "fffff1"),
                bmp(1, HEADER, hex("00000002" + "00000004ffffffff" + "00070008ffffffffffffffff"))));
        await().untilAsserted(() ->
                assertThat(station.sql("SELECT count(*) FROM bmp.v_rib" + OWN)).containsExactly("5"));
    }

    @AfterAll
    static void disconnect() throws Exception {
        router.close();
    }

    private static byte[] open(String capabilitiesHex) {
        byte[] capabilities = hex(capabilitiesHex);
        ByteSink body = new ByteSink();
        body.u8(4).u16(23_456).u16(180).u32(BGP_ID).u8(capabilities.length + 2);
        body.u8(2).u8(capabilities.length).bytes(capabilities, 0, capabilities.length);
        return bgp(1, body.toByteArray());
    }

    /** 198.51.100.0/24 with several paths. */
    private static byte[] unicast(String... pathIds) {
        byte[] nextHop = attribute(0x40, 3, hex("cb007101"));
        return bmp(0, HEADER, update(new byte[0], join(ATTRIBUTES, nextHop), nlri(pathIds)));
    }

    private static byte[] withdrawal(String pathId) {
        return bmp(0, HEADER, update(nlri(pathId), new byte[0], new byte[0]));
    }

    private static byte[] nlri(String... pathIds) {
        return join(List.of(pathIds).stream()
                .map(pathId -> hex(pathId + "18c63364"))
                .toArray(byte[][]::new));
    }

    private static byte[] reach(String mpReach) {
        return bmp(0, HEADER, update(new byte[0], join(attribute(0x80, 14, hex(mpReach)), ATTRIBUTES), new byte[0]));
    }

    @Test
    void peers() {
        assertThat(station.sql("SELECT peer_asn, peer_bgp_id, capabilities->'sent'->>'asn' FROM bmp.v_peers" + OWN))
                .containsExactly("4294967294|255.255.255.253|4294967294");
        assertThat(station.sql("SELECT DISTINCT peer_asn, peer_bgp_id FROM bmp.v_peer_events" + OWN
                        + " AND event = 'peer-up'"))
                .containsExactly("4294967294|255.255.255.253");
        assertThat(station.get("/api/v1/peers").body()).contains("4294967294").doesNotContain(":-");
        String status = station.get("/api/v1/status").body();
        assertThat(status).doesNotContain(":-");
        assertThat(CaptureFiles.parse(status).at("/routers/list/0").fieldNames())
                .toIterable()
                .containsExactly("router", "address", "state", "connected_at", "peers", "peers_up");
    }

    @Test
    void statistics() {
        await().untilAsserted(() -> assertThat(
                        station.sql("SELECT peer_asn, value FROM bmp.v_stats" + OWN + " ORDER BY type"))
                .containsExactly("4294967294|4294967295", "4294967294|18446744073709551615"));
    }

    @Test
    void currentState() {
        assertThat(station.sql("SELECT DISTINCT peer_asn, peer_bgp_id, " + ATTRIBUTE_COLUMNS + " FROM bmp.v_rib" + OWN))
                .containsExactly("4294967294|255.255.255.253|" + ATTRIBUTES_SEEN);
        assertThat(station.sql("SELECT family, rd, nlri, path_id, labels FROM bmp.v_rib" + OWN
                        + " ORDER BY family, path_id, rd"))
                .containsExactly(
                        "evpn|-|mac-ip rd=255.255.255.254:65535 esi=00:00:00:00:00:00:00:00:00:00 etag=4294967295"
                                + " mac=02:00:00:00:00:01 label=1048575/16777201|-|-",
                        "ipv4-unicast|-|198.51.100.0/24|2147483648|-",
                        "ipv4-unicast|-|198.51.100.0/24|4294967295|-",
                        "vpnv4|4294967295:65535|4294967295:65535 203.0.113.0/24|-|{1048575}",
                        "vpnv4|65535:2147483648|65535:2147483648 203.0.114.0/24|-|{1048575}");
        assertThat(station.sql("SELECT origin_asn, as_path_asns FROM bmp.v_rib" + OWN + " LIMIT 1"))
                .containsExactly("-|{4294967294,2147483648,4294967293,2147483649}");
    }

    @Test
    void history() {
        await().untilAsserted(() -> assertThat(station.sql("SELECT event, path_id FROM bmp.v_route_history" + OWN
                        + " AND family = 'ipv4-unicast' ORDER BY sequence"))
                .containsExactly(
                        "announce|4294967295", "announce|2147483648", "announce|2147483647", "withdraw|2147483647"));
        assertThat(station.sql("SELECT DISTINCT peer_asn, peer_bgp_id, " + ATTRIBUTE_COLUMNS
                        + " FROM bmp.v_route_history" + OWN + " AND event = 'announce'"))
                .containsExactly("4294967294|255.255.255.253|" + ATTRIBUTES_SEEN);
    }

    @Test
    void lookup() {
        assertThat(station.sql("SELECT peer_asn, path_id, med, local_pref FROM bmp.lookup('198.51.100.7')" + OWN
                        + " ORDER BY path_id"))
                .containsExactly(
                        "4294967294|2147483648|4294967295|4294967294", "4294967294|4294967295|4294967295|4294967294");
    }

    @Test
    void json() {
        List<JsonNode> routes = new ArrayList<>();
        await().untilAsserted(() -> {
            routes.clear();
            station.records("bmp.routes.json").stream()
                    .map(record -> CaptureFiles.parse(new String(record.value(), StandardCharsets.UTF_8)))
                    .filter(event -> event.path("router").asText().equals(ROUTER)
                            && event.get("event").asText().equals("announce"))
                    .forEach(routes::add);
            assertThat(routes).hasSize(6);
        });
        assertThat(routes).allSatisfy(route -> {
            assertThat(route.get("peer_asn").asText()).isEqualTo("4294967294");
            assertThat(route.get("med").asText()).isEqualTo("4294967295");
            assertThat(route.get("local_pref").asText()).isEqualTo("4294967294");
            assertThat(route.get("as_path").asText()).isEqualTo("4294967294 2147483648 {4294967293,2147483649}");
            assertThat(route.get("communities").toString()).isEqualTo("[\"65520:65521\",\"32768:32768\"]");
            assertThat(route.at("/attributes/aigp/0/metric").asText()).isEqualTo("18446744073709551615");
            assertThat(route.at("/attributes/aggregator/asn").asText()).isEqualTo("4294967295");
        });
        assertThat(routes.stream()
                        .filter(route -> route.has("path_id"))
                        .map(route -> route.get("path_id").asText()))
                .containsExactly("4294967295", "2147483648", "2147483647");
        assertThat(routes.stream()
                        .filter(route -> route.has("rd"))
                        .map(route -> route.get("rd").asText()))
                .containsExactly("4294967295:65535", "65535:2147483648");
    }
}
