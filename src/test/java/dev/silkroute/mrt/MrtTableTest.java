package dev.silkroute.mrt;

import static dev.silkroute.fixture.CollidingKeys.assertKeyed;
import static dev.silkroute.fixture.CollidingKeys.folded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.attribute.MoreAttributes;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.mrt.MrtBuilder.Entry;
import dev.silkroute.mrt.MrtBuilder.Peer;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables (TABLE_DUMP_V2) as BMP sessions: what a station holds afterwards is what the table has. */
class MrtTableTest {
    private static final long T = 1_699_999_000;
    private static final int LARGE_ASN = (int) 4_200_000_001L;
    private static final List<Peer> PEERS = List.of(
            new Peer("192.0.2.1", 64500, "10.0.0.1"),
            new Peer("2001:db8::2", LARGE_ASN, "10.0.0.2"),
            new Peer("192.0.2.3", 64503, "10.0.0.3"));

    private static final int IPV4 = 2;
    private static final int IPV4_MULTICAST = 3;
    private static final int IPV6 = 4;
    private static final int GENERIC = 6;
    private static final int IPV4_ADDPATH = 8;
    private static final int GENERIC_ADDPATH = 12;

    @TempDir
    Path folder;

    private final MrtBuilder mrt = new MrtBuilder().peers("198.51.100.9", "", PEERS);

    private Station played() throws Exception {
        return Station.of(mrt.write(folder.resolve("rib.mrt")));
    }

    private static Entry entry(int peer, byte[] attributes) {
        return new Entry(peer, T, null, attributes);
    }

    @Test
    void aTableBecomesARouterWithItsPeersAndTheirRoutes() throws Exception {
        mrt.routes(
                IPV4,
                MrtBuilder.prefix("203.0.113.0/24"),
                entry(0, Attributes.via("192.0.2.1", "64500 64999")),
                entry(1, Attributes.via("192.0.2.77", "4200000001 64999")));
        mrt.routes(
                IPV6,
                MrtBuilder.prefix("2001:db8:1::/48"),
                entry(1, Attributes.cut("2001:db8::2", "4200000001 {64998,64999}")));

        Station station = played();

        assertThat(station.failure).isNull();
        assertThat(station.router).isEqualTo("mrt-198.51.100.9");
        assertThat(station.routes)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "192.0.2.1 AS64500 10.0.0.1 adj-rib-in-pre ipv4-unicast 203.0.113.0/24",
                        "64500 64999 via 192.0.2.1",
                        "2001:db8::2 AS4200000001 10.0.0.2 adj-rib-in-pre ipv4-unicast 203.0.113.0/24",
                        "4200000001 64999 via 192.0.2.77",
                        "2001:db8::2 AS4200000001 10.0.0.2 adj-rib-in-pre ipv6-unicast 2001:db8:1::/48",
                        "4200000001 {64998,64999} via 2001:db8::2"));
        // Only peers that have routes come up; each gets an End-of-RIB for each family once all routes are there.
        assertThat(station.events)
                .filteredOn(event -> !event.startsWith("SESSION"))
                .containsExactly(
                        "PEER_UP 192.0.2.1 AS64500 10.0.0.1 adj-rib-in-pre",
                        "PEER_UP 2001:db8::2 AS4200000001 10.0.0.2 adj-rib-in-pre",
                        "END_OF_RIB 192.0.2.1 AS64500 10.0.0.1 adj-rib-in-pre ipv4-unicast",
                        "END_OF_RIB 2001:db8::2 AS4200000001 10.0.0.2 adj-rib-in-pre ipv4-unicast",
                        "END_OF_RIB 2001:db8::2 AS4200000001 10.0.0.2 adj-rib-in-pre ipv6-unicast");
    }

    /** Some collectors write all of MP_REACH_NLRI; an IPv6 next hop of an IPv4 route is RFC 8950. */
    @Test
    void nextHopsInEveryForm() throws Exception {
        Bytes global = Attributes.bytes("2001:db8::2");
        Bytes both = Bytes.of(
                new ByteSink().bytes(global).bytes(Attributes.bytes("fe80::2")).toByteArray());
        Bytes nlri = Bytes.of(MrtBuilder.prefix("2001:db8:1::/48"));
        mrt.routes(
                IPV6,
                MrtBuilder.prefix("2001:db8:1::/48"),
                entry(0, Attributes.of("1 2", more -> MoreAttributes.mpReach(more, Family.IPV6_UNICAST, global, nlri))),
                entry(
                        1,
                        Attributes.of(
                                "1 2", more -> MoreAttributes.mpReach(more, Family.IPV6_UNICAST, both, Bytes.EMPTY))),
                entry(2, Attributes.cut("2001:db8::2", "1 2")));
        mrt.routes(
                IPV4,
                MrtBuilder.prefix("203.0.113.0/24"),
                entry(0, Attributes.cut("2001:db8::2", "1 3")),
                entry(1, Attributes.cut("192.0.2.9", "1 3")));
        mrt.routes(IPV4_MULTICAST, MrtBuilder.prefix("203.0.113.0/24"), entry(0, Attributes.via("192.0.2.8", "1 4")));

        Station station = played();

        assertThat(station.routes.values())
                .containsExactlyInAnyOrder(
                        "1 2 via 2001:db8::2",
                        "1 2 via 2001:db8::2",
                        "1 2 via 2001:db8::2",
                        "1 3 via 2001:db8::2",
                        "1 3 via 192.0.2.9",
                        "1 4 via 192.0.2.8");
        assertThat(String.valueOf(station.peers)).contains("extended_next_hop");
    }

    @Test
    void pathIdentifiersAreAgreedOnInTheOpens() throws Exception {
        mrt.routes(
                IPV4_ADDPATH,
                MrtBuilder.prefix("203.0.113.0/24"),
                new Entry(0, T, 7, Attributes.via("192.0.2.1", "64500 1")),
                new Entry(0, T, 8, Attributes.via("192.0.2.1", "64500 2")),
                new Entry(2, T, -1, Attributes.via("192.0.2.1", "64503 2")));

        Station station = played();

        assertThat(station.routes)
                .containsOnlyKeys(
                        "192.0.2.1 AS64500 10.0.0.1 adj-rib-in-pre ipv4-unicast 7:203.0.113.0/24",
                        "192.0.2.1 AS64500 10.0.0.1 adj-rib-in-pre ipv4-unicast 8:203.0.113.0/24",
                        "192.0.2.3 AS64503 10.0.0.3 adj-rib-in-pre ipv4-unicast 4294967295:203.0.113.0/24");
    }

    /** RFC 8050 puts the path identifier before the NLRI, GoBGP and OpenBGPD put one into each entry. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anyOtherFamily(boolean pathIdInNlri) throws Exception {
        byte[] route = new ByteSink()
                .u8(24 + 64 + 24)
                .u8(0)
                .u16(0x641)
                .i64(0x0000_fbf4_0000_0001L)
                .bytes(new byte[] {10, 1, 2}, 0, 3)
                .toByteArray();
        Bytes nextHop = Bytes.of(
                new ByteSink().i64(0).bytes(Attributes.bytes("192.0.2.1")).toByteArray());
        byte[] attributes = Attributes.of(
                "64500",
                more -> more.attribute(
                        14, Bytes.of(new ByteSink().u8(12).bytes(nextHop).toByteArray())));
        mrt.generic(GENERIC, 1, 128, route, entry(0, attributes), entry(2, attributes));
        if (pathIdInNlri) {
            byte[] withId = new ByteSink().u32(5).bytes(Bytes.of(route)).toByteArray();
            mrt.generic(GENERIC_ADDPATH, 1, 128, withId, entry(1, attributes));
        } else {
            mrt.generic(GENERIC_ADDPATH, 1, 128, route, new Entry(1, T, 5, attributes));
        }

        Station station = played();

        assertThat(station.routes)
                .containsOnlyKeys(
                        "192.0.2.1 AS64500 10.0.0.1 adj-rib-in-pre vpnv4 10.1.2.0/24",
                        "192.0.2.3 AS64503 10.0.0.3 adj-rib-in-pre vpnv4 10.1.2.0/24",
                        "2001:db8::2 AS4200000001 10.0.0.2 adj-rib-in-pre vpnv4 5:10.1.2.0/24");
    }

    @Test
    void anotherCollectorOrViewIsAnotherRouter() throws Exception {
        byte[] prefix = MrtBuilder.prefix("203.0.113.0/24");
        mrt.routes(IPV4, prefix, entry(0, Attributes.via("192.0.2.1", "1")));
        mrt.peers("198.51.100.9", "master6", PEERS);
        mrt.routes(IPV4, prefix, entry(1, Attributes.via("192.0.2.1", "2")));
        mrt.peers("198.51.100.9", "", PEERS);
        mrt.routes(IPV4, prefix, entry(2, Attributes.via("192.0.2.1", "3")));

        CaptureFile file = Station.open(mrt.write(folder.resolve("a")));

        assertThat(file.survey().sessions()).hasSize(2);
        Station first = Station.of(file, 0);
        assertThat(first.router).isEqualTo("mrt-198.51.100.9");
        assertThat(first.routes.values()).containsExactly("1 via 192.0.2.1", "3 via 192.0.2.1");
        Station second = Station.of(file, 1);
        assertThat(second.router).isEqualTo("mrt-198.51.100.9-master6");
        assertThat(second.routes.values()).containsExactly("2 via 192.0.2.1");
        assertThat(Stream.of(first, second).flatMap(one -> one.events.stream()))
                .filteredOn(event -> event.startsWith("END_OF_RIB"))
                .hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aRandomTable(long seed) throws Exception {
        Random random = new Random(seed);
        Map<String, String> expected = new TreeMap<>();
        for (int i = 0; i < 300; i++) {
            boolean ipv6 = random.nextInt(3) == 0;
            String prefix =
                    ipv6 ? "2001:db8:" + Integer.toHexString(i) + "::/48" : "10." + i / 256 + "." + i % 256 + ".0/24";
            Entry[] entries = new Entry[random.nextInt(4)];
            for (int n = 0; n < entries.length; n++) {
                // Each peer once at most, or with an identifier of its own.
                Peer peer = PEERS.get(n % 3);
                String path = Integer.toUnsignedString(peer.asn()) + " " + (1 + random.nextInt(5000));
                String hop = ipv6 ? "2001:db8::" + (1 + n) : "192.0.2." + (1 + n);
                entries[n] = entry(n % 3, ipv6 ? Attributes.cut(hop, path) : Attributes.via(hop, path));
                String family = ipv6 ? "ipv6-unicast " : "ipv4-unicast ";
                expected.put(
                        peer.address() + " AS" + Integer.toUnsignedString(peer.asn()) + " " + peer.bgpId()
                                + " adj-rib-in-pre " + family + prefix,
                        path + " via " + hop);
            }
            mrt.routes(ipv6 ? IPV6 : IPV4, MrtBuilder.prefix(prefix), entries);
        }

        assertThat(played().routes).isEqualTo(normal(expected));
    }

    /** 2001:db8:0::/48 is written shorter. */
    private static Map<String, String> normal(Map<String, String> routes) {
        Map<String, String> normal = new TreeMap<>();
        routes.forEach((key, value) -> normal.put(key.replace("2001:db8:0::", "2001:db8::"), value));
        return normal;
    }

    /** The same peer twice in one table, distinguished by BGP ID only. */
    @Test
    void peersThatDifferByBgpIdOnlyStayTwo() throws Exception {
        mrt.peers(
                "198.51.100.9",
                "",
                List.of(new Peer("192.0.2.1", 64500, "10.0.0.1"), new Peer("192.0.2.1", 64500, "10.0.0.99")));
        mrt.routes(
                IPV4,
                MrtBuilder.prefix("203.0.113.0/24"),
                entry(0, Attributes.via("192.0.2.1", "1")),
                entry(1, Attributes.via("192.0.2.1", "2")));

        assertThat(played().routes.values()).containsExactly("1 via 192.0.2.1", "2 via 192.0.2.1");
    }

    /** BIRD's LOCAL_PREF for peers that sent none. */
    @Test
    void wellKnownAttributesWithoutFlags() throws Exception {
        byte[] attributes = Attributes.of(
                "1",
                more -> more.nextHop(Attributes.bytes("192.0.2.1").i32(0))
                        .attribute(0, 5, Bytes.of(new byte[] {0, 0, 0, 100})));
        mrt.routes(IPV4, MrtBuilder.prefix("203.0.113.0/24"), entry(0, attributes));

        assertThat(played().routes.values()).containsExactly("1 via 192.0.2.1");
    }

    /** GoBGP's tables. */
    @Test
    void aCollectorWithoutBgpIdIsNamedByTheFile() throws Exception {
        MrtBuilder unnamed = new MrtBuilder().peers("0.0.0.0", "", PEERS);
        unnamed.routes(IPV4, MrtBuilder.prefix("203.0.113.0/24"), entry(0, Attributes.via("192.0.2.1", "1")));

        assertThat(Station.of(unnamed.write(folder.resolve("rib.mrt"))).router).isEqualTo("mrt-rib.mrt");
    }

    @Test
    void routesHaveTheTimeTheyWereLearntAt() throws Exception {
        mrt.routes(IPV4, MrtBuilder.prefix("203.0.113.0/24"), entry(0, Attributes.via("192.0.2.1", "1")));
        byte[] stream = played().stream;

        String hex = java.util.HexFormat.of().formatHex(stream);
        assertThat(hex)
                .contains(String.format("%08x00000000", T))
                .contains(String.format("%08x00000000", 1_700_000_000));
    }

    @Test
    void peersWhoseUnkeyedHashesAreEqualAreSpread() {
        assertKeyed(i -> new MrtPeer.Key(true, folded(i), folded(i), 64_500));
    }
}
