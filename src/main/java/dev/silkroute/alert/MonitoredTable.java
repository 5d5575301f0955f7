package dev.silkroute.alert;

import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.bgp.RibView;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * An entry of the rules for the number of routes in tables.
 *
 * @param text names the entry in an alert
 * @param router matches the names of the routers
 * @param peer the address of the peer, {@value #EACH_PEER} for each peer, or empty for all peers of a router together
 * @param max maximum number of routes
 * @param min minimum number of routes of a table that is complete
 * @param changePercent by how much the number of routes of a complete table may differ from an earlier one
 * @param withinMicros the time to which {@code changePercent} applies
 * @param differsPercent by how much the number of routes of a complete table may differ from the router's statistics
 * @param longerThanMicros how long it may differ by more
 * @param settleMicros how long after a Peer Up a table counts as incomplete in any case
 * @param group the group that is notified
 */
record MonitoredTable(
        String text,
        Pattern router,
        String peer,
        RibView view,
        int family,
        OptionalLong max,
        OptionalLong min,
        OptionalInt changePercent,
        long withinMicros,
        OptionalInt differsPercent,
        long longerThanMicros,
        long settleMicros,
        String description,
        String group) {
    static final String EACH_PEER = "*";

    /** Returns whether all peers of a router are counted together. */
    boolean isTotal() {
        return peer.isEmpty();
    }

    boolean matches(AlertSubject.OfTable subject) {
        return family == subject.family()
                && view == subject.view()
                && isTotal() == (subject.peer() == null)
                && (isTotal() || peer.equals(EACH_PEER) || peer.equals(subject.peerAddress()))
                && router.matcher(subject.router()).matches();
    }
}
