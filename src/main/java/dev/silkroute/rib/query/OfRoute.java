package dev.silkroute.rib.query;

import dev.silkroute.rib.RibTable;
import dev.silkroute.rib.Route;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A condition on a property of the single route: length, RD, staleness. */
final class OfRoute extends RoutePredicate {
    private final Predicate<Route> condition;
    /** Evaluated only when the condition is printed. */
    private final Supplier<String> text;
    /** The accepted RDs if the condition is on RDs, else null. */
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
