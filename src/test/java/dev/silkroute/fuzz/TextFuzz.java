package dev.silkroute.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.silkroute.bgp.attribute.community.ExtendedCommunity;
import dev.silkroute.bgp.attribute.community.Ipv6ExtendedCommunity;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.RouteDistinguisher;

/** Texts that users enter have one canonical form, and communities of any bytes have a text. */
class TextFuzz {

    /** Input: an address or a prefix. */
    @FuzzTest(maxDuration = "1m")
    void prefix(byte[] input) {
        IpPrefix parsed;
        try {
            parsed = IpPrefix.parse(new String(input, UTF_8));
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).contains("is not a valid IPv");
            return;
        }
        assertThat(parsed.length()).isBetween(0, parsed.ipv6() ? 128 : 32);
        assertThat(IpPrefix.parse(parsed.toString())).isEqualTo(parsed);
    }

    /** Input: a route distinguisher. */
    @FuzzTest(maxDuration = "1m")
    void routeDistinguisher(byte[] input) {
        long parsed;
        try {
            parsed = RouteDistinguisher.parse(new String(input, UTF_8));
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).endsWith("is not a valid route distinguisher");
            return;
        }
        String text = RouteDistinguisher.exactText(parsed);
        assertThat(RouteDistinguisher.exactText(RouteDistinguisher.parse(text))).isEqualTo(text);
    }

    /** Input: bytes of extended communities, eight or twenty each. */
    @FuzzTest(maxDuration = "1m")
    void communityBytes(byte[] input) {
        if (input.length >= 8) {
            String text = ExtendedCommunity.text(BigEndian.i64(input, 0));
            assertThat(text).matches("0x[0-9a-f]{16}|[a-z0-9-]+(:[^:]+)*");
        }
        if (input.length >= Ipv6ExtendedCommunity.LENGTH) {
            assertThat(Ipv6ExtendedCommunity.text(input, 0))
                    .matches("0x[0-9a-f]{40}|[a-z0-9-]+:\\[[0-9a-f:.]+]:[0-9]+");
        }
    }
}
