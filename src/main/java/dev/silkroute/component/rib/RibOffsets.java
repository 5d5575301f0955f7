package dev.silkroute.component.rib;

import java.util.OptionalLong;

/**
 * Keeps the offsets up to which a RIB has applied the partitions of its topics, so that each record is applied once,
 * and reports whether the RIB has caught up, so that nobody reads half of it. Called by one thread at a time; {@link
 * #ready} and {@link #lastUpdated} by any.
 */
public interface RibOffsets {
    /** Keeps nothing: every record is new, and the RIB is always ready. */
    RibOffsets NONE = new RibOffsets() {
        @Override
        public boolean isNew(String topic, int partition, long offset) {
            return true;
        }

        @Override
        public void applied(String topic, int partition, long offset) {
            // not needed
        }
    };

    /** Returns whether the RIB has not applied the record yet. */
    boolean isNew(String topic, int partition, long offset);

    /** Records that the RIB has applied a record. */
    void applied(String topic, int partition, long offset);

    /** Returns until when, in milliseconds since 1970, the RIB includes what routers have sent; empty if unknown. */
    default OptionalLong lastUpdated() {
        return OptionalLong.empty();
    }

    /** Returns whether the RIB has caught up since it was started. It stays ready when it lags behind later. */
    default boolean ready() {
        return true;
    }
}
