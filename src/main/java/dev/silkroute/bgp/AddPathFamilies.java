package dev.silkroute.bgp;

import dev.silkroute.net.Family;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** The families whose NLRI carry path identifiers in one direction of one session (RFC 7911). Immutable. */
public final class AddPathFamilies {
    public static final AddPathFamilies NONE = new AddPathFamilies(new int[0]);

    private final int[] families;

    private AddPathFamilies(int[] families) {
        this.families = families;
    }

    public static AddPathFamilies of(int... families) {
        return families.length == 0
                ? NONE
                : new AddPathFamilies(
                        Arrays.stream(families).sorted().distinct().toArray());
    }

    public static AddPathFamilies of(Collection<Integer> families) {
        return of(families.stream().mapToInt(Integer::intValue).toArray());
    }

    /**
     * Returns whether a family is in the set. Called once per NLRI field; for the few families of a session a scan is
     * faster than a hash.
     */
    public boolean contains(int family) {
        for (int one : families) {
            if (one == family) {
                return true;
            }
        }
        return false;
    }

    /** Returns the families in ascending order. */
    public List<Integer> families() {
        return Arrays.stream(families).boxed().toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AddPathFamilies that && Arrays.equals(families, that.families);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(families);
    }

    @Override
    public String toString() {
        return Arrays.stream(families).mapToObj(Family::text).toList().toString();
    }
}
