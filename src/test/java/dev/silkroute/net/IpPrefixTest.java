package dev.silkroute.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void whatIsAPrefixIsReadAndItsHostBitsAreCleared(String given, String expected) {
        assertThat(IpPrefix.parse(given)).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "192.0.2.300 | '192.0.2.300' is no IPv4 address: 300 at character 9 is no number from 0 to 255",
                "192.0.2 | '192.0.2' is no IPv4 address: it has 3 numbers, not 4",
                "192.0.2.1.5 | '192.0.2.1.5' is no IPv4 address: it has 5 numbers, not 4",
                "192..2.1 | '192..2.1' is no IPv4 address: a number is missing at character 5",
                "example | 'example' is no IPv4 address: 'e' at character 1 is no digit",
                "192.0.2.0/33 | '192.0.2.0/33' is no IPv4 prefix: '33' at character 11 is no length from 0 to 32",
                "192.0.2.0/-1 | '192.0.2.0/-1' is no IPv4 prefix: '-1' at character 11 is no length from 0 to 32",
                "192.0.2.0/ | '192.0.2.0/' is no IPv4 prefix: there is no length after the slash",
                "192.0.2.0/24/8 | '192.0.2.0/24/8' is no IPv4 prefix: '24/8' at character 11 is no length from 0 to 32",
                "/24 | '/24' is no IPv4 prefix: there is no address",
                "2001:db8::g | '2001:db8::g' is no IPv6 address: 'g' at character 11 is no hexadecimal digit",
                "2001:db8::1::2 | '2001:db8::1::2' is no IPv6 address: the '::' at character 12 is one too many",
                "2001:db8 | '2001:db8' is no IPv6 address: it has 2 groups, not 8",
                "1:2:3:4:5:6:7:8:9 | '1:2:3:4:5:6:7:8:9' is no IPv6 address: it has 9 groups, not 8",
                "1:2:3:4::5:6:7:8 | '1:2:3:4::5:6:7:8' is no IPv6 address: it has 8 or more groups beside the '::'",
                "20010:db8:: | '20010:db8::' is no IPv6 address: 20010 at character 1 has more than 4 digits",
                ":1:2 | ':1:2' is no IPv6 address: a group is missing at character 1",
                "1::2: | '1::2:' is no IPv6 address: a group is missing at character 6",
                ":::1 | ':::1' is no IPv6 address: the '::' at character 2 is one too many",
                "::ffff:1.2.3 | '::ffff:1.2.3' is no IPv6 address: of 1.2.3 at character 8, it has 3 numbers, not 4",
                "fe80::1%eth0 | 'fe80::1%eth0' is no IPv6 address: '%' at character 8 is no hexadecimal digit",
                "[::1] | '[::1]' is no IPv6 address: '[' at character 1 is no hexadecimal digit",
                "::/129 | '::/129' is no IPv6 prefix: '129' at character 4 is no length from 0 to 128",
            })
    void whatIsNoneIsToldWithPlaceAndReason(String given, String expected) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IpPrefix.parse(given))
                .withMessage(expected);
    }

    @Test
    void nothingIsNoAddress() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IpPrefix.parse(""))
                .withMessage("'' is no IPv4 address: there is no address");
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
    void coversAddressesOfItsFamily(String prefix, String address, boolean covers) {
        assertThat(IpPrefix.parse(prefix).covers(InetAddress.ofLiteral(address)))
                .isEqualTo(covers);
    }
}
