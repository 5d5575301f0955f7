package dev.silkroute.postgres.lane;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sources, such as routers, of which a record could not be stored in time. Their records are stored by themselves,
 * and each further failure halves the time that a record of the source may take, so that one source cannot use up the
 * time of a lane. A record that is stored in time doubles it again. Thread-safe.
 */
final class SlowSources {
    private static final int MOST_SOURCES = 1000;
    private static final int MOST_FAILURES = 5;
    /** The share of a transaction's time limit that a single record has. */
    private static final int SHARE = 8;

    private final Duration limit;
    private final Map<String, Integer> failures = new LinkedHashMap<>(16, 0.75f, true);
    private volatile boolean empty = true;

    /** @param transactionLimit how long a transaction of a lane may take */
    SlowSources(Duration transactionLimit) {
        limit = transactionLimit.dividedBy(SHARE);
    }

    /** Returns the time that a single record of a source may take. */
    Duration limit(@Nullable String source) {
        return limit.dividedBy(1L << Math.max(0, failuresOf(source) - 1));
    }

    private synchronized int failuresOf(@Nullable String source) {
        return source == null ? 0 : failures.getOrDefault(source, 0);
    }

    boolean isEmpty() {
        return empty;
    }

    boolean contains(@Nullable String source) {
        return failuresOf(source) > 0;
    }

    synchronized void failed(@Nullable String source) {
        if (source != null) {
            failures.merge(source, 1, (a, b) -> Math.min(MOST_FAILURES, a + b));
            if (failures.size() > MOST_SOURCES) {
                failures.remove(failures.keySet().iterator().next());
            }
            empty = false;
        }
    }

    synchronized void stored(@Nullable String source) {
        if (source != null) {
            failures.computeIfPresent(source, (_, count) -> count > 1 ? count - 1 : null);
            empty = failures.isEmpty();
        }
    }
}
