package dev.silkroute.mrt;

import dev.silkroute.net.DecodeException;
import java.util.ArrayList;
import java.util.List;

/**
 * The capabilities of each BGP session of a file, in the order in which the sessions begin. The first pass over the
 * file infers them, the next ones use them. Not thread-safe.
 */
final class SessionCapabilitiesList {
    /** Bounds the memory that a malicious file can take. */
    private static final int MAX_SESSIONS = 1 << 18;

    private final List<SessionCapabilities> all;
    private final boolean isInferring;
    private int position;

    private SessionCapabilitiesList(List<SessionCapabilities> all, boolean isInferring) {
        this.all = all;
        this.isInferring = isInferring;
    }

    static SessionCapabilitiesList inferring() {
        return new SessionCapabilitiesList(new ArrayList<>(), true);
    }

    /** Returns the inferred capabilities for another pass, from the first session. */
    SessionCapabilitiesList inferred() {
        return new SessionCapabilitiesList(all, false);
    }

    boolean isInferring() {
        return isInferring;
    }

    SessionCapabilities next() {
        if (isInferring) {
            if (all.size() == MAX_SESSIONS) {
                throw new DecodeException("more than " + MAX_SESSIONS + " BGP sessions", 0, "RFC 6396");
            }
            all.add(new SessionCapabilities());
        }
        return all.get(position++);
    }
}
