package dev.silkroute.rib;

import java.util.Arrays;

/**
 * What each event of a batch did, in the batch's order, and how often which outcome came. Filled by {@link Rib#apply}; meant to be used
 * again. Not thread-safe.
 */
public final class Outcomes {
    private byte[] codes = new byte[256];
    private int size;
    private final int[] counts = new int[RouteOutcome.values().length];

    void begin(int events) {
        if (codes.length < events) {
            codes = new byte[Math.max(events, codes.length * 2)];
        }
        size = events;
        Arrays.fill(counts, 0);
    }

    /** Shards write different elements. */
    byte[] codes() {
        return codes;
    }

    void count() {
        for (int i = 0; i < size; i++) {
            counts[codes[i]]++;
        }
    }

    /** Number of events of the batch. */
    public int size() {
        return size;
    }

    /** What the event at a position did; positions are those of {@link dev.silkroute.route.RouteCursor}, from 0 on. */
    public RouteOutcome of(int event) {
        if (event >= size) {
            throw new IndexOutOfBoundsException(event);
        }
        return RouteOutcome.of(codes[event]);
    }

    /** How many events had an outcome. */
    public int count(RouteOutcome outcome) {
        return counts[outcome.ordinal()];
    }
}
