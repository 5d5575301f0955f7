package dev.silkroute.rib.peer;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.memory.Counter;

/** The number of routes that a family has in a view, over all peers. */
public final class ViewFamily {
    final RibView view;
    public final int family;
    final Counter routes = new Counter();

    ViewFamily(RibView view, int family) {
        this.view = view;
        this.family = family;
    }
}
