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

/** Whatever NlriFormat accepts has a text, and NLRI that differ in a bit that has a meaning have different texts. */
class NlriTextPropertiesTest {
    private static final long SEED = 20_261_121;

    /** Flips each bit of an NLRI: the text changes, unless the bit has no meaning. */
    private static void check(int family, byte[] nlri, String source) {
        int length = nlri.length;
        String text = NlriText.of(family, nlri, 0, length);
        assertThat(text).isNotEmpty();
        for (int bit = 0; bit < 8 * length; bit++) {
            byte[] other = nlri.clone();
            other[bit / 8] ^= (byte) (0x80 >>> bit % 8);
            boolean valid = NlriFormat.next(family, other, 0, length, false, false) == length;
            if (valid && !isMeaningless(family, nlri, other)) {
                assertThat(NlriText.of(family, other, 0, length))
                        .as(
                                "%s: %s %s and %s",
                                source,
                                Family.text(family),
                                HexFormat.of().formatHex(nlri),
                                HexFormat.of().formatHex(other))
                        .isNotEqualTo(text);
            }
        }
    }

    /** Returns whether two NLRI identify the same route and no attribute of it that the text shows differs. */
    private static boolean isMeaningless(int family, byte[] one, byte[] other) {
        if (!NlriFormat.isPrefix(family)) {
            // Keys and texts of EVPN prefixes differ in host bits: the text shows the whole address.
            return family != Family.EVPN && Arrays.equals(key(family, one), key(family, other));
        }
        NlriReader reader = read(family, one);
        NlriReader changed = read(family, other);
        boolean sameTextOfRd = reader.rd() == changed.rd() || isTwoOrFourOctets(reader.rd(), changed.rd());
        return sameTextOfRd
                && reader.prefixLength() == changed.prefixLength()
                && reader.addressHigh() == changed.addressHigh()
                && reader.addressLow() == changed.addressLow();
    }

    /** Before a prefix, a small four-octet AS number reads like the same number in two octets. */
    private static boolean isTwoOrFourOctets(long rd, long other) {
        return rd >>> 48 != other >>> 48 && (rd >>> 48 | other >>> 48) == 2;
    }

    private static NlriReader read(int family, byte[] nlri) {
        NlriReader reader = new NlriReader();
        reader.read(family, nlri, 0, nlri.length, false, false);
        return reader;
    }

    private static byte[] key(int family, byte[] b) {
        ByteSink out = new ByteSink();
        NlriKey.write(family, b, 0, b.length, out);
        return out.toByteArray();
    }

    @Test
    void mutatedExamples() {
        RandomNlri random = new RandomNlri(SEED);
        Map<Integer, Integer> whole = new TreeMap<>();
        for (int round = 0; round < 200; round++) {
            for (Example example : NlriExamples.all()) {
                byte[] b = random.next(example.bytes());
                int end = NlriFormat.next(example.family(), b, 0, b.length, false, false);
                if (end >= 0) {
                    check(example.family(), Arrays.copyOf(b, end), "seed " + SEED + " round " + round);
                    whole.merge(example.family(), 1, Integer::sum);
                }
            }
        }
        // Then: every family was really tried
        for (Example example : NlriExamples.all()) {
            assertThat(whole.getOrDefault(example.family(), 0))
                    .as(example.toString())
                    .isGreaterThan(20);
        }
    }

    @Test
    void flowSpecifications() {
        RandomNlri random = new RandomNlri(SEED);
        int whole = 0;
        for (int round = 0; round < 2_000; round++) {
            boolean ipv6 = round % 2 == 0;
            byte[] b = random.flowSpec(ipv6);
            int family = ipv6 ? Family.IPV6_FLOWSPEC : Family.IPV4_FLOWSPEC;
            int end = NlriFormat.next(family, b, 0, b.length, false, false);
            if (b.length > 1) {
                assertThat(end)
                        .as("round %d %s", round, HexFormat.of().formatHex(b))
                        .isEqualTo(b.length);
                check(family, b, "seed " + SEED + " round " + round);
                whole++;
            }
        }
        assertThat(whole).isGreaterThan(1_500);
    }
}
