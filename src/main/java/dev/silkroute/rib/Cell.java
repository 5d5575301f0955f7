package dev.silkroute.rib;

import dev.silkroute.bgp.RibView;

/** How many routes a family has in a view, over all peers. */
final class Cell {
    final RibView view;
    final int family;
    final Count routes = new Count();

    Cell(RibView view, int family) {
        this.view = view;
        this.family = family;
    }
}
