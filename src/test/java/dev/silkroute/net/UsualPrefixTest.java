package dev.silkroute.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares prefixes with those that the library parses from the same text. */
class UsualPrefixTest {
    private static final String CHARACTERS = "0123456789abcdefABCDEFg:./% ";

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 0.0.0.0/32",
        "0.0.0.0/0, 0.0.0.0/0",
        "255.255.255.255/32, 255.255.255.255/32",
        "192.0.2.129/25, 192.0.2.128/25",
        "255.255.255.255/1, 128.0.0.0/1",
        "::, ::/128",
        "::/0, ::/0",
        "::1, ::1/128",
        "1::, 1::/128",
        "2001:DB8::/32, 2001:db8::/32",
        "2001:0db8:0000::/48, 2001:db8::/48",
        "2001:db8::1/32, 2001:db8::/32",
        "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff/65, 2001:db8:ffff:ffff:8000::/65",
        "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8/128",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0/128",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8/128",
        "1:2:3::5:6:7:8, 1:2:3:0:5:6:7:8/128",
        "1:2:3:4:5::8/127, 1:2:3:4:5::8/127",
        "1::4:5:6:7:8, 1::4:5:6:7:8/128",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128",
        "::ffff:c000:201/120, 192.0.2.0/24",
        "::ffff:0:0/90, ::ffc0:0:0/90",
    })
    void usualTextIsParsedAsByTheLibrary(String given, String expected) {
        assertThat(UsualPrefix.parse(given)).hasToString(expected).isEqualTo(IpPrefix.parseWithLibrary(given));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/24",
                ":",
                ".",
                ":::",
                "1:",
                ":1",
                "1::2:",
                ":1::2",
                "1::2::3",
                ":::1",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "::1:2:3:4:5:6:7:8",
                "1:2:3:4::5:6:7:8",
                "20010:db8::",
                "00db8::",
                "2001:db8::g",
                "2001:db8::\uff11",
                "fe80::1%eth0",
                "fe80::1%eth0/64",
                "[::1]",
                "::ffff:192.0.2.1",
                "64:ff9b::192.0.2.33/96",
                "::/129",
                "::/",
                "::/064",
                "::/-1",
                "::/+1",
                "::1/64/2",
                "::/9999999999",
                "192.0.2",
                "192.0.2.1.5",
                "192.0.2.1.",
                ".192.0.2.1",
                "192..2.1",
                "192.0.2.256",
                "192.0.2.01",
                "192.0.2.0001",
                "192.0.2.\u0661",
                "192.0.2.0/33",
                "192.0.2.0/08",
                "192.0.2.0/",
                "192.0.2.0/24/8",
                "192.0.2.0/1.2",
                "192.0.2.0/24:",
                "192.0.2/24.0",
                "192.0.2.0/255.255.255.0",
                " 192.0.2.1",
                "192.0.2.1 ",
                "::1 ",
                "*"
            })
    void anyOtherTextIsLeftToTheLibrary(String text) {
        assertThat(UsualPrefix.parse(text)).isNull();
    }

    @Test
    void canonicalTextIsUsual() {
        Random random = new Random(5952);
        for (int i = 0; i < 20_000; i++) {
            IpPrefix prefix = random.nextBoolean()
                    ? IpPrefix.ipv4(random.nextInt(), random.nextInt(33))
                    : IpPrefix.ipv6(
                            random.nextLong() << 16 * random.nextInt(4),
                            random.nextLong() << 16 * random.nextInt(4),
                            random.nextInt(129));
            assertThat(UsualPrefix.parse(prefix.toString())).isEqualTo(prefix);
        }
    }

    @Test
    void randomTextIsParsedAsByTheLibrary() {
        Random random = new Random(4291);
        int usual = 0;
        int changed = 0;
        for (int i = 0; i < 60_000; i++) {
            String text = random.nextInt(3) == 0 ? ipv4(random) : ipv6(random);
            if (random.nextInt(3) > 0) {
                text += "/" + random.nextInt(random.nextInt(3) == 0 ? 140 : 34);
            }
            boolean isChanged = random.nextInt(3) == 0;
            text = isChanged ? withAnotherCharacter(random, text) : text;
            IpPrefix parsed = UsualPrefix.parse(text);
            if (parsed != null) {
                assertThat(parsed).as(text).isEqualTo(IpPrefix.parseWithLibrary(text));
                usual++;
                changed += isChanged ? 1 : 0;
            }
        }
        assertThat(usual).isGreaterThan(20_000);
        assertThat(changed).isGreaterThan(2_000);
    }

    private static String ipv4(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            text.append(i == 0 ? "" : ".").append(random.nextInt(random.nextInt(20) == 0 ? 300 : 256));
        }
        return text.toString();
    }

    /** Returns groups with and without leading zeros, in both cases, with a gap or an IPv4 address, or too many. */
    private static String ipv6(Random random) {
        int groups = random.nextInt(10) == 0 ? random.nextInt(10) : 8;
        int gap = random.nextInt(3) == 0 ? -1 : random.nextInt(groups + 1);
        int gapEnd = gap < 0 ? -1 : gap + random.nextInt(groups - gap + 1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < groups; i++) {
            if (i == gap) {
                text.append("::");
            }
            if (i >= gap && i < gapEnd) {
                continue;
            }
            text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":");
            String group =
                    (random.nextInt(4) == 0 ? "%04x" : "%x").formatted(random.nextInt(1 << 4 * random.nextInt(5)));
            text.append(random.nextInt(3) == 0 ? group.toUpperCase(Locale.ROOT) : group);
        }
        return text.append(random.nextInt(20) == 0 ? ":" + ipv4(random) : "").toString();
    }

    private static String withAnotherCharacter(Random random, String text) {
        int at = random.nextInt(text.length() + 1);
        int end = Math.min(text.length(), at + random.nextInt(2));
        String other = random.nextInt(4) == 0 ? "" : "" + CHARACTERS.charAt(random.nextInt(CHARACTERS.length()));
        return text.substring(0, at) + other + text.substring(end);
    }
}
