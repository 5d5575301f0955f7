package dev.silkroute.rpki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.net.IpPrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests validation by hand-made cases of RFC 6811 and by comparison with its definition on random tables. */
class VrpTableTest {
    private static final VrpTable TABLE = VrpTable.of(List.of(
            vrp("192.0.2.0/24", 24, "64500"),
            vrp("198.51.100.0/22", 24, "64501"),
            vrp("198.51.100.0/22", 22, "64502"),
            vrp("198.51.100.0/24", 24, "64503"),
            vrp("203.0.113.0/24", 32, "0"),
            vrp("203.0.113.0/25", 25, "64504"),
            vrp("10.0.0.0/8", 32, "4294967295"),
            vrp("2001:db8::/32", 48, "64500"),
            vrp("2001:db8:ffff::/48", 48, "64505"),
            vrp("2001:db8:8000::/33", 128, "64506"),
            vrp("192.0.2.0/24", 24, "64500")));

    private static Vrp vrp(String prefix, int maxLength, String asn) {
        return new Vrp(IpPrefix.parse(prefix), maxLength, Vrp.parseAsn(asn));
    }

    @ParameterizedTest
    @CsvSource({
        // One VRP: its prefix, another AS, longer than allowed, shorter, beside it
        "192.0.2.0/24, 64500, valid",
        "192.0.2.0/24, 64501, invalid",
        "192.0.2.0/25, 64500, invalid",
        "192.0.2.128/32, 64500, invalid",
        "192.0.2.0/23, 64500, not-found",
        "192.0.3.0/24, 64500, not-found",
        "192.0.1.0/24, 64500, not-found",
        "0.0.0.0/0, 64500, not-found",
        // Maximum length
        "198.51.100.0/22, 64501, valid",
        "198.51.100.0/23, 64501, valid",
        "198.51.102.0/23, 64501, valid",
        "198.51.101.0/24, 64501, valid",
        "198.51.103.0/24, 64501, valid",
        "198.51.103.0/25, 64501, invalid",
        "198.51.104.0/24, 64501, not-found",
        // Several VRPs of the same and of nested prefixes: one that matches suffices
        "198.51.100.0/22, 64502, valid",
        "198.51.100.0/23, 64502, invalid",
        "198.51.100.0/24, 64503, valid",
        "198.51.101.0/24, 64503, invalid",
        "198.51.100.0/24, 64501, valid",
        "198.51.100.0/24, 64504, invalid",
        // AS 0 makes invalid, but not where another VRP matches (RFC 6483, Section 4)
        "203.0.113.0/24, 0, invalid",
        "203.0.113.0/24, 64504, invalid",
        "203.0.113.0/25, 64504, valid",
        "203.0.113.128/25, 64504, invalid",
        "203.0.113.7/32, 0, invalid",
        // AS numbers of 32 bits
        "10.0.0.0/8, 4294967295, valid",
        "10.255.255.255/32, 4294967295, valid",
        "10.0.0.0/8, 65535, invalid",
        "11.0.0.0/8, 4294967295, not-found",
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
        "2001:db9::/32, 64500, not-found",
        "2001::/16, 64500, not-found",
        "::/0, 64500, not-found"
    })
    void validatesAsRfc6811Defines(String prefix, String origin, String expected) {
        assertThat(TABLE.validate(IpPrefix.parse(prefix), Vrp.parseAsn(origin)).text())
                .isEqualTo(expected);
    }

    @Test
    void aRouteWithoutAnOriginIsNeverValid() {
        assertThat(TABLE.validateWithoutOrigin(IpPrefix.parse("192.0.2.0/24"))).isEqualTo(Validity.INVALID);
        assertThat(TABLE.validateWithoutOrigin(IpPrefix.parse("203.0.113.0/24")))
                .as("covered by AS 0")
                .isEqualTo(Validity.INVALID);
        assertThat(TABLE.validateWithoutOrigin(IpPrefix.parse("192.0.3.0/24"))).isEqualTo(Validity.NOT_FOUND);
    }

    @Test
    void equalVrpsAreStoredOnce() {
        assertThat(TABLE.size()).isEqualTo(10);
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
