package dev.silkroute.session;

import static dev.silkroute.fixture.TestMessages.attribute;
import static dev.silkroute.fixture.TestMessages.attributes;
import static dev.silkroute.fixture.TestMessages.bmp;
import static dev.silkroute.fixture.TestMessages.hex;
import static dev.silkroute.fixture.TestMessages.initiation;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.local;
import static dev.silkroute.fixture.TestMessages.open;
import static dev.silkroute.fixture.TestMessages.peerHeader;
import static dev.silkroute.fixture.TestMessages.update;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.Attribute;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bmp.FrameScanner;
import dev.silkroute.fixture.ParsedRecords;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.session.identity.RouterIdentifier;
import dev.silkroute.session.identity.RouterIdentity;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Faults that users of other collectors have reported, as far as they concern decoding. The number of each test is that
 * of the list in {@code docs/reference/faults.md}. The others require a station: {@code FaultsSeenElsewhereIT}.
 */
class FaultsSeenElsewhereTest {
    private static final InetAddress ADDRESS = InetAddress.ofLiteral("192.0.2.99");
    private static final SessionConfig CONFIG = new SessionConfig("col", 100);
    private static final byte[] NONE = {};
    private static final byte[] PREFIX = hex("18c63301");
    private static final String FOUR_OCTETS = "4104fa56ea00";
    private static final int GLOBAL = 0;
    private static final int LOC_RIB = 3;
    private static final int POST_POLICY = 0x40;
    private static final int ADJ_RIB_OUT = 0x10;

    private final BmpSession session = new BmpSession(CONFIG, 1, ADDRESS, RouterIdentity.configured("r1"));
    private long messages;

    /** One event, and what the batch contains about it. */
    private record Seen(
            EventKind kind, int family, RibView view, long peerAsn, String prefix, Long pathId, PathAttributes set) {}

    private DecodedBatch decode(byte[]... stream) {
        DecodedBatch decoded = session.decode(join(stream), messages, 1, null);
        messages += 1000;
        return decoded;
    }

    private List<Seen> routes(byte[]... stream) {
        return routes(decode(stream));
    }

    private static List<Seen> routes(DecodedBatch decoded) {
        List<Seen> seen = new ArrayList<>();
        if (decoded.routes().length == 0) {
            return seen;
        }
        RouteBatch batch = RouteBatch.read(decoded.routes());
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            if (cursor.kind().isRoute()) {
                int set = cursor.attributeSet();
                seen.add(new Seen(
                        cursor.kind(),
                        cursor.family(),
                        batch.peer(cursor.peerIndex()).view(),
                        Integer.toUnsignedLong(batch.peer(cursor.peerIndex()).asn()),
                        Addresses.prefix(
                                cursor.nlri().ipv6(),
                                cursor.nlri().addressHigh(),
                                cursor.nlri().addressLow(),
                                cursor.nlri().prefixLength()),
                        cursor.nlri().hasPathId()
                                ? Integer.toUnsignedLong(cursor.nlri().pathId())
                                : null,
                        set < 0
                                ? null
                                : PathAttributes.decode(
                                        batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set))));
            }
        }
        return seen;
    }

    private static byte[] header(int type, int flags) {
        return peerHeader(type, flags, "192.0.2.77", 0xFA56EA00, 0x0A00004D, 1_700_000_000);
    }

    private static byte[] peerUp(int type, int flags, String sent, String received) {
        return bmp(3, header(type, flags), local(), open(23_456, sent), open(23_456, received));
    }

    private static byte[] monitoring(int type, int flags, byte[] update) {
        return bmp(0, header(type, flags), update);
    }

    @Test
    void fault01AddPathIgnored() {
        // Given a router that receives several paths of its peer and sends it one
        String receives = FOUR_OCTETS + "450400010101";
        String sends = FOUR_OCTETS + "450400010102";
        decode(peerUp(GLOBAL, 0, receives, sends));
        // When it monitors both directions
        List<Seen> in = routes(monitoring(
                GLOBAL, 0, update(NONE, attributes(), join(hex("00000007"), PREFIX, hex("ffffffff"), PREFIX))));
        List<Seen> out = routes(monitoring(GLOBAL, ADJ_RIB_OUT, update(NONE, attributes(), PREFIX)));
        // Then path identifiers are where they are, unsigned, and two paths stay two
        assertThat(in).extracting(Seen::pathId).containsExactly(7L, 4_294_967_295L);
        assertThat(in).extracting(Seen::prefix).containsOnly("198.51.1.0/24");
        assertThat(out).singleElement().satisfies(route -> {
            assertThat(route.pathId()).isNull();
            assertThat(route.prefix()).isEqualTo("198.51.1.0/24");
        });
    }

    @Test
    void fault02OpenNotDecoded() {
        // Given OPENs of which one lacks four-octet AS numbers, and a router that sets the A flag accordingly
        DecodedBatch up = decode(peerUp(GLOBAL, 0, FOUR_OCTETS + "010400010001", "010400010001"));
        // When an AS_PATH of 64500 64501 comes in two octets each, a length that reads well in four octets nowhere
        byte[] attributes = join(attributes(2), hex("4002060202fbf4fbf5"));
        List<Seen> routes = routes(monitoring(GLOBAL, 0x20, update(NONE, attributes, PREFIX)));
        // Then
        assertThat(routes)
                .singleElement()
                .satisfies(route -> assertThat(path(route)).isEqualTo("64500 64501"));
        assertThat(String.valueOf(ParsedRecords.of(up, LaneName.PEERS).getLast().get("capabilities")))
                .contains("asn=4200000000", "families=[ipv4-unicast]", "four_octet_as=false");
    }

    private static String path(Seen route) {
        AsPath path = Objects.requireNonNull(route.set()).asPath();
        return path == null ? "none" : path.text();
    }

    @Test
    void fault03OutAndFilterFlagsUnknown() {
        byte[] update = update(NONE, attributes(), PREFIX);
        assertThat(routes(
                        monitoring(GLOBAL, 0, update),
                        monitoring(GLOBAL, POST_POLICY, update),
                        monitoring(GLOBAL, ADJ_RIB_OUT, update),
                        monitoring(GLOBAL, ADJ_RIB_OUT | POST_POLICY, update),
                        monitoring(LOC_RIB, 0x80, update)))
                .extracting(Seen::view)
                .containsExactly(RibView.values());
        // For a Loc-RIB the highest bit means that it is filtered, not that its address is IPv6
        RouteBatch batch =
                RouteBatch.read(decode(monitoring(LOC_RIB, 0x80, update)).routes());
        assertThat(batch.peer(0).ipv6()).isFalse();
        assertThat(Addresses.text(false, 0, batch.peer(0).addressLow())).isEqualTo("192.0.2.77");
    }

    @Test
    void fault04StatisticsOfFamiliesFoldedOrZero() {
        byte[] report = hex("00000003" + "0009000b" + "000101" + "0000000000000005" + "0009000b" + "000201"
                + "ffffffffffffffff" + "0007" + "0008" + "0000000000000009");
        Map<String, Object> record = ParsedRecords.of(decode(bmp(1, header(GLOBAL, 0), report)), LaneName.STATS)
                .getLast();
        assertThat((List<?>) record.get("statistics"))
                .extracting(Object::toString)
                .satisfiesExactly(
                        ipv4 -> assertThat(ipv4).contains("afi=1", "safi=1", "value=5"),
                        ipv6 -> assertThat(ipv6).contains("afi=2", "safi=1", "value=18446744073709551615"),
                        all -> assertThat(all).contains("afi=null", "safi=null", "value=9"));
    }

    @Test
    void fault05AttributesDropped() {
        // Given every number without a known attribute, as an optional one with three bytes, behind the mandatory ones
        List<byte[]> all = new ArrayList<>(List.of(attributes()));
        List<Integer> unknown = IntStream.rangeClosed(41, 255)
                .filter(type -> !Attribute.isKnown(type))
                .boxed()
                .toList();
        unknown.forEach(type -> all.add(attribute(0xC0, type, hex("0102%02x".formatted(type)))));
        // When
        PathAttributes set = Objects.requireNonNull(routes(
                        monitoring(GLOBAL, 0, update(NONE, join(all.toArray(byte[][]::new)), PREFIX)))
                .getFirst()
                .set());
        // Then
        assertThat(set.types()).hasSize(3 + unknown.size()).hasSizeGreaterThan(200);
        for (int type : unknown) {
            assertThat(set.value(type).orElseThrow().hex()).isEqualTo("0102%02x".formatted(type));
        }
    }

    @Test
    void fault06SignedNumbers() {
        byte[] attributes = join(
                attributes(2),
                hex("4002060201" + "fa56ea00"),
                hex("800404ffffffff"),
                hex("400504fffffffe"),
                hex("c00804ffffffff"),
                hex("c0200cffffffffffffffffffffffff"));
        Seen route =
                routes(monitoring(GLOBAL, 0, update(NONE, attributes, PREFIX))).getFirst();
        PathAttributes set = Objects.requireNonNull(route.set());
        assertThat(route.peerAsn()).isEqualTo(4_200_000_000L);
        assertThat(path(route)).isEqualTo("4200000000");
        assertThat(set.med()).hasValue(4_294_967_295L);
        assertThat(set.localPref()).hasValue(4_294_967_294L);
        assertThat(set.communities()).containsExactly("65535:65535");
        assertThat(set.largeCommunities()).containsExactly("4294967295:4294967295:4294967295");
        assertThat(set.toJson()).doesNotContain("-1").contains("4294967295");
    }

    @Test
    void fault12IdentityIsTheSourceAddress() {
        assertThat(RouterIdentifier.identify(ADDRESS, initiation("edge-1")).name())
                .isEqualTo("edge-1");
        assertThat(RouterIdentifier.identify(ADDRESS, initiation("edge-2")).name())
                .isEqualTo("edge-2");
    }

    @Test
    void fault13WithdrawalAfterAnnouncementOfOneUpdate() {
        assertThat(routes(monitoring(GLOBAL, 0, update(PREFIX, attributes(), PREFIX))))
                .extracting(Seen::kind)
                .containsExactly(EventKind.WITHDRAW, EventKind.ANNOUNCE);
    }

    @Test
    void fault15FramesAbove64KiB() {
        // Given the longest UPDATE of RFC 8654 in a message that is longer for its headers
        byte[] filler = attribute(0xC0, 251, new byte[65_535 - 19 - 4 - attributes().length - 4 - PREFIX.length]);
        byte[] message = monitoring(GLOBAL, 0, update(NONE, join(attributes(), filler), PREFIX));
        assertThat(message).hasSize(65_535 + 48);
        // When
        FrameScanner scanner = new FrameScanner();
        scanner.scan(message, 0, message.length);
        // Then
        assertThat(scanner.fault()).isNull();
        assertThat(scanner.messages()).isEqualTo(1);
        assertThat(routes(message)).extracting(Seen::prefix).containsExactly("198.51.1.0/24");
    }

    @Test
    void fault16UnknownPeerTypeOrNoSysNameEndsDecoding() {
        byte[] initiation = bmp(4, hex("00010004" + "74657374"));
        DecodedBatch decoded = decode(
                initiation,
                monitoring(99, 0, update(NONE, attributes(), PREFIX)),
                monitoring(GLOBAL, 0, update(NONE, attributes(), PREFIX)));
        assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE)).isEmpty();
        assertThat(routes(decoded)).extracting(Seen::kind).containsExactly(EventKind.ANNOUNCE, EventKind.ANNOUNCE);
        assertThat(RouteBatch.read(decoded.routes()).peer(0).peerType()).isEqualTo(99);
        assertThat(RouterIdentifier.identify(ADDRESS, initiation)).isEqualTo(RouterIdentity.ofAddress(ADDRESS));
    }

    @Test
    void fault18OnlyTheFirstOfReachAndUnreach() {
        byte[] reach = attribute(
                0x80, 14, hex("000201" + "10" + "20010db8000000000000000000000001" + "00" + "3020010db80005"));
        byte[] unreach = attribute(0x80, 15, hex("000201" + "3020010db80006"));
        for (byte[] both : List.of(join(reach, unreach), join(unreach, reach))) {
            assertThat(routes(monitoring(GLOBAL, 0, update(hex("18c63309"), join(attributes(), both), PREFIX))))
                    .extracting(seen -> seen.kind() + " " + Family.text(seen.family()) + " " + seen.prefix())
                    .containsExactly(
                            "WITHDRAW ipv4-unicast 198.51.9.0/24",
                            "WITHDRAW ipv6-unicast 2001:db8:6::/48",
                            "ANNOUNCE ipv4-unicast 198.51.1.0/24",
                            "ANNOUNCE ipv6-unicast 2001:db8:5::/48");
        }
    }

    @Test
    void fault20OriginatorAndClusterListHashed() {
        byte[] reflected = join(attributes(), hex("800904c0000201"), hex("800a08c0000202c0000203"));
        byte[] otherwise = join(attributes(), hex("800904c0000201"), hex("800a08c0000202c0000204"));
        List<Seen> routes = routes(
                monitoring(GLOBAL, 0, update(NONE, reflected, PREFIX)),
                monitoring(GLOBAL, 0, update(NONE, otherwise, PREFIX)));
        assertThat(routes.getFirst().set().toJson())
                .contains("\"originator_id\":\"192.0.2.1\"", "\"cluster_list\":[\"192.0.2.2\",\"192.0.2.3\"]");
        assertThat(routes.getLast().set().toJson()).contains("192.0.2.4");
    }
}
