package dev.silkroute.rpki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.AsPath.SegmentType;
import dev.silkroute.net.IpPrefix;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests validation by hand-made cases of RFC 6811 and by comparison with its definition on random tables. */
class VrpTableTest {
    private static final Pattern SEGMENT = Pattern.compile("\\{[^}]*}|\\([^)]*\\)|\\d+( \\d+)*");
    private static final Pattern ASN = Pattern.compile("\\d+");

    private static final Comparator<Vrp> ORDER = Comparator.comparing(Vrp::prefix, IpPrefix.ORDER)
            .thenComparingInt(Vrp::maxLength)
            .thenComparingInt(Vrp::asn);

    private static final VrpTable TABLE = VrpTable.of(List.of(
            vrp("192.0.2.0/24", 24, "64500"),
            vrp("198.51.100.0/22", 24, "64501"),
            vrp("198.51.100.0/22", 22, "64502"),
            vrp("198.51.100.0/24", 24, "64503"),
            vrp("203.0.113.0/24", 32, "0"),
            vrp("203.0.113.0/25", 25, "64504"),
            vrp("10.0.0.0/8", 32, "4294967295"),
            vrp("172.16.0.0/12", 16, "64510"),
            vrp("172.16.0.0/12", 20, "64511"),
            vrp("172.16.0.0/16", 16, "64512"),
            vrp("172.16.128.0/17", 24, "64513"),
            vrp("172.16.128.0/24", 24, "64514"),
            vrp("192.0.2.255/32", 32, "64520"),
            vrp("64.0.0.0/3", 3, "64530"),
            vrp("100.64.0.0/10", 24, "23456"),
            vrp("0.0.0.0/8", 8, "64540"),
            vrp("2001:db8::/32", 48, "64500"),
            vrp("2001:db8:ffff::/48", 48, "64505"),
            vrp("2001:db8:8000::/33", 128, "64506"),
            vrp("2001:db8:0:1::/64", 64, "64507"),
            vrp("2001:db8:0:1:8000::/65", 96, "64508"),
            vrp("2001:db8:dead::/48", 64, "0"),
            vrp("fc00::/7", 7, "4200000000"),
            vrp("fd00::1/128", 128, "64509"),
            vrp("192.0.2.0/24", 24, "64500")));

    private static Vrp vrp(String prefix, int maxLength, String asn) {
        return new Vrp(IpPrefix.parse(prefix), maxLength, Vrp.parseAsn(asn));
    }

    /** A path has its origin at the end; {@code {…}} is a set (AS_SET), {@code (…)} a confederation's sequence. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                // One VRP: its prefix, another AS, longer than allowed, shorter, beside it
                "192.0.2.0/24, 64500, valid",
                "192.0.2.0/24, 64501, invalid",
                "192.0.2.0/25, 64500, invalid",
                "192.0.2.128/32, 64500, invalid",
                "192.0.2.0/23, 64500, not-found",
                "193.0.2.0/24, 64500, not-found",
                "192.0.3.0/24, 64500, not-found",
                "192.0.1.0/24, 64500, not-found",
                "0.0.0.0/0, 64500, not-found",
                // Maximum length: equal to that of the prefix, within, at the bound, one more
                "198.51.100.0/22, 64501, valid",
                "198.51.100.0/23, 64501, valid",
                "198.51.102.0/23, 64501, valid",
                "198.51.101.0/24, 64501, valid",
                "198.51.103.0/24, 64501, valid",
                "198.51.103.0/25, 64501, invalid",
                "198.51.103.255/32, 64501, invalid",
                "198.51.104.0/24, 64501, not-found",
                "172.16.0.0/12, 64510, valid",
                "172.31.0.0/16, 64510, valid",
                "172.31.0.0/17, 64510, invalid",
                "172.31.240.0/20, 64511, valid",
                "172.31.248.0/21, 64511, invalid",
                "172.0.0.0/11, 64510, not-found",
                "10.255.255.255/32, 4294967295, valid",
                "64.0.0.0/3, 64530, valid",
                "64.0.0.0/4, 64530, invalid",
                "95.255.255.255/32, 64530, invalid",
                "96.0.0.0/3, 64530, not-found",
                "0.0.0.0/8, 64540, valid",
                "0.0.0.0/9, 64540, invalid",
                "0.0.0.0/7, 64540, not-found",
                // A VRP of one address
                "192.0.2.255/32, 64520, valid",
                "192.0.2.255/32, 64500, invalid",
                "192.0.2.254/32, 64520, invalid",
                "192.0.2.254/31, 64520, invalid",
                // Several VRPs of the same and of nested prefixes: one that matches suffices
                "198.51.100.0/22, 64502, valid",
                "198.51.100.0/23, 64502, invalid",
                "198.51.100.0/24, 64503, valid",
                "198.51.101.0/24, 64503, invalid",
                "198.51.100.0/24, 64501, valid",
                "198.51.100.0/24, 64504, invalid",
                "172.16.0.0/16, 64510, valid",
                "172.16.0.0/16, 64511, valid",
                "172.16.0.0/16, 64512, valid",
                "172.16.0.0/16, 64513, invalid",
                "172.16.128.0/17, 64510, invalid",
                "172.16.128.0/17, 64511, valid",
                "172.16.128.0/17, 64512, invalid",
                "172.16.128.0/17, 64513, valid",
                "172.16.128.0/24, 64511, invalid",
                "172.16.128.0/24, 64513, valid",
                "172.16.128.0/24, 64514, valid",
                "172.16.129.0/24, 64514, invalid",
                "172.16.128.0/25, 64513, invalid",
                "172.16.0.0/17, 64513, invalid",
                // AS 0 makes invalid, but not where another VRP matches (RFC 6483, Section 4)
                "203.0.113.0/24, 0, invalid",
                "203.0.113.0/24, 64504, invalid",
                "203.0.113.0/25, 64504, valid",
                "203.0.113.128/25, 64504, invalid",
                "203.0.113.7/32, 0, invalid",
                "203.0.113.0/25, 0, invalid",
                "203.0.113.0/26, 64504, invalid",
                "193.0.2.0/24, 0, not-found",
                "2001:db8:dead::/48, 0, invalid",
                "2001:db8:dead::/48, 64500, valid",
                "2001:db8:dead:1::/64, 64500, invalid",
                // AS numbers of 32 bits, and AS_TRANS
                "10.0.0.0/8, 4294967295, valid",
                "10.0.0.0/8, 65535, invalid",
                "11.0.0.0/8, 4294967295, not-found",
                "fc00::/7, 4200000000, valid",
                "fc00::/7, 2147483647, invalid",
                "100.64.0.0/10, 23456, valid",
                "100.64.0.0/10, 4294967295, invalid",
                // Paths: only the end counts, but for confederations
                "192.0.2.0/24, 64501 64502 64500, valid",
                "192.0.2.0/24, 64500 64501, invalid",
                "192.0.2.0/24, 64501 64500 64500 64500, valid",
                "192.0.2.0/24, (64512 64513) 64500, valid",
                "192.0.2.0/24, 64500 (64512), valid",
                "192.0.2.0/24, 64501 {64502} 64500, valid",
                // A set at the end is no origin (RFC 6811, Section 2): never valid, also with one AS
                "192.0.2.0/24, 64501 {64500}, invalid",
                "192.0.2.0/24, \"64501 {64500,64502}\", invalid",
                "192.0.2.0/24, {64500}, invalid",
                "203.0.113.0/24, 64501 {0}, invalid",
                "193.0.2.0/24, 64501 {64500}, not-found",
                "2001:db8::/32, 64501 {64500}, invalid",
                // An empty path, or one of a confederation only, has the speaker as its origin
                "192.0.2.0/24, \"\", invalid",
                "192.0.2.0/24, (64500), invalid",
                "203.0.113.0/24, \"\", invalid",
                "193.0.2.0/24, \"\", not-found",
                "2001:db9::/32, \"\", not-found",
                // IPv6, with a boundary inside and outside the upper 64 bits
                "2001:db8::/32, 64500, valid",
                "2001:db8:1::/48, 64500, valid",
                "2001:db8:1::/49, 64500, invalid",
                "2001:db8:ffff::/48, 64505, valid",
                "2001:db8:ffff::/48, 64500, valid",
                "2001:db8:ffff::/48, 64501, invalid",
                "2001:db8:fffe::/48, 64505, invalid",
                "2001:db8:8000::1/128, 64506, valid",
                "2001:db8:7fff::1/128, 64506, invalid",
                "2001:db8:0:1::/64, 64507, valid",
                "2001:db8:0:1::/65, 64507, invalid",
                "2001:db8:0:1:8000::/65, 64508, valid",
                "2001:db8:0:1::/65, 64508, invalid",
                "2001:db8:0:1:8000::/96, 64508, valid",
                "2001:db8:0:1:ffff:ffff:8000:0/97, 64508, invalid",
                "2001:db8:0:2::/64, 64507, invalid",
                "2001:db9::/32, 64500, not-found",
                "2001::/16, 64500, not-found",
                "::/0, 64500, not-found",
                "fd00::1/128, 64509, valid",
                "fd00::2/128, 64509, invalid",
                "fd00::/127, 64509, invalid",
                "fe00::/7, 4200000000, not-found"
            })
    void validatesAsRfc6811Defines(String prefix, String path, String expected) {
        // 64599 is the speaker's AS, of which the table has no VRP
        assertThat(TABLE.validity(IpPrefix.parse(prefix), AsPath.validatedOrigin(path(path), 64_599))
                        .map(Validity::text))
                .hasValue(expected);
    }

    /** As the speaker of AS 64500 or 4294967295 validates its own routes. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "192.0.2.0/24, 64500, \"\", valid",
                "192.0.2.0/24, 64501, \"\", invalid",
                "192.0.2.0/24, 64500, (64512 64513), valid",
                "192.0.2.0/24, 64500, {64500}, invalid",
                "192.0.2.0/24, 64500, 64501, invalid",
                "10.0.0.0/8, 4294967295, \"\", valid",
                "193.0.2.0/24, 64500, \"\", not-found"
            })
    void aPathWithoutAnOriginHasTheSpeakerAsItsOrigin(String prefix, long speaker, String path, String expected) {
        assertThat(TABLE.validity(IpPrefix.parse(prefix), AsPath.validatedOrigin(path(path), (int) speaker))
                        .map(Validity::text))
                .hasValue(expected);
    }

    @Test
    void aRouteWithoutAPathHasTheSpeakerAsItsOrigin() {
        assertThat(AsPath.validatedOrigin(null, 64_500)).hasValue(64_500);
    }

    private static AsPath path(String text) {
        List<AsPath.Segment> segments = new ArrayList<>();
        Matcher segment = SEGMENT.matcher(text);
        while (segment.find()) {
            String asns = segment.group();
            SegmentType type = asns.startsWith("{")
                    ? SegmentType.SET
                    : asns.startsWith("(") ? SegmentType.CONFED_SEQUENCE : SegmentType.SEQUENCE;
            segments.add(new AsPath.Segment(
                    type,
                    ASN.matcher(asns)
                            .results()
                            .map(asn -> Long.valueOf(asn.group()))
                            .toList()));
        }
        AsPath path = new AsPath(segments);
        assertThat(path.text()).isEqualTo(text);
        return path;
    }

    @Test
    void withoutVrpsNoRouteHasAValidity() {
        assertThat(VrpTable.EMPTY.validity(IpPrefix.parse("192.0.2.0/24"), OptionalLong.of(64500)))
                .isEmpty();
    }

    @Test
    void equalVrpsAreStoredOnce() {
        assertThat(TABLE.size()).isEqualTo(24);
        assertThat(VrpTable.EMPTY.size()).isZero();
        assertThat(VrpTable.EMPTY.validate(IpPrefix.parse("192.0.2.0/24"), 64500))
                .isEqualTo(Validity.NOT_FOUND);
    }

    @Test
    void coveringVrpsAreListedFromTheShortest() {
        assertThat(TABLE.covering(IpPrefix.parse("198.51.100.0/24")))
                .containsExactly(
                        vrp("198.51.100.0/22", 22, "64502"),
                        vrp("198.51.100.0/22", 24, "64501"),
                        vrp("198.51.100.0/24", 24, "64503"));
    }

    @Test
    void anImpossibleMaximumLengthIsRejected() {
        assertThatThrownBy(() -> vrp("192.0.2.0/24", 23, "1")).hasMessageContaining("is not between 24 and 32");
        assertThatThrownBy(() -> vrp("192.0.2.0/24", 33, "1")).hasMessageContaining("is not between 24 and 32");
        assertThatThrownBy(() -> vrp("2001:db8::/32", 129, "1")).hasMessageContaining("is not between 32 and 128");
    }

    /** Few address bits vary, so that most random routes are covered and every outcome occurs. */
    @Test
    void aRandomTableValidatesLikeTheDefinition() {
        Random random = new Random(6811);
        for (boolean ipv6 : new boolean[] {false, true}) {
            List<Vrp> vrps = vrps(random, ipv6, 300);
            VrpTable table = VrpTable.of(vrps);
            int[] outcomes = new int[Validity.values().length];
            for (int i = 0; i < 20_000; i++) {
                IpPrefix prefix = prefix(random, ipv6, 18);
                int origin = random.nextInt(5);
                Validity expected = definition(vrps, prefix, origin);
                assertThat(table.validate(prefix, origin)).isEqualTo(expected);
                outcomes[expected.ordinal()]++;
            }
            assertThat(outcomes).doesNotContain(0);
        }
    }

    private static List<Vrp> vrps(Random random, boolean ipv6, int count) {
        List<Vrp> vrps = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            IpPrefix prefix = prefix(random, ipv6, 22);
            int maxLength = prefix.length() + random.nextInt((ipv6 ? 128 : 32) - prefix.length() + 1);
            vrps.add(new Vrp(prefix, maxLength, random.nextInt(4)));
        }
        return vrps;
    }

    private static IpPrefix prefix(Random random, boolean ipv6, int shortest) {
        int third = random.nextInt(8) << 5;
        int fourth = random.nextInt(256);
        int length = shortest + random.nextInt(33 - shortest);
        return ipv6
                ? IpPrefix.parse("2001:db8:0:%x::%x/%d".formatted(third << 8, fourth, length * 4))
                : IpPrefix.parse("192.0.%d.%d/%d".formatted(third, fourth, length));
    }

    private static Validity definition(List<Vrp> vrps, IpPrefix prefix, int origin) {
        List<Vrp> covering = vrps.stream()
                .filter(vrp -> vrp.prefix().length() <= prefix.length()
                        && vrp.prefix().equals(prefix.truncate(vrp.prefix().length())))
                .toList();
        if (covering.isEmpty()) {
            return Validity.NOT_FOUND;
        }
        return covering.stream()
                        .anyMatch(vrp -> origin != 0 && vrp.asn() == origin && prefix.length() <= vrp.maxLength())
                ? Validity.VALID
                : Validity.INVALID;
    }

    /** Few bits vary, so that many VRPs are equal, or differ in one value only. */
    @Test
    void vrpsAreSortedInWhateverOrderTheyAreGiven() {
        Random random = new Random(6483);
        List<Vrp> vrps = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            boolean isIpv6 = random.nextBoolean();
            long bits = random.nextLong() & 0xC000_0000_C000_0001L;
            IpPrefix address = new IpPrefix(
                    isIpv6,
                    isIpv6 ? bits : 0,
                    isIpv6 ? random.nextLong() & 1L << 63 : bits & 0xFFFF_FFFFL,
                    isIpv6 ? 128 : 32);
            IpPrefix prefix = address.truncate(random.nextInt(isIpv6 ? 129 : 33));
            vrps.add(new Vrp(
                    prefix,
                    Math.max(prefix.length(), isIpv6 ? 127 + random.nextInt(2) : 31 + random.nextInt(2)),
                    random.nextInt(-1, 2)));
        }
        List<Vrp> expected = vrps.stream().distinct().sorted(ORDER).toList();
        assertThat(expected).hasSizeBetween(1_000, 15_000);
        assertThat(VrpTable.of(vrps).toList()).isEqualTo(expected);
        assertThat(VrpTable.of(expected).toList()).isEqualTo(expected);
        assertThat(VrpTable.of(expected.reversed()).toList()).isEqualTo(expected);
    }

    private static VrpTable both(Random random) {
        List<Vrp> vrps = vrps(random, false, 5_000);
        vrps.addAll(vrps(random, true, 5_000));
        return VrpTable.of(vrps);
    }

    @Test
    void theDifferenceOfTwoTablesIsWhatOneHasAndTheOtherDoesNot() {
        Random random = new Random(4);
        VrpTable one = both(random);
        VrpTable two = both(random);
        List<Vrp> expected = one.toList();
        expected.removeAll(two.toList());
        assertThat(expected).isNotEmpty().hasSizeLessThan(one.size());
        assertThat(one.minus(two)).isEqualTo(expected);
        assertThat(one.minus(one)).isEmpty();
        assertThat(one.minus(VrpTable.EMPTY)).isEqualTo(one.toList());
        assertThat(VrpTable.EMPTY.minus(one)).isEmpty();
    }
}
