package dev.silkroute.component.rib;

import java.util.Arrays;
import java.util.Locale;

/** The operation of a {@code rib:} endpoint. */
public enum RibOperation {
    /** Applies route batches, and ends and removes routes that have been stale for too long. */
    APPLY,
    /** Finds the routes of addresses. */
    LOOKUP,
    /** Finds the routes that meet conditions. */
    FIND,
    /** Adds the routes of their addresses to flow records. */
    ENRICH;

    static RibOperation of(String text) {
        for (RibOperation operation : values()) {
            if (operation.name().equalsIgnoreCase(text)) {
                return operation;
            }
        }
        throw new IllegalArgumentException("'rib:" + text + "' is not supported: the operation must be one of "
                + Arrays.toString(values()).toLowerCase(Locale.ROOT));
    }
}
