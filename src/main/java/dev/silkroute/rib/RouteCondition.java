package dev.silkroute.rib;

import dev.silkroute.bgp.RibView;
import java.util.function.Predicate;

/** Which routes a lookup is to find. Asked with a view that holds only for the call, if not with an object. */
@FunctionalInterface
public interface RouteCondition extends Predicate<Route> {
    RouteCondition ANY = route -> true;

    /** Of one view, of any peer. */
    static RouteCondition in(RibView view) {
        return route -> route.view() == view;
    }

    /** Of one peer in one view. */
    static RouteCondition of(RibPeer peer, RibView view) {
        return route -> route.view() == view && route.peer().equals(peer);
    }
}
