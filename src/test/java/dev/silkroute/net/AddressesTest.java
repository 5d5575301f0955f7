package dev.silkroute.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressesTest {

    @ParameterizedTest
    @CsvSource({
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "2001:db8:0:0:0:0:0:1, 2001:db8::1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:0DB8:00AA::, 2001:db8:aa::",
        "0:0:1:2:3:4:5:6, ::1:2:3:4:5:6",
        "1:2:3:4:5:6:0:0, 1:2:3:4:5:6::",
        "1:2:3:4:5:6:7:0, 1:2:3:4:5:6:7:0",
        "fe80::ffff:ffff:ffff:ffff, fe80::ffff:ffff:ffff:ffff",
        "::192.0.2.1, ::c000:201",
    })
    void ipv6TextFollowsRfc5952(String given, String expected) throws UnknownHostException {
        // Given
        byte[] b = InetAddress.getByName(given).getAddress();

        // When
        String text = Addresses.ipv6(BigEndian.i64(b, 0), BigEndian.i64(b, 8));

        // Then
        assertThat(text).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0, 0.0.0.0", "-1, 255.255.255.255", "-1073741311, 192.0.2.1"})
    void ipv4IsDotted(int given, String expected) {
        assertThat(Addresses.ipv4(given)).isEqualTo(expected);
        assertThat(Addresses.text(false, 0, Integer.toUnsignedLong(given))).isEqualTo(expected);
        assertThat(Addresses.ipv6(0, 0xFFFF_0000_0000L | Integer.toUnsignedLong(given)))
                .isEqualTo("::ffff:" + expected);
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "2001:db8::1, 2001:db8::1",
        "::192.0.2.1, ::c000:201",
        "::ffff:192.0.2.1, ::ffff:192.0.2.1",
        "::ffff:0:192.0.2.1, ::ffff:0:c000:201",
    })
    void textOfPostgresqlBecomesCanonical(String given, String expected) {
        assertThat(Addresses.canonical(given)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "31", "32", "63", "64", "65", "127", "128"})
    void masksKeepTheFirstBits(int length) {
        // When
        long high = Addresses.maskHigh(-1, length);
        long low = Addresses.maskLow(-1, length);

        // Then
        assertThat(Long.bitCount(high) + Long.bitCount(low)).isEqualTo(length);
        assertThat(Long.numberOfLeadingZeros(~high)).isEqualTo(Math.min(length, 64));
        assertThat(Long.numberOfLeadingZeros(~low)).isEqualTo(Math.max(length - 64, 0));
        if (length <= 32) {
            assertThat(Integer.bitCount(Addresses.maskIpv4(-1, length))).isEqualTo(length);
        }
    }
}
