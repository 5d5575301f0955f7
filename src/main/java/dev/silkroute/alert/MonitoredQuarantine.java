package dev.silkroute.alert;

import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.VantagePoint;
import java.util.regex.Pattern;

/**
 * An entry of the rules for messages that could not be decoded.
 *
 * @param text names the entry in an alert
 * @param router matches the names of the routers
 * @param peer the address of the peer, {@value #EACH_PEER} for each peer, or empty for all messages of a router
 * @param max maximum number of messages within {@code withinMicros}, at most {@value #MAX_MESSAGES}
 * @param withinMicros the time in which messages are counted
 * @param within the same as the file contains it
 * @param quietMicros how long after the last message the alert closes
 * @param group the group that is notified
 */
record MonitoredQuarantine(
        String text,
        Pattern router,
        String peer,
        int max,
        long withinMicros,
        String within,
        long quietMicros,
        String description,
        String group) {
    static final String EACH_PEER = MonitoredTable.EACH_PEER;
    static final int MAX_MESSAGES = 1000;

    /** Returns whether the entry is about a router or peer. */
    boolean matches(AlertSubject subject) {
        return switch (subject) {
            case AlertSubject.OfRouter(String name) ->
                peer.isEmpty() && router.matcher(name).matches();
            case AlertSubject.OfPeer(VantagePoint of) ->
                (peer.equals(EACH_PEER) || peer.equals(of.peerAddress()))
                        && router.matcher(of.router()).matches();
            case AlertSubject.OfPrefix _, AlertSubject.OfTable _ -> false;
        };
    }
}
