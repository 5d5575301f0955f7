package dev.silkroute.component.rib;

/**
 * Keeps where a RIB stands in the topics that it is fed from, so that each record counts once; and knows whether it has been read, so that nobody
 * is told half of it. Called by one thread at a time, {@link #ready} by any.
 */
public interface RibPlaces {
    /** Keeps nothing: every record counts. */
    RibPlaces NONE = new RibPlaces() {
        @Override
        public boolean isNew(String topic, int partition, long offset) {
            return true;
        }

        @Override
        public void applied(String topic, int partition, long offset) {
            // nobody asks
        }
    };

    /** @return false if the RIB has what the record says already */
    boolean isNew(String topic, int partition, long offset);

    /** The RIB has what the record says. */
    void applied(String topic, int partition, long offset);

    /** Whether the RIB has been read; that it lags behind from then on changes nothing. */
    default boolean ready() {
        return true;
    }
}
