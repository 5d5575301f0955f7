package dev.silkroute.rib;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Visits routes step by step. Each step is a section of its own, so any time may pass between two. A route that exists
 * all the time is visited exactly once; one that comes, goes or changes meanwhile is visited in its state at that
 * moment, or not at all. Not thread-safe.
 */
public abstract class RouteScan {
    RouteScan() {}

    /**
     * Visits the next few routes, perhaps none.
     *
     * @param each receives a view that is valid during the call
     * @return whether there may be more
     */
    public abstract boolean advance(Consumer<RouteView> each);

    /**
     * Skips routes without visiting them, where counters allow it.
     *
     * @param most the maximum number to skip
     * @return the number skipped, possibly 0
     */
    public long skip(long most) {
        return 0;
    }

    /** Splits off about half of what is ahead, or returns null. */
    public @Nullable RouteScan split() {
        return null;
    }

    /** The approximate number of routes ahead. */
    public long estimate() {
        return Long.MAX_VALUE;
    }
}
