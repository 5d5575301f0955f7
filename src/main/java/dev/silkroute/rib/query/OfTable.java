package dev.silkroute.rib.query;

import dev.silkroute.rib.RibTable;
import dev.silkroute.rib.Route;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A condition on the table of a route: router, peer, view, family. */
final class OfTable extends RoutePredicate {
    enum What {
        ROUTER,
        PEER,
        PEER_ADDRESS,
        VIEW,
        FAMILY
    }

    final What what;
    final Set<?> values;
    /** The value if there is exactly one. */
    final @Nullable Object only;

    private final Function<RibTable, Object> ofTable;
    private final Function<Route, Object> ofRoute;
    /** Evaluated only when the condition is printed. */
    private final Supplier<String> text;

    OfTable(
            What what,
            Set<?> values,
            Function<RibTable, Object> ofTable,
            Function<Route, Object> ofRoute,
            Supplier<String> text) {
        this.what = what;
        this.values = values;
        only = values.size() == 1 ? values.iterator().next() : null;
        this.ofTable = ofTable;
        this.ofRoute = ofRoute;
        this.text = text;
    }

    @Override
    public boolean test(Route route) {
        return among(ofRoute.apply(route));
    }

    @Override
    Truth of(RibTable table) {
        return among(ofTable.apply(table)) ? Truth.ALL : Truth.NONE;
    }

    private boolean among(Object value) {
        return only == null ? values.contains(value) : only.equals(value);
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
