package dev.silkroute.chaos;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The routes of the announcements and withdrawals of one session, by sequence. Not thread-safe. */
final class SessionEvents {
    private long[] sequences = new long[64];
    private RouteStory[] routes = new RouteStory[64];
    private int size;

    /** @param sequence higher than all before */
    void add(long sequence, RouteStory route) {
        if (size == sequences.length) {
            sequences = Arrays.copyOf(sequences, size * 2);
            routes = Arrays.copyOf(routes, size * 2);
        }
        sequences[size] = sequence;
        routes[size++] = route;
    }

    @Nullable
    RouteStory route(long sequence) {
        int at = Arrays.binarySearch(sequences, 0, size, sequence);
        return at < 0 ? null : routes[at];
    }
}
