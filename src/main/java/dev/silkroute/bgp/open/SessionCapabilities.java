package dev.silkroute.bgp.open;

import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.net.Family;
import dev.silkroute.net.JsonText;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiPredicate;

/**
 * What the OPENs of a Peer Up agree on, seen from the monitored router.
 *
 * @param fourOctetAs whether both sides speak RFC 6793
 * @param addPathReceived families whose NLRI carry path identifiers from the peer to the router: Adj-RIB-In
 * @param addPathSent the same from the router to the peer: Adj-RIB-Out
 * @param extendedNextHop families that may have IPv6 next hops (RFC 8950), ascending
 * @param extendedMessage whether messages may be longer than 4,096 bytes (RFC 8654)
 * @param multipleLabels families that may have label stacks (RFC 8277), ascending
 */
public record SessionCapabilities(
        boolean fourOctetAs,
        AddPathFamilies addPathReceived,
        AddPathFamilies addPathSent,
        List<Integer> extendedNextHop,
        boolean extendedMessage,
        List<Integer> multipleLabels) {

    /**
     * @param sent the OPEN that the router sent to its peer
     * @param received the OPEN that it received
     * @param locRib whether the OPENs are made up for a Loc-RIB: they then describe the messages, no negotiation (RFC
     * 9069, Section 4.4)
     */
    public static SessionCapabilities of(Open sent, Open received, boolean locRib) {
        Map<Integer, AddPathMode> ours = sent.addPath();
        Map<Integer, AddPathMode> theirs = received.addPath();
        if (locRib) {
            AddPathFamilies all =
                    addPath(ours, theirs, (one, other) -> one != AddPathMode.NONE || other != AddPathMode.NONE);
            return new SessionCapabilities(
                    true,
                    all,
                    all,
                    union(sent.extendedNextHopFamilies(), received.extendedNextHopFamilies()),
                    sent.has(Capability.EXTENDED_MESSAGE) || received.has(Capability.EXTENDED_MESSAGE),
                    union(sent.multipleLabelFamilies(), received.multipleLabelFamilies()));
        }
        return new SessionCapabilities(
                both(sent, received, Capability.FOUR_OCTET_AS),
                addPath(ours, theirs, (one, other) -> one.receives() && other.sends()),
                addPath(ours, theirs, (one, other) -> one.sends() && other.receives()),
                common(sent.extendedNextHopFamilies(), received.extendedNextHopFamilies()),
                both(sent, received, Capability.EXTENDED_MESSAGE),
                common(sent.multipleLabelFamilies(), received.multipleLabelFamilies()));
    }

    /** The families whose NLRI carry path identifiers in a view. For Loc-RIB both directions are the same. */
    public AddPathFamilies addPath(boolean adjRibOut) {
        return adjRibOut ? addPathSent : addPathReceived;
    }

    /**
     * The AS number size to expect. A router that talks two octets with its peer may still monitor in four, and says so
     * with the flag; a peer that talks four never needs two. What AS_PATH then really has is its own bytes' to tell.
     *
     * @param legacyAsPath the A flag of the per-peer header (RFC 7854, Section 4.2)
     */
    public boolean fourOctetAs(boolean legacyAsPath) {
        return fourOctetAs || !legacyAsPath;
    }

    public String toJson() {
        return new JsonText()
                .begin()
                .field("four_octet_as", fourOctetAs)
                .field("add_path_received", texts(addPathReceived.families()))
                .field("add_path_sent", texts(addPathSent.families()))
                .field("extended_next_hop", texts(extendedNextHop))
                .field("extended_message", extendedMessage)
                .field("multiple_labels", texts(multipleLabels))
                .end()
                .toString();
    }

    private static boolean both(Open sent, Open received, int code) {
        return sent.has(code) && received.has(code);
    }

    private static AddPathFamilies addPath(
            Map<Integer, AddPathMode> ours,
            Map<Integer, AddPathMode> theirs,
            BiPredicate<AddPathMode, AddPathMode> agreed) {
        return AddPathFamilies.of(union(ours.keySet(), theirs.keySet()).stream()
                .filter(family -> agreed.test(
                        ours.getOrDefault(family, AddPathMode.NONE), theirs.getOrDefault(family, AddPathMode.NONE)))
                .toList());
    }

    private static List<Integer> union(Collection<Integer> one, Collection<Integer> other) {
        TreeSet<Integer> all = new TreeSet<>(one);
        all.addAll(other);
        return List.copyOf(all);
    }

    private static List<Integer> common(Collection<Integer> one, Collection<Integer> other) {
        TreeSet<Integer> all = new TreeSet<>(one);
        all.retainAll(new TreeSet<>(other));
        return List.copyOf(all);
    }

    private static List<String> texts(List<Integer> families) {
        return families.stream().map(Family::text).toList();
    }
}
