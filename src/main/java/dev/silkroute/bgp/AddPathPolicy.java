package dev.silkroute.bgp;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Who decides whether NLRI carry path identifiers (RFC 7911): the OPENs, the OPENs corrected by the bytes, or the
 * operator.
 */
public enum AddPathPolicy {
    /** What the OPENs agree on, whatever the bytes look like. */
    STRICT,
    /** What the OPENs agree on, until the bytes prove the opposite; see {@link AddPathReading}. */
    HEURISTIC,
    /** Every family of every peer has path identifiers: for routers that send them and do not say so. */
    FORCE;

    /** @throws IllegalArgumentException for a text that is no policy, saying which ones there are */
    public static AddPathPolicy of(String text) {
        for (AddPathPolicy policy : values()) {
            if (policy.text().equals(text.strip().toLowerCase(Locale.ROOT))) {
                return policy;
            }
        }
        throw new IllegalArgumentException("'" + text + "' is none of "
                + Arrays.stream(values()).map(AddPathPolicy::text).collect(Collectors.joining(", ")));
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
