package dev.silkroute.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.IpPrefix;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the lookups with a search through all prefixes. */
class MonitoredPrefixesTest {
    private static final int PREFIXES = 500;
    private final Random random = new Random(7);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theLongestCoveringPrefixIsFound(boolean ipv6) {
        Set<IpPrefix> nested =
                Stream.generate(() -> prefix(ipv6)).limit(PREFIXES).collect(Collectors.toSet());
        List<MonitoredPrefix> entries =
                nested.stream().map(MonitoredPrefixesTest::entry).toList();
        MonitoredPrefixes prefixes = new MonitoredPrefixes(both(entries, ipv6), ipv6);
        int covered = 0;
        for (int i = 0; i < 10 * PREFIXES; i++) {
            IpPrefix sought = prefix(ipv6);
            IpPrefix expected = nested.stream()
                    .filter(each -> each.covers(sought))
                    .max(Comparator.comparingInt(IpPrefix::length))
                    .orElse(null);
            MonitoredPrefix found = prefixes.find(sought.high(), sought.low(), sought.length());
            assertThat(found == null ? null : found.prefix())
                    .as("for " + sought)
                    .isEqualTo(expected);
            covered += expected == null ? 0 : 1;
        }
        assertThat(covered).isBetween(100, 10 * PREFIXES - 100);
    }

    /** Adds an entry of the other family, which must not be found. */
    private static List<MonitoredPrefix> both(List<MonitoredPrefix> entries, boolean ipv6) {
        List<MonitoredPrefix> both = new ArrayList<>(entries);
        both.add(entry(IpPrefix.parse(ipv6 ? "0.0.0.0/0" : "::/0")));
        return both;
    }

    /** A prefix with few different bits, also in the last ones, so that many prefixes cover each other. */
    private IpPrefix prefix(boolean ipv6) {
        int length = random.nextInt(4, ipv6 ? 129 : 33);
        long high = ipv6 ? bits() << 32 | bits() : 0;
        long low = ipv6 ? bits() << 32 | bits() : bits();
        return ipv6
                ? new IpPrefix(true, Addresses.maskHigh(high, length), Addresses.maskLow(low, length), length)
                : new IpPrefix(false, 0, Integer.toUnsignedLong(Addresses.maskIpv4((int) low, length)), length);
    }

    private long bits() {
        return random.nextInt() & 0xFC300003L;
    }

    private static MonitoredPrefix entry(IpPrefix prefix) {
        return Objects.requireNonNull(
                RulesFile.parse("\"" + prefix + "\": {description: \"\", asn: 64500, ignoreMorespecifics: false}\n")
                        .entries()
                        .iterator()
                        .next());
    }
}
