package dev.silkroute.rib.query;

import dev.silkroute.rib.RibRoute;
import dev.silkroute.rib.RouteScan;
import dev.silkroute.rib.RouteView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Spliterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The routes of a scan as objects, buffered one step ahead. No objects are made for routes that are skipped or do not
 * meet the predicate.
 */
final class RouteSpliterator implements Spliterator<RibRoute> {
    private final RouteScan scan;
    private final @Nullable RoutePredicate residual;
    private final boolean ordered;
    private final Deque<RibRoute> ahead = new ArrayDeque<>();
    private final Consumer<RouteView> taker = this::take;
    private long skip;
    private long left;

    RouteSpliterator(RouteScan scan, @Nullable RoutePredicate residual, boolean ordered, long skip, long limit) {
        this.scan = scan;
        this.residual = residual;
        this.ordered = ordered;
        this.skip = skip;
        this.left = limit;
    }

    private void take(RouteView route) {
        if (residual != null && !residual.test(route)) {
            return;
        }
        if (skip > 0) {
            skip--;
        } else if (left > 0) {
            left--;
            ahead.add(route.toRoute());
        }
    }

    @Override
    public boolean tryAdvance(Consumer<? super RibRoute> action) {
        while (ahead.isEmpty()) {
            if (left == 0) {
                return false;
            }
            if (skip > 0 && residual == null) {
                skip -= scan.skip(skip);
            }
            if (!scan.advance(taker)) {
                return false;
            }
        }
        action.accept(ahead.remove());
        return true;
    }

    @Override
    public @Nullable Spliterator<RibRoute> trySplit() {
        if (skip > 0 || left != Long.MAX_VALUE || !ahead.isEmpty()) {
            return null;
        }
        RouteScan part = scan.split();
        return part == null ? null : new RouteSpliterator(part, residual, ordered, 0, Long.MAX_VALUE);
    }

    @Override
    public long estimateSize() {
        return scan.estimate();
    }

    @Override
    public int characteristics() {
        return NONNULL | (ordered ? ORDERED : 0);
    }
}
