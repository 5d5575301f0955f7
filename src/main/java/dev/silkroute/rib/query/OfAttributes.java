package dev.silkroute.rib.query;

import dev.silkroute.rib.RibTable;
import dev.silkroute.rib.Route;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A condition on a route's path attributes. */
final class OfAttributes extends RoutePredicate {
    static final long NO_ORIGIN = -2;

    private final Predicate<Route> condition;
    /** Evaluated only when the condition is printed. */
    private final Supplier<String> text;
    /** The origin AS if the condition is equality with one, else {@link #NO_ORIGIN}. */
    final long origin;

    OfAttributes(Predicate<Route> condition, Supplier<String> text) {
        this(condition, text, NO_ORIGIN);
    }

    OfAttributes(Predicate<Route> condition, Supplier<String> text, long origin) {
        this.condition = condition;
        this.text = text;
        this.origin = origin;
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
        return true;
    }

    @Override
    public String toString() {
        return text.get();
    }
}
