package dev.silkroute.rib.query;

import dev.silkroute.rib.RibTable;
import dev.silkroute.rib.Route;
import dev.silkroute.rib.RouteCondition;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A condition on routes that the planner can inspect. Made by {@link RouteFields} and combined by {@link #and}, {@link
 * #or} and {@link #negate}; combining it with a lambda makes it opaque. Immutable.
 */
public abstract sealed class RoutePredicate implements RouteCondition
        permits RoutePredicate.Terms, RoutePredicate.Not, OfTable, OfRoute, OfPrefix {

    /** The routes of a table that meet a condition. */
    enum Truth {
        ALL,
        NONE,
        SOME
    }

    abstract Truth of(RibTable table);

    /** Returns whether the condition depends on attributes only. */
    abstract boolean ofAttributes();

    /** Returns whether it contains a longest match, which can only be combined by {@code and}. */
    boolean longest() {
        return false;
    }

    static void withoutLongest(RoutePredicate term) {
        if (term.longest()) {
            throw new IllegalArgumentException("a longest match can only be combined by and: " + term);
        }
    }

    public RoutePredicate and(RoutePredicate other) {
        return new Every(List.of(this, other));
    }

    public RoutePredicate or(RoutePredicate other) {
        return new Any(List.of(this, other));
    }

    @Override
    public RoutePredicate negate() {
        return new Not(this);
    }

    /** The terms that must all be met. */
    List<RoutePredicate> terms() {
        return List.of(this);
    }

    /** A combination of terms. */
    abstract static sealed class Terms extends RoutePredicate permits Every, Any {
        final List<RoutePredicate> terms;
        private final Truth decisive;

        /** @param decisive the truth of a single term that is also that of the combination */
        Terms(List<RoutePredicate> terms, Truth decisive) {
            this.terms = terms;
            this.decisive = decisive;
        }

        @Override
        final Truth of(RibTable table) {
            boolean some = false;
            for (RoutePredicate term : terms) {
                Truth next = term.of(table);
                if (next == decisive) {
                    return decisive;
                }
                some |= next == Truth.SOME;
            }
            return some ? Truth.SOME : decisive == Truth.ALL ? Truth.NONE : Truth.ALL;
        }

        @Override
        final boolean ofAttributes() {
            return terms.stream().allMatch(RoutePredicate::ofAttributes);
        }
    }

    static final class Every extends Terms {
        Every(List<RoutePredicate> terms) {
            super(terms.stream().flatMap(t -> t.terms().stream()).toList(), Truth.NONE);
            if (this.terms.stream().filter(RoutePredicate::longest).count() > 1) {
                throw new IllegalArgumentException("only one longest match is supported: " + this);
            }
        }

        @Override
        public boolean test(Route route) {
            for (int i = 0; i < terms.size(); i++) {
                if (!terms.get(i).test(route)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        boolean longest() {
            return terms.stream().anyMatch(RoutePredicate::longest);
        }

        @Override
        List<RoutePredicate> terms() {
            return terms;
        }

        @Override
        public String toString() {
            return terms.stream().map(RoutePredicate::toString).collect(Collectors.joining(" and "));
        }
    }

    static final class Any extends Terms {
        Any(List<RoutePredicate> terms) {
            super(terms, Truth.ALL);
            terms.forEach(RoutePredicate::withoutLongest);
        }

        @Override
        public boolean test(Route route) {
            for (int i = 0; i < terms.size(); i++) {
                if (terms.get(i).test(route)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String toString() {
            return terms.stream().map(RoutePredicate::toString).collect(Collectors.joining(" or ", "(", ")"));
        }
    }

    static final class Not extends RoutePredicate {
        private final RoutePredicate term;

        Not(RoutePredicate term) {
            withoutLongest(term);
            this.term = term;
        }

        @Override
        public boolean test(Route route) {
            return !term.test(route);
        }

        @Override
        Truth of(RibTable table) {
            return switch (term.of(table)) {
                case ALL -> Truth.NONE;
                case NONE -> Truth.ALL;
                case SOME -> Truth.SOME;
            };
        }

        @Override
        boolean ofAttributes() {
            return term.ofAttributes();
        }

        @Override
        public RoutePredicate negate() {
            return term;
        }

        @Override
        public String toString() {
            return "not (" + term + ")";
        }
    }
}
