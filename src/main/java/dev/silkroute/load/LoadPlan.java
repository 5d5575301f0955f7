package dev.silkroute.load;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** A profile with what all its routers share: the prefixes. Immutable. */
public final class LoadPlan {
    private final LoadProfile profile;
    private final Map<Integer, Nlris> families = new LinkedHashMap<>();

    public LoadPlan(LoadProfile profile) {
        this.profile = profile;
        Map<Boolean, PrefixTable> tables = new HashMap<>();
        for (int family : profile.families()) {
            PrefixTable table = tables.computeIfAbsent(
                    Nlris.ipv6(family), ipv6 -> new PrefixTable(profile.seed(), ipv6, profile.prefixes()));
            families.put(family, Nlris.of(family, table));
        }
    }

    public LoadProfile profile() {
        return profile;
    }

    Iterable<Nlris> families() {
        return families.values();
    }

    /** A router at the beginning of its session. */
    public LoadRouter router(int number) {
        return new LoadRouter(this, number);
    }
}
