package dev.silkroute.alert;

import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.SortedPrefixes;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The monitored prefixes of one address family, for lookups of the longest one that covers a prefix. Immutable. */
final class MonitoredPrefixes {
    private final List<MonitoredPrefix> entries;
    private final SortedPrefixes prefixes;

    MonitoredPrefixes(Collection<MonitoredPrefix> all, boolean ipv6) {
        entries = all.stream()
                .filter(entry -> entry.prefix().ipv6() == ipv6)
                .sorted(Comparator.comparing(MonitoredPrefix::prefix, IpPrefix.ORDER))
                .toList();
        prefixes =
                new SortedPrefixes(entries.stream().map(MonitoredPrefix::prefix).toList(), ipv6);
    }

    /** Returns the entry of the longest monitored prefix that covers a prefix; null if there is none. */
    @Nullable
    MonitoredPrefix find(long high, long low, int length) {
        int found = prefixes.longestCovering(high, low, length);
        return found < 0 ? null : entries.get(found);
    }
}
