package dev.silkroute.load;

import dev.silkroute.bgp.RibView;
import java.util.List;
import java.util.function.Consumer;

/**
 * The routes that a station should hold for one peer, view and family of a synthetic router. Taken as a snapshot: later
 * messages of the router do not affect it.
 *
 * <p>The routes are computed from what the generator drew, not from the bytes that it wrote, so an error that encoder
 * and decoder share is detected.
 */
public final class ExpectedTable {
    private final String router;
    private final LoadRib rib;
    private final RouteVersions versions;
    private final int routes;

    private ExpectedTable(String router, LoadRib rib) {
        this.router = router;
        this.rib = rib;
        versions = rib.versions().copy();
        routes = rib.routes();
    }

    /** Returns the tables of a router after the messages that it has generated so far: none after Termination. */
    public static List<ExpectedTable> of(LoadRouter router) {
        return router.tables().stream()
                .map(rib -> new ExpectedTable(router.name(), rib))
                .toList();
    }

    public String router() {
        return router;
    }

    /** Returns the address as text, in the form of {@code v_rib.peer_address}. */
    public String peerAddress() {
        return rib.peer().address();
    }

    public RibView view() {
        return rib.view();
    }

    public int family() {
        return rib.family();
    }

    /** Returns the number of routes. */
    public int size() {
        return routes;
    }

    /** Passes each route to the consumer. */
    public void forEach(Consumer<ExpectedRoute> consumer) {
        GeneratedAttributes drawn = new GeneratedAttributes(rib.profile().seed());
        for (int slot = 0; slot < versions.slots(); slot++) {
            if (versions.isAnnounced(slot)) {
                consumer.accept(route(slot, drawn));
            }
        }
    }

    /**
     * Returns one route of a table without changes.
     *
     * @param number from 0, in the order of the table dump
     */
    public ExpectedRoute route(int number) {
        return route(number, new GeneratedAttributes(rib.profile().seed()));
    }

    private ExpectedRoute route(int slot, GeneratedAttributes drawn) {
        int version = versions.version(slot);
        rib.draw(drawn, rib.attributeSlot(slot, version), version);
        return ExpectedRoute.of(rib, slot, drawn, versions.malformation(slot));
    }
}
