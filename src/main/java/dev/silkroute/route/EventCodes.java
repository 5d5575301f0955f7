package dev.silkroute.route;

import org.jspecify.annotations.Nullable;

/**
 * One code for each event of a batch, in the order of the batch, as a header beside the batch holds them. Thread-safe
 * as long as the array does not change.
 */
public final class EventCodes {
    /** All codes are 0. */
    public static final EventCodes NONE = new EventCodes(new byte[0]);

    private final byte[] codes;

    private EventCodes(byte[] codes) {
        this.codes = codes;
    }

    /**
     * Returns the codes of a header, {@link #NONE} unless there is one for each event of the batch.
     *
     * @param header kept, not copied
     */
    public static EventCodes of(byte @Nullable [] header, RouteBatch batch) {
        return header != null && header.length == batch.eventCount() ? new EventCodes(header) : NONE;
    }

    /**
     * Returns the code of an event.
     *
     * @param event its index in the batch
     */
    public int code(int event) {
        return event < codes.length ? codes[event] : 0;
    }

    /** Returns the size in bytes. */
    public int size() {
        return codes.length;
    }
}
