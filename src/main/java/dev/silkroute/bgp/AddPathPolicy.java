package dev.silkroute.bgp;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The rule that determines whether NLRI carry path identifiers (RFC 7911). */
public enum AddPathPolicy {
    /** The negotiation of the OPENs. */
    STRICT,
    /** The negotiation of the OPENs, until the bytes are evidence of the opposite; see {@link AddPathReading}. */
    HEURISTIC,
    /** Always, for every family of every peer: for routers that send path identifiers without negotiation. */
    FORCE;

    /**
     * Parses a policy.
     *
     * @throws IllegalArgumentException if the text is not a policy; the message lists all of them
     */
    public static AddPathPolicy of(String text) {
        for (AddPathPolicy policy : values()) {
            if (policy.text().equals(text.strip().toLowerCase(Locale.ROOT))) {
                return policy;
            }
        }
        throw new IllegalArgumentException("'" + text + "' is not an ADD-PATH policy; use one of "
                + Arrays.stream(values()).map(AddPathPolicy::text).collect(Collectors.joining(", ")));
    }

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
