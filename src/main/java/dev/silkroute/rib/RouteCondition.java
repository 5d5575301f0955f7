package dev.silkroute.rib;

import dev.silkroute.bgp.RibView;
import java.util.function.Predicate;

/**
 * Selects the routes that a lookup may return. Tested on a view that is valid only during the call, or on an object.
 */
@FunctionalInterface
public interface RouteCondition extends Predicate<Route> {
    RouteCondition ANY = route -> true;

    /** Routes of one view, of any peer. */
    static RouteCondition in(RibView view) {
        return route -> route.view() == view;
    }

    /** Routes of one peer in one view. */
    static RouteCondition of(RibPeer peer, RibView view) {
        return route -> route.view() == view && route.peer().equals(peer);
    }
}
