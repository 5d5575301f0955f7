package dev.silkroute.mrt;

import dev.silkroute.bgp.open.AddPathMode;
import dev.silkroute.bgp.open.Capabilities;
import dev.silkroute.bgp.open.Capability;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The capabilities that the two OPENs of a BGP session must have contained, inferred from the session's messages
 * because MRT files do not contain the OPENs. Not thread-safe.
 */
final class SessionCapabilities {
    /** The maximum number of families in an ADD-PATH capability. */
    static final int MAX_FAMILIES = 63;

    private final TreeSet<Integer> families = new TreeSet<>();
    private final TreeSet<Integer> extendedNextHop = new TreeSet<>();
    private final Map<Integer, Boolean> pathIdsReceived = new TreeMap<>();
    private final Map<Integer, Boolean> pathIdsSent = new TreeMap<>();
    private boolean isFourOctetAs = true;
    private boolean isExtendedMessage;

    /** Returns whether routes of this family with or without path identifiers are consistent with those seen before. */
    boolean isConsistent(int family, boolean sent, boolean pathIds) {
        return (sent ? pathIdsSent : pathIdsReceived).getOrDefault(family, pathIds) == pathIds;
    }

    /** Adds a family with routes. Returns false if there are too many families. */
    boolean add(int family, boolean sent, boolean pathIds) {
        (sent ? pathIdsSent : pathIdsReceived).put(family, pathIds);
        return add(family);
    }

    /** Adds a family without routes. Returns false if there are too many families. */
    boolean add(int family) {
        families.add(family);
        return families.size() <= MAX_FAMILIES;
    }

    void requireExtendedNextHop(int family) {
        extendedNextHop.add(family);
    }

    void requireExtendedMessage() {
        isExtendedMessage = true;
    }

    /** Called if any message has two-octet AS numbers. The A flag of the per-peer header marks those that do. */
    void requireTwoOctetAs() {
        isFourOctetAs = false;
    }

    /**
     * Returns the capabilities of one of the OPENs.
     *
     * @param isRouter whether it is the router's OPEN, not the peer's
     */
    List<Capability> capabilities(boolean isRouter, int asn) {
        List<Capability> capabilities = new ArrayList<>();
        families.forEach(family -> capabilities.add(Capabilities.multiprotocol(family)));
        capabilities.add(Capabilities.routeRefresh());
        if (!extendedNextHop.isEmpty()) {
            capabilities.add(Capabilities.extendedNextHop(extendedNextHop));
        }
        if (isExtendedMessage) {
            capabilities.add(Capabilities.extendedMessage());
        }
        if (isFourOctetAs) {
            capabilities.add(Capabilities.fourOctetAs(asn));
        }
        Map<Integer, AddPathMode> modes = new TreeMap<>();
        families.forEach(family -> {
            boolean receives = (isRouter ? pathIdsReceived : pathIdsSent).getOrDefault(family, false);
            boolean sends = (isRouter ? pathIdsSent : pathIdsReceived).getOrDefault(family, false);
            if (receives || sends) {
                modes.put(family, !sends ? AddPathMode.RECEIVE : !receives ? AddPathMode.SEND : AddPathMode.BOTH);
            }
        });
        if (!modes.isEmpty()) {
            capabilities.add(Capabilities.addPath(modes));
        }
        return capabilities;
    }
}
