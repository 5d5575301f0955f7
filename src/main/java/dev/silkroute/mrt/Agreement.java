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
 * What the two OPENs of a session must have said for the session's messages to look as they do. MRT does not tell: the
 * messages do.
 */
final class Agreement {
    /** As many fit into one ADD-PATH capability. */
    static final int MAX_FAMILIES = 63;

    private final TreeSet<Integer> families = new TreeSet<>();
    private final TreeSet<Integer> extendedNextHop = new TreeSet<>();
    private final Map<Integer, Boolean> receivedPathIds = new TreeMap<>();
    private final Map<Integer, Boolean> sentPathIds = new TreeMap<>();
    private boolean fourOctetAs = true;
    private boolean extendedMessage;

    /** Whether routes of this family may have path identifiers, or none, beside what was seen before. */
    boolean admits(int family, boolean sent, boolean pathIds) {
        return (sent ? sentPathIds : receivedPathIds).getOrDefault(family, pathIds) == pathIds;
    }

    /** Notes routes of a family; false where there are too many families. */
    boolean add(int family, boolean sent, boolean pathIds) {
        (sent ? sentPathIds : receivedPathIds).put(family, pathIds);
        return add(family);
    }

    /** Notes a family of which there are no routes. */
    boolean add(int family) {
        families.add(family);
        return families.size() <= MAX_FAMILIES;
    }

    void needExtendedNextHop(int family) {
        extendedNextHop.add(family);
    }

    void needExtendedMessage() {
        extendedMessage = true;
    }

    /** Where any message has AS numbers of two octets; which of them do, the A flag says of each. */
    void needTwoOctetAs() {
        fourOctetAs = false;
    }

    /**
     * The capabilities of one of the OPENs.
     *
     * @param router whether it is the one that the router sends, not its peer
     */
    List<Capability> capabilities(boolean router, int asn) {
        List<Capability> capabilities = new ArrayList<>();
        families.forEach(family -> capabilities.add(Capabilities.multiprotocol(family)));
        capabilities.add(Capabilities.routeRefresh());
        if (!extendedNextHop.isEmpty()) {
            capabilities.add(Capabilities.extendedNextHop(extendedNextHop));
        }
        if (extendedMessage) {
            capabilities.add(Capabilities.extendedMessage());
        }
        if (fourOctetAs) {
            capabilities.add(Capabilities.fourOctetAs(asn));
        }
        Map<Integer, AddPathMode> modes = new TreeMap<>();
        families.forEach(family -> {
            boolean receives = (router ? receivedPathIds : sentPathIds).getOrDefault(family, false);
            boolean sends = (router ? sentPathIds : receivedPathIds).getOrDefault(family, false);
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
