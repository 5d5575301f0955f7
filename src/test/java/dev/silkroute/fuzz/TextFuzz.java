package dev.silkroute.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.ExtendedCommunity;
import dev.silkroute.bgp.attribute.Ipv6ExtendedCommunity;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Bytes;
import java.util.Arrays;

/** Texts that people write, and texts of whatever routers write: what is parsed has one text, and that text is parsed to the same. */
class TextFuzz {

    /** Input: text of an AS path. */
    @FuzzTest(maxDuration = "1m")
    void asPath(byte[] input) {
        AsPath parsed;
        try {
            parsed = AsPath.parse(new String(input, UTF_8));
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotEmpty();
            return;
        }
        assertThat(AsPath.parse(parsed.text()).text()).isEqualTo(parsed.text());
    }

    /** Input: text of an extended community of either length. */
    @FuzzTest(maxDuration = "1m")
    void extendedCommunity(byte[] input) {
        String text = new String(input, UTF_8);
        try {
            long parsed = ExtendedCommunity.parse(text);
            assertThat(ExtendedCommunity.text(ExtendedCommunity.parse(ExtendedCommunity.text(parsed))))
                    .isEqualTo(ExtendedCommunity.text(parsed));
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
        try {
            Bytes parsed = Ipv6ExtendedCommunity.parse(text);
            assertThat(Ipv6ExtendedCommunity.parse(Ipv6ExtendedCommunity.text(parsed)))
                    .isEqualTo(parsed);
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotEmpty();
        }
    }

    /** Input: bytes of extended communities, eight or twenty each. */
    @FuzzTest(maxDuration = "1m")
    void communityBytes(byte[] input) {
        if (input.length >= 8) {
            String text = ExtendedCommunity.text(BigEndian.i64(input, 0));
            assertThat(ExtendedCommunity.text(ExtendedCommunity.parse(text))).isEqualTo(text);
        }
        if (input.length >= Ipv6ExtendedCommunity.LENGTH) {
            Bytes community = Bytes.of(Arrays.copyOf(input, Ipv6ExtendedCommunity.LENGTH));
            assertThat(Ipv6ExtendedCommunity.parse(Ipv6ExtendedCommunity.text(community)))
                    .isEqualTo(community);
        }
    }
}
