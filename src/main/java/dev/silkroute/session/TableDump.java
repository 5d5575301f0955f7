package dev.silkroute.session;

import dev.silkroute.bgp.RibView;

/**
 * A table of a peer, that is its routes of one view and family, while the router sends it initially: from the Peer Up
 * to End-of-RIB (RFC 7854, Section 5; RFC 4724, Section 2).
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

    /** Returns whether End-of-RIB is still to come. */
    boolean isOpen() {
        return open;
    }

    /** An announcement has been received. */
    void announced(long nowMicros) {
        lastRouteMicros = nowMicros;
    }

    /** End-of-RIB has been received, or generated. */
    void complete() {
        open = false;
    }

    boolean isQuiet(long nowMicros, long forMicros) {
        return nowMicros - lastRouteMicros >= forMicros;
    }
}
