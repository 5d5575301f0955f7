package dev.silkroute.route;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One code for each event of a batch, in the order of the batch, as a header beside the batch holds them: an array, or
 * a {@link Deferred} that computes them when one is read. Thread-safe as long as the array does not change.
 */
public final class EventCodes {
    /** All codes are 0. */
    public static final EventCodes NONE = new EventCodes(new byte[0], 0);

    /** Computes the codes of a batch. Thread-safe. */
    @FunctionalInterface
    public interface Deferred {
        /** Returns one code for each event, or an empty array if all are 0. */
        byte[] codes(RouteBatch batch);
    }

    private final int size;
    private volatile byte @Nullable [] codes;
    private @Nullable Deferred deferred;
    private @Nullable RouteBatch batch;

    private EventCodes(byte[] codes, int size) {
        this.codes = codes;
        this.size = size;
    }

    private EventCodes(Deferred deferred, RouteBatch batch) {
        this.deferred = deferred;
        this.batch = batch;
        size = batch.eventCount();
    }

    /**
     * Returns the codes of a header, {@link #NONE} unless there is one for each event of the batch.
     *
     * @param header a {@link Deferred}, or an array of bytes, which is kept, not copied
     */
    public static EventCodes of(@Nullable Object header, RouteBatch batch) {
        return switch (header) {
            case Deferred deferred -> new EventCodes(deferred, batch);
            case byte[] codes when codes.length == batch.eventCount() -> new EventCodes(codes, codes.length);
            case null, default -> NONE;
        };
    }

    /**
     * Returns the code of an event.
     *
     * @param event its index in the batch
     */
    public int code(int event) {
        byte[] known = codes;
        if (known == null) {
            known = compute();
        }
        return event < known.length ? known[event] : 0;
    }

    private synchronized byte[] compute() {
        byte[] known = codes;
        if (known == null) {
            known = Objects.requireNonNull(deferred).codes(Objects.requireNonNull(batch));
            codes = known;
            deferred = null;
            batch = null;
        }
        return known;
    }

    /** Returns the size in bytes, that of codes that are not computed yet included. */
    public int size() {
        return size;
    }
}
