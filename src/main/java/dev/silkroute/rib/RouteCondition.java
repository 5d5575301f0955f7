package dev.silkroute.rib;

import dev.silkroute.bgp.RibView;

/** Which routes a lookup is to find. Asked with a view that holds only for the call. */
@FunctionalInterface
public interface RouteCondition {
    RouteCondition ANY = route -> true;

    boolean test(RouteView route);

    /** Of one view, of any peer. */
    static RouteCondition in(RibView view) {
        return route -> route.view() == view;
    }

    /** Of one peer in one view. */
    static RouteCondition of(RibPeer peer, RibView view) {
        return route -> route.view() == view && route.peer().equals(peer);
    }
}
