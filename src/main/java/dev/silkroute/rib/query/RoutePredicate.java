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
        permits RoutePredicate.Every, RoutePredicate.Any, RoutePredicate.Not, OfTable, OfRoute, OfPrefix {

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

    static final class Every extends RoutePredicate {
        private final List<RoutePredicate> terms;

        Every(List<RoutePredicate> terms) {
            this.terms = terms.stream().flatMap(t -> t.terms().stream()).toList();
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
        Truth of(RibTable table) {
            Truth truth = Truth.ALL;
            for (RoutePredicate term : terms) {
                Truth next = term.of(table);
                if (next == Truth.NONE) {
                    return Truth.NONE;
                }
                truth = next == Truth.SOME ? Truth.SOME : truth;
            }
            return truth;
        }

        @Override
        boolean ofAttributes() {
            return terms.stream().allMatch(RoutePredicate::ofAttributes);
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

    static final class Any extends RoutePredicate {
        private final List<RoutePredicate> terms;

        Any(List<RoutePredicate> terms) {
            terms.forEach(RoutePredicate::withoutLongest);
            this.terms = terms;
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
        Truth of(RibTable table) {
            Truth truth = Truth.NONE;
            for (RoutePredicate term : terms) {
                Truth next = term.of(table);
                if (next == Truth.ALL) {
                    return Truth.ALL;
                }
                truth = next == Truth.SOME ? Truth.SOME : truth;
            }
            return truth;
        }

        @Override
        boolean ofAttributes() {
            return terms.stream().allMatch(RoutePredicate::ofAttributes);
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
