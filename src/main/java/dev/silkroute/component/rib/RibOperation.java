package dev.silkroute.component.rib;

import java.util.Arrays;
import java.util.Locale;

/** What an endpoint does with the RIB. */
public enum RibOperation {
    /** Takes route batches in. */
    APPLY,
    /** Takes away what is gone, and ends what has been stale for too long. */
    SWEEP,
    /** Finds the routes of addresses. */
    LOOKUP,
    /** Adds to flow records what the routes of their addresses say. */
    ENRICH;

    static RibOperation of(String text) {
        for (RibOperation operation : values()) {
            if (operation.name().equalsIgnoreCase(text)) {
                return operation;
            }
        }
        throw new IllegalArgumentException(
                "rib:" + text + " is none of " + Arrays.toString(values()).toLowerCase(Locale.ROOT));
    }
}
