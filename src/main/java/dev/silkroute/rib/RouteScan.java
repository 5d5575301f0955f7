package dev.silkroute.rib;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Goes through routes step by step, each step in a section of its own, so that any time may pass between two. A route that is there all the time is met
 * exactly once; one that comes, goes or changes meanwhile is met as it is then, or not. Made by {@link Rib}. Not thread-safe.
 */
public abstract class RouteScan {
    RouteScan() {}

    /**
     * Visits the next few routes, perhaps none.
     *
     * @param each given a view that holds for the call
     * @return whether there may be more
     */
    public abstract boolean advance(Consumer<RouteView> each);

    /**
     * Passes over routes without looking at them, where that is cheaper.
     *
     * @param most how many at most
     * @return how many it was
     */
    public long skip(long most) {
        return 0;
    }

    /** Gives away about half of what is ahead, or null. */
    public @Nullable RouteScan split() {
        return null;
    }

    /** About how many routes are ahead. */
    public long estimate() {
        return Long.MAX_VALUE;
    }
}
