package dev.silkroute.names;

import java.util.Map;
import java.util.Optional;

/** The names of autonomous systems. Immutable. */
public final class AsNames {
    /** No autonomous system has a name. */
    public static final AsNames NONE = new AsNames(Map.of());

    private final Map<Long, String> names;

    /** @param names by AS number, unsigned; not copied */
    AsNames(Map<Long, String> names) {
        this.names = names;
    }

    /** Returns the number of names. */
    public int size() {
        return names.size();
    }

    /** Returns the name of an AS, if it is known. */
    public Optional<String> of(long asn) {
        return Optional.ofNullable(names.get(asn));
    }
}
