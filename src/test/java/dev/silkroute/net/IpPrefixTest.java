package dev.silkroute.net;

import static dev.silkroute.fixture.CollidingKeys.assertKeyed;
import static dev.silkroute.fixture.CollidingKeys.folded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpPrefixTest {

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1/32",
        "192.0.2.129/25, 192.0.2.128/25",
        "255.255.255.255/0, 0.0.0.0/0",
        "0.0.0.0/0, 0.0.0.0/0",
        "200.1.2.3/8, 200.0.0.0/8",
        "::, ::/128",
        "::/0, ::/0",
        "1::, 1::/128",
        "::1, ::1/128",
        "2001:db8::1/32, 2001:db8::/32",
        "2001:DB8:1:2:3:4:5:6/65, 2001:db8:1:2::/65",
        "1:2:3:4:5:6:192.0.2.1, 1:2:3:4:5:6:c000:201/128",
        "64:ff9b::192.0.2.33/96, 64:ff9b::/96",
        "::ffff:192.0.2.1, 192.0.2.1/32",
        "::ffff:192.0.2.1/120, 192.0.2.0/24",
        "::ffff:0:0/90, ::ffc0:0:0/90",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0/128",
    })
    void prefixIsParsedAndItsHostBitsAreCleared(String given, String expected) {
        assertThat(IpPrefix.parse(given)).hasToString(expected);
    }

    /** IPv4 prefixes and the IPv4-mapped ones of IPv6 are parsed in different ways. */
    @Test
    void prefixesAreThoseOfTheirMappedForm() {
        Random random = new Random(32);
        for (int i = 0; i < 10_000; i++) {
            String address = Addresses.ipv4(random.nextInt() & -1 << random.nextInt(32));
            int length = random.nextInt(33);
            assertThat(IpPrefix.parse(address + "/" + length))
                    .isEqualTo(IpPrefix.parse("::ffff:" + address + "/" + (96 + length)));
            assertThat(IpPrefix.parse(address)).isEqualTo(IpPrefix.parse("::ffff:" + address));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.300, IPv4 address",
        "192.0.2, IPv4 address",
        "192.0.2.1.5, IPv4 address",
        "192..2.1, IPv4 address",
        "example, IPv4 address",
        "192.0.2.0/33, IPv4 prefix",
        "192.0.2.0/-1, IPv4 prefix",
        "192.0.2.0/, IPv4 prefix",
        "192.0.2.0/24/8, IPv4 prefix",
        "192.0.2.0/24x, IPv4 prefix",
        "192.0.2.1x, IPv4 address",
        "192.0.2.1., IPv4 address",
        "99999999999.0.2.1, IPv4 address",
        "/24, IPv4 prefix",
        "2001:db8::g, IPv6 address",
        "2001:db8::1::2, IPv6 address",
        "2001:db8, IPv6 address",
        "1:2:3:4:5:6:7:8:9, IPv6 address",
        "1:2:3:4::5:6:7:8, IPv6 address",
        "20010:db8::, IPv6 address",
        ":1:2, IPv6 address",
        "1::2:, IPv6 address",
        ":::1, IPv6 address",
        "::ffff:1.2.3, IPv6 address",
        "fe80::1%eth0, IPv6 address",
        "[::1], IPv6 address",
        "::/129, IPv6 prefix",
        "192.0.2.0-5, IPv4 address",
        "192.0.2.*, IPv4 address",
        "*, IPv4 address",
        "10, IPv4 address",
        "0x0a000001, IPv4 address",
        "192.0.2.0/255.255.255.0, IPv4 prefix",
        "::1/64/2, IPv6 prefix"
    })
    void invalidTextIsRejectedWithItsKind(String given, String kind) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IpPrefix.parse(given))
                .withMessage("'" + given + "' is not a valid " + kind);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " 192.0.2.1", "192.0.2.1 ", " ::1"})
    void whitespaceIsNotPartOfAnAddress(String given) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IpPrefix.parse(given))
                .withMessageStartingWith("'" + given + "' is not a valid IPv");
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.0/25, 192.0.2.127, true",
        "192.0.2.0/25, 192.0.2.128, false",
        "200.0.0.0/5, 207.255.255.255, true",
        "0.0.0.0/0, 255.255.255.255, true",
        "0.0.0.0/0, ::1, false",
        "192.0.2.1, 192.0.2.1, true",
        "2001:db8::/65, 2001:db8::7fff:ffff:ffff:ffff, true",
        "2001:db8::/65, 2001:db8::8000:0:0:0, false",
        "2001:db8::/32, 2001:db9::, false",
        "::/0, ffff::, true",
        "::/0, 192.0.2.1, false"
    })
    void coversAddressesOfItsOwnFamilyOnly(String prefix, String address, boolean covers) {
        assertThat(IpPrefix.parse(prefix).covers(InetAddress.ofLiteral(address)))
                .isEqualTo(covers);
    }

    @Test
    void prefixesWhoseUnkeyedHashesAreEqualAreSpread() {
        assertKeyed(i -> new IpPrefix(true, folded(i), 0, 64));
    }
}
