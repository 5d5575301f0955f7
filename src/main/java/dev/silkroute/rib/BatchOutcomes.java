package dev.silkroute.rib;

import dev.silkroute.route.RouteChange;
import java.util.Arrays;

/**
 * What each event of a batch did, in the batch's order, and how often which outcome came. Filled by {@link Rib#apply}; meant to be used
 * again. Not thread-safe.
 */
public final class BatchOutcomes {
    /** Beside the code of {@link RouteOutcome#CHANGED}: AS path or next hop are others. */
    public static final int PATH_CHANGED = 0x40;

    private static final int CODE = PATH_CHANGED - 1;

    private final boolean ways;
    private byte[] codes = new byte[256];
    private int size;
    private final int[] counts = new int[RouteOutcome.values().length];

    public BatchOutcomes() {
        this(false);
    }

    /** @param ways whether changed routes are asked if their way, AS path and next hop, has changed: {@link #change} needs it */
    public BatchOutcomes(boolean ways) {
        this.ways = ways;
    }

    boolean ways() {
        return ways;
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

    /** Number of events of the batch. */
    public int size() {
        return size;
    }

    /** What the event at a position did; positions are those of {@link dev.silkroute.route.RouteCursor}, from 0 on. */
    public RouteOutcome of(int event) {
        if (event >= size) {
            throw new IndexOutOfBoundsException(event);
        }
        return RouteOutcome.of(codes[event] & CODE);
    }

    /** How many events had an outcome. */
    public int count(RouteOutcome outcome) {
        return counts[outcome.ordinal()];
    }

    /** What the event at a position changed. */
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
            case REFUSED -> RouteChange.REJECTED;
        };
    }

    /** The codes of what all events changed. */
    public byte[] changes() {
        byte[] changes = new byte[size];
        for (int i = 0; i < size; i++) {
            changes[i] = change(i).code();
        }
        return changes;
    }
}
