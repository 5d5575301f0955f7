package dev.silkroute.load;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** A profile and the prefixes that all its routers share. Immutable, so routers on several threads may use one plan. */
public final class LoadPlan {
    private final LoadProfile profile;
    private final Map<Integer, NlriSeries> families = new LinkedHashMap<>();

    public LoadPlan(LoadProfile profile) {
        this.profile = profile;
        Map<Boolean, PrefixTable> tables = new HashMap<>();
        for (int family : profile.families()) {
            PrefixTable table = tables.computeIfAbsent(
                    NlriSeries.isIpv6(family),
                    ipv6 -> new PrefixTable(profile.seed(), ipv6, mostPrefixes(profile, ipv6)));
            families.put(family, NlriSeries.of(family, table));
        }
    }

    /** Returns the most prefixes of a family: the others have the first ones of the same table. */
    private static int mostPrefixes(LoadProfile profile, boolean ipv6) {
        return profile.families().stream()
                .filter(family -> NlriSeries.isIpv6(family) == ipv6)
                .mapToInt(profile::prefixes)
                .max()
                .orElse(0);
    }

    public LoadProfile profile() {
        return profile;
    }

    Iterable<NlriSeries> families() {
        return families.values();
    }

    /**
     * Returns a router at the beginning of its session.
     *
     * @param number from 0
     */
    public LoadRouter router(int number) {
        return new LoadRouter(this, number);
    }
}
