package dev.silkroute.session;

import dev.silkroute.bgp.RibView;

/**
 * A table of a peer, its routes of one view and family, while the router sends it from its beginning: from the Peer Up to the
 * End-of-RIB (RFC 7854, Section 5; RFC 4724, Section 2).
 */
final class TableDump {
    private final RibView view;
    private final int family;
    private boolean open = true;
    private long lastRouteMicros;

    TableDump(RibView view, int family, long nowMicros) {
        this.view = view;
        this.family = family;
        lastRouteMicros = nowMicros;
    }

    RibView view() {
        return view;
    }

    int family() {
        return family;
    }

    boolean isOpen() {
        return open;
    }

    /** An announcement has come. */
    void route(long nowMicros) {
        lastRouteMicros = nowMicros;
    }

    void end() {
        open = false;
    }

    boolean quiet(long nowMicros, long forMicros) {
        return nowMicros - lastRouteMicros >= forMicros;
    }
}
