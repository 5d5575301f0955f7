package dev.silkroute.postgres.state;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The table dumps in progress that began with an empty view, with a filter of the routes that they have contained so
 * far. A transaction takes the dumps of its views and gives them back at its end. Memory is bounded: the dumps that
 * have not been used for the longest time are forgotten first. Thread-safe.
 *
 * <p>The filters only predict which routes have no row. Nothing depends on the prediction but speed ({@link
 * NewRoutes}), so a dump may be forgotten at any time, and one that another process has continued meanwhile does no
 * harm.
 */
public final class TableDumps {
    public static final long DEFAULT_BYTES = 64L << 20;

    /** Without memory: no dump begins. */
    static final TableDumps NONE = new TableDumps(0);

    private static final long BYTES_PER_DUMP = 512;

    private final long maxBytes;
    private final LinkedHashMap<ViewKey, Dump> idle = new LinkedHashMap<>();
    private long bytes;
    private final LongAdder copied = new LongAdder();
    private final LongAdder conflicts = new LongAdder();

    /** @param maxBytes the maximum size of all filters together; 0 merges all dumps */
    public TableDumps(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    private record ViewKey(int peer, int view) {}

    /** The tables of a view since it was empty. Not thread-safe: it belongs to the transaction that has taken it. */
    final class Dump {
        private final ViewKey key;
        private final long session;
        private final int generation;
        /** The filters by family. The dump of a family with the value null has ended. */
        private final Map<Integer, @Nullable RouteFilter> filters = new HashMap<>(4);

        private Dump(ViewKey key, long session, int generation) {
            this.key = key;
            this.session = session;
            this.generation = generation;
        }

        boolean is(long ofSession, int ofGeneration) {
            return session == ofSession && generation == ofGeneration;
        }

        /** Adds a route to those of the dump. @return whether it was not one of them, so that it should have no row */
        boolean add(RibKey route) {
            RouteFilter filter = filters.get(route.family());
            if (filter == null) {
                if (filters.containsKey(route.family())) {
                    return false;
                }
                filter = new RouteFilter(TableDumps.this::reserve);
                filters.put(route.family(), filter);
            }
            return switch (filter.add(route.hash())) {
                case NEW -> true;
                case SEEN -> false;
                case FULL -> {
                    end(route.family());
                    yield false;
                }
            };
        }

        void end(int family) {
            RouteFilter ended = filters.put(family, null);
            if (ended != null) {
                release(ended.bytes());
            }
        }

        private long bytes() {
            long sum = BYTES_PER_DUMP;
            for (RouteFilter filter : filters.values()) {
                sum += filter == null ? 0 : filter.bytes();
            }
            return sum;
        }
    }

    /** Begins a dump into an empty view, which the caller then owns; null if memory does not suffice. */
    @Nullable
    Dump begin(int peer, int view, long session, int generation) {
        return reserve(BYTES_PER_DUMP) ? new Dump(new ViewKey(peer, view), session, generation) : null;
    }

    /** Returns the dump of a view, which the caller then owns. */
    synchronized @Nullable Dump take(int peer, int view) {
        return idle.remove(new ViewKey(peer, view));
    }

    synchronized void giveBack(Dump dump) {
        Dump other = idle.put(dump.key, dump);
        if (other != null) {
            release(other.bytes());
        }
    }

    /** Ends a dump that the caller owns. */
    void forget(Dump dump) {
        release(dump.bytes());
    }

    void copied(long routes) {
        copied.add(routes);
    }

    void conflict() {
        conflicts.increment();
    }

    /** The number of routes that were stored without a merge. */
    public long copiedRoutes() {
        return copied.sum();
    }

    /** The number of transactions that were repeated because a route had a row against the prediction. */
    public long conflicts() {
        return conflicts.sum();
    }

    /** The size of all filters. */
    public synchronized long bytes() {
        return bytes;
    }

    private synchronized void release(long released) {
        bytes -= released;
    }

    private synchronized boolean reserve(long wanted) {
        Iterator<Dump> oldest = idle.values().iterator();
        while (bytes + wanted > maxBytes && oldest.hasNext()) {
            bytes -= oldest.next().bytes();
            oldest.remove();
        }
        if (bytes + wanted > maxBytes) {
            return false;
        }
        bytes += wanted;
        return true;
    }
}
