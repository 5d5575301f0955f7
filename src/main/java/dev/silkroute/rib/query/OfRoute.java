package dev.silkroute.rib.query;

import dev.silkroute.rib.RibTable;
import dev.silkroute.rib.Route;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decided by something that each route has for itself: length, RD, path identifier, whether it is stale. */
final class OfRoute extends RoutePredicate {
    private final Predicate<Route> condition;
    /** Made when somebody wants to read it. */
    private final Supplier<String> text;
    /** If it asks for RDs, which. */
    final @Nullable LongPredicate rd;

    OfRoute(Predicate<Route> condition, Supplier<String> text, @Nullable LongPredicate rd) {
        this.condition = condition;
        this.text = text;
        this.rd = rd;
    }

    @Override
    public boolean test(Route route) {
        return condition.test(route);
    }

    @Override
    Truth of(RibTable table) {
        return Truth.SOME;
    }

    @Override
    boolean ofAttributes() {
        return false;
    }

    @Override
    public String toString() {
        return text.get();
    }
}
