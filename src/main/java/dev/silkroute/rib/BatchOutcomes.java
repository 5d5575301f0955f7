package dev.silkroute.rib;

import dev.silkroute.route.RouteChange;
import java.util.Arrays;

/**
 * The outcome of each event of a batch, in the batch's order, and the number of events per outcome. Filled by {@link
 * Rib#apply}; can be reused. Not thread-safe.
 *
 * <p>One byte per event: the ordinal of a {@link RouteOutcome}, with bit 6 set if the path has changed. For example,
 * 0x42 is {@code CHANGED} with another AS path or next hop.
 */
public final class BatchOutcomes {
    /** The AS path or the next hop of a changed route is different. */
    public static final int PATH_CHANGED = 0x40;

    private static final int CODE = PATH_CHANGED - 1;

    private final boolean comparesPaths;
    private byte[] codes = new byte[256];
    private int size;
    private final int[] counts = new int[RouteOutcome.values().length];

    public BatchOutcomes() {
        this(false);
    }

    /** @param comparesPaths whether to compare the paths of changed routes, as {@link #change} requires */
    public BatchOutcomes(boolean comparesPaths) {
        this.comparesPaths = comparesPaths;
    }

    boolean comparesPaths() {
        return comparesPaths;
    }

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
            counts[codes[i] & CODE]++;
        }
    }

    /** The number of events in the batch. */
    public int size() {
        return size;
    }

    /**
     * Returns the outcome of an event.
     *
     * @param event position in the batch, as of {@link dev.silkroute.route.RouteCursor}, from 0 on
     */
    public RouteOutcome of(int event) {
        if (event >= size) {
            throw new IndexOutOfBoundsException(event);
        }
        return RouteOutcome.of(codes[event] & CODE);
    }

    /** The number of events with an outcome. */
    public int count(RouteOutcome outcome) {
        return counts[outcome.ordinal()];
    }

    /** Returns what an event has changed. */
    public RouteChange change(int event) {
        return switch (of(event)) {
            case STATE -> RouteChange.NOT_REPORTED;
            case NEW -> RouteChange.NEW;
            case CHANGED -> (codes[event] & PATH_CHANGED) != 0 ? RouteChange.IMPLICIT_WITHDRAW : RouteChange.ATTRIBUTES;
            case CONFIRMED -> RouteChange.CONFIRMED;
            case UNCHANGED -> RouteChange.NONE;
            case WITHDRAWN -> RouteChange.WITHDRAW;
            case UNKNOWN -> RouteChange.UNKNOWN;
            case IGNORED -> RouteChange.IGNORED;
            case REJECTED -> RouteChange.REJECTED;
        };
    }

    /** Returns the codes of what all events have changed. */
    public byte[] changes() {
        byte[] changes = new byte[size];
        for (int i = 0; i < size; i++) {
            changes[i] = change(i).code();
        }
        return changes;
    }
}
