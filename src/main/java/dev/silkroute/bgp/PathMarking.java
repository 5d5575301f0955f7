package dev.silkroute.bgp;

import java.util.ArrayList;
import java.util.List;

/**
 * The status of a path in the router's decision process and the reason for it (draft-ietf-grow-bmp-path-marking-tlv),
 * as one {@code long}.
 *
 * <pre>
 * bits 0..31 status bitmap | bits 32..47 reason | bit 48 has a reason; negative: no marking
 * </pre>
 *
 * Example: {@code 0x0001_0003_0000_0002} is the status best with the reason not-preferred-local-pref. A status of 0 is
 * a marking too: no status applies.
 */
public final class PathMarking {
    public static final long NONE = -1;

    private static final int REASON_SHIFT = 32;
    private static final long HAS_REASON = 1L << 48;

    /** Indexed by bit. */
    private static final String[] STATUSES = {
        "invalid",
        "best",
        "non-selected",
        "primary",
        "backup",
        "non-installed",
        "best-external",
        "add-path",
        "filtered-inbound",
        "filtered-outbound",
        "stale",
        "suppressed"
    };

    private static final String[] REASONS = {
        "reason-0",
        "invalid-as-loop",
        "invalid-unresolvable-next-hop",
        "not-preferred-local-pref",
        "not-preferred-as-path-length",
        "not-preferred-origin",
        "not-preferred-med",
        "not-preferred-peer-type",
        "not-preferred-igp-cost",
        "not-preferred-router-id",
        "not-preferred-peer-address",
        "not-preferred-aigp"
    };

    private PathMarking() {}

    public static long of(int status) {
        return Integer.toUnsignedLong(status);
    }

    /** @param reason 16 bits */
    public static long of(int status, int reason) {
        return of(status) | (long) (reason & 0xFFFF) << REASON_SHIFT | HAS_REASON;
    }

    public static boolean isMarked(long marking) {
        return marking >= 0;
    }

    /** Returns the status bitmap. */
    public static int status(long marking) {
        return (int) marking;
    }

    public static boolean hasReason(long marking) {
        return isMarked(marking) && (marking & HAS_REASON) != 0;
    }

    public static int reason(long marking) {
        return (int) (marking >>> REASON_SHIFT) & 0xFFFF;
    }

    /** Combines the markings of one path: every status applies, and the first reason is kept. */
    public static long merge(long one, long other) {
        if (!isMarked(one) || !isMarked(other)) {
            return isMarked(one) ? one : other;
        }
        int status = status(one) | status(other);
        if (!hasReason(one) && !hasReason(other)) {
            return of(status);
        }
        return of(status, reason(hasReason(one) ? one : other));
    }

    /** Returns the names of the bits that are set, {@code status-N} for bit N without a name. */
    public static List<String> statusTexts(int status) {
        List<String> texts = new ArrayList<>();
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            if ((status >>> bit & 1) != 0) {
                texts.add(bit < STATUSES.length ? STATUSES[bit] : "status-" + bit);
            }
        }
        return texts;
    }

    public static String reasonText(int reason) {
        return reason < REASONS.length ? REASONS[reason] : "reason-" + reason;
    }
}
