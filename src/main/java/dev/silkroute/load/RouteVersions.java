package dev.silkroute.load;

import org.jspecify.annotations.Nullable;

/**
 * The current version of every route of one RIB. The version selects the attributes that are drawn for the route: a
 * route that returns to a version has the same attributes again. Not thread-safe.
 *
 * <p>Every route starts announced with version {@link #INITIAL}. A change gives it a positive version, a malformed
 * message that still announces the route a negative one below −1. The arrays are allocated with the first change:
 * without churn a RIB costs nothing per route.
 */
final class RouteVersions {
    /** The version of a route that was never changed; such routes share the attributes of their group. */
    static final int INITIAL = 0;

    private static final int WITHDRAWN = -1;
    private static final Malformation[] MALFORMATIONS = Malformation.values();

    private final int slots;

    /** Indexed by slot, or empty before the first change. */
    private int[] versions = {};

    /** Indexed by slot: the ordinal of the {@link Malformation} plus one, or 0 for none; empty before the first one. */
    private byte[] malformations = {};

    RouteVersions(int slots) {
        this.slots = slots;
    }

    /** Returns a copy that later changes do not affect. */
    RouteVersions copy() {
        RouteVersions copy = new RouteVersions(slots);
        copy.versions = versions.clone();
        copy.malformations = malformations.clone();
        return copy;
    }

    int slots() {
        return slots;
    }

    boolean isAnnounced(int slot) {
        return version(slot) != WITHDRAWN;
    }

    boolean isInitial(int slot) {
        return version(slot) == INITIAL;
    }

    /** Returns the version; meaningful only if the route is announced. */
    int version(int slot) {
        return versions.length == 0 ? INITIAL : versions[slot];
    }

    /** Returns what was wrong with the message that announced the route, or null if it was well-formed. */
    @Nullable
    Malformation malformation(int slot) {
        return malformations.length == 0 || malformations[slot] == 0 ? null : MALFORMATIONS[malformations[slot] - 1];
    }

    void withdraw(int slot) {
        set(slot, WITHDRAWN);
    }

    void announce(int slot, int version) {
        set(slot, version);
    }

    void announceMalformed(int slot, int version, Malformation malformation) {
        set(slot, version);
        if (malformations.length == 0) {
            malformations = new byte[slots];
        }
        malformations[slot] = (byte) (malformation.ordinal() + 1);
    }

    private void set(int slot, int version) {
        if (versions.length == 0) {
            versions = new int[slots];
        }
        versions[slot] = version;
        if (malformations.length > 0) {
            malformations[slot] = 0;
        }
    }
}
