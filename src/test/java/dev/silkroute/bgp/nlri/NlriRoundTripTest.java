package dev.silkroute.bgp.nlri;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.nlri.NlriExamples.Example;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whatever NlriFormat takes for an NLRI has a text, and the text the same bytes. */
class NlriRoundTripTest {
    private static final long SEED = 20_261_121;

    /** Whether text and bytes agree, as far as bytes mean something. */
    private static void check(int family, byte[] b, int to, String from) {
        byte[] nlri = Arrays.copyOf(b, to);
        String text = NlriText.exact(family, nlri, 0, to);
        byte[] parsed = NlriText.parse(family, text);
        String what = from + ": " + Family.text(family) + " " + HexFormat.of().formatHex(nlri) + " " + text;
        assertThat(NlriText.exact(family, parsed, 0, parsed.length)).as(what).isEqualTo(text);
        if (NlriFormat.isPrefix(family)) {
            int used = nlri[0] & 7;
            if (used != 0) {
                nlri[to - 1] &= (byte) (0xFF00 >>> used);
            }
            assertThat(parsed).as(what).isEqualTo(nlri);
        } else if ((nlri[0] & 0xF0) == 0xF0 && parsed.length < to) {
            assertThat(parsed).as(what).isEqualTo(key(family, nlri));
        } else {
            assertThat(parsed).as(what).isEqualTo(nlri);
        }
        if (!NlriFormat.isPrefix(family)) {
            assertThat(key(family, parsed)).as(what).isEqualTo(key(family, nlri));
        }
    }

    private static byte[] key(int family, byte[] b) {
        ByteSink out = new ByteSink();
        NlriKey.write(family, b, 0, b.length, out);
        return out.toByteArray();
    }

    @Test
    void changedExamples() {
        RandomNlri random = new RandomNlri(SEED);
        Map<Integer, Integer> whole = new TreeMap<>();
        for (int round = 0; round < 2000; round++) {
            for (Example example : NlriExamples.all()) {
                byte[] b = random.next(example.bytes());
                int end = NlriFormat.next(example.family(), b, 0, b.length, false, false);
                if (end >= 0) {
                    check(example.family(), b, end, "seed " + SEED + " round " + round);
                    whole.merge(example.family(), 1, Integer::sum);
                }
            }
        }
        // Then: every family was really tried
        for (Example example : NlriExamples.all()) {
            assertThat(whole.getOrDefault(example.family(), 0))
                    .as(example.toString())
                    .isGreaterThan(200);
        }
    }

    @Test
    void flowSpecifications() {
        RandomNlri random = new RandomNlri(SEED);
        int whole = 0;
        for (int round = 0; round < 20_000; round++) {
            boolean ipv6 = round % 2 == 0;
            byte[] b = random.flowSpec(ipv6);
            int family = ipv6 ? Family.IPV6_FLOWSPEC : Family.IPV4_FLOWSPEC;
            int end = NlriFormat.next(family, b, 0, b.length, false, false);
            if (b.length > 1) {
                assertThat(end)
                        .as("round %d %s", round, HexFormat.of().formatHex(b))
                        .isEqualTo(b.length);
                check(family, b, end, "seed " + SEED + " round " + round);
                whole++;
            }
        }
        assertThat(whole).isGreaterThan(15_000);
    }
}
