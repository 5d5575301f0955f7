package dev.silkroute.collector.sockets;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files with keys for TCP MD5 signatures. */
class Md5KeysTest {
    private static final String KEY = "k3y=9";

    @Test
    void aLineHasAnAddressAndItsKey() {
        Md5Keys keys =
                Md5Keys.parse(List.of("# edge", "192.0.2.1 " + KEY, "", " 2001:db8::1 = second ", "192.0.2.3=third"));
        assertThat(keys.size()).isEqualTo(3);
        assertThat(keys.of(InetAddress.ofLiteral("192.0.2.1")).values()).containsExactly(KEY.getBytes(UTF_8));
        assertThat(keys.of(InetAddress.ofLiteral("2001:db8::1")).values()).containsExactly("second".getBytes(UTF_8));
        assertThat(keys.of(InetAddress.ofLiteral("192.0.2.3")).values()).containsExactly("third".getBytes(UTF_8));
        assertThat(keys.of(InetAddress.ofLiteral("192.0.2.4"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, line 3: not of the form ADDRESS KEY; a key must not contain blanks",
        "192.0.2.1 secret words, line 3: not of the form ADDRESS KEY; a key must not contain blanks",
        "secret 192.0.2.1, line 3: does not begin with an IPv4 or IPv6 address",
        "192.0.2.300 secret, line 3: does not begin with an IPv4 or IPv6 address",
        "192.0.2.9 secret, line 3: 192.0.2.9 has a key already"
    })
    void anErrorNamesTheLineButNotTheKey(String line, String error) {
        assertThatThrownBy(() -> Md5Keys.parse(List.of("# keys", "192.0.2.9 first", line)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(error)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"))
                .satisfies(e -> assertThat(e.getCause().getCause()).isNull());
    }

    @Test
    void theLongestKeyIsThatOfTheKernel() {
        String longest = "k".repeat(Md5Keys.MAX_KEY);
        assertThat(Md5Keys.parse(List.of("192.0.2.1 " + longest)).size()).isEqualTo(1);
        assertThatThrownBy(() -> Md5Keys.parse(List.of("192.0.2.1 " + longest + "k")))
                .hasMessage("line 1: the key of 192.0.2.1 has 81 bytes: it must have at most 80");
    }

    @Test
    void keysAreEqualByContentAndNotPrinted() {
        Md5Keys keys = Md5Keys.parse(List.of("192.0.2.1 " + KEY));
        assertThat(keys)
                .isEqualTo(Md5Keys.parse(List.of("192.0.2.1=" + KEY)))
                .isNotEqualTo(Md5Keys.parse(List.of("192.0.2.1 other")))
                .isNotEqualTo(Md5Keys.NONE)
                .hasToString("keys of 1 address");
    }
}
