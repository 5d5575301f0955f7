package dev.silkroute.rib.query;

import dev.silkroute.rib.AttributeValue;
import dev.silkroute.rib.RibTable;
import dev.silkroute.rib.Route;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A condition on a property of the single route: its path attributes, length, RD, staleness. */
final class OfRoute extends RoutePredicate {
    private static final long NO_ORIGIN = -2;

    private final Predicate<Route> condition;

    /** Evaluated only when the condition is printed. */
    private final Supplier<String> text;

    private final boolean ofAttributes;

    /** The origin AS if the condition is equality with one, else negative. */
    final long origin;

    /** The value that the route must have if the condition is that it has a certain one, else null. */
    final @Nullable AttributeValue value;

    /** The accepted RDs if the condition is on RDs, else null. */
    final @Nullable LongPredicate rd;

    private OfRoute(
            Predicate<Route> condition,
            Supplier<String> text,
            boolean ofAttributes,
            long origin,
            @Nullable AttributeValue value,
            @Nullable LongPredicate rd) {
        this.condition = condition;
        this.text = text;
        this.ofAttributes = ofAttributes;
        this.origin = origin;
        this.value = value;
        this.rd = rd;
    }

    /** A condition on something else than attributes. */
    OfRoute(Predicate<Route> condition, Supplier<String> text, @Nullable LongPredicate rd) {
        this(condition, text, false, NO_ORIGIN, null, rd);
    }

    /** A condition on path attributes. */
    static OfRoute attributes(Predicate<Route> condition, Supplier<String> text) {
        return new OfRoute(condition, text, true, NO_ORIGIN, null, null);
    }

    /** The same condition, known to be that the origin AS is this one. */
    OfRoute withOrigin(long asn) {
        AttributeValue indexed = isAsn(asn) ? AttributeValue.originAs((int) asn) : null;
        return new OfRoute(condition, text, true, asn, indexed, null);
    }

    /** The same condition, known to be that the route has a value. */
    OfRoute withValue(AttributeValue indexed) {
        return new OfRoute(condition, text, ofAttributes, origin, indexed, rd);
    }

    static boolean isAsn(long number) {
        return number >>> Integer.SIZE == 0;
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
        return ofAttributes;
    }

    @Override
    public String toString() {
        return text.get();
    }
}
