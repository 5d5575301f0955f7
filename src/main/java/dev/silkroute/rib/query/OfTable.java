package dev.silkroute.rib.query;

import dev.silkroute.rib.RibTable;
import dev.silkroute.rib.Route;
import java.util.Set;
import java.util.function.Function;

/** Decided by the table that a route is of: peer, router, view, family. */
final class OfTable extends RoutePredicate {
    enum What {
        ROUTER,
        PEER,
        VIEW,
        FAMILY
    }

    final What what;
    final Set<?> values;
    private final Function<RibTable, Object> ofTable;
    private final Function<Route, Object> ofRoute;
    private final String text;

    OfTable(
            What what,
            Set<?> values,
            Function<RibTable, Object> ofTable,
            Function<Route, Object> ofRoute,
            String text) {
        this.what = what;
        this.values = values;
        this.ofTable = ofTable;
        this.ofRoute = ofRoute;
        this.text = text;
    }

    @Override
    public boolean test(Route route) {
        return values.contains(ofRoute.apply(route));
    }

    @Override
    Truth of(RibTable table) {
        return values.contains(ofTable.apply(table)) ? Truth.ALL : Truth.NONE;
    }

    @Override
    boolean ofAttributes() {
        return false;
    }

    @Override
    public String toString() {
        return text;
    }
}
