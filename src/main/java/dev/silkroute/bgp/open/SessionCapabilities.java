package dev.silkroute.bgp.open;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.net.Family;
import dev.silkroute.net.Json;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiPredicate;

/**
 * The capabilities that the two OPENs of a Peer Up have negotiated, from the view of the monitored router. Immutable.
 *
 * @param fourOctetAs whether both sides support four-octet AS numbers (RFC 6793)
 * @param addPathReceived families whose NLRI carry path identifiers from the peer to the router: Adj-RIB-In
 * @param addPathSent the same from the router to the peer: Adj-RIB-Out
 * @param extendedNextHop families that may have IPv6 next hops (RFC 8950), ascending
 * @param extendedMessage whether messages may be longer than 4,096 bytes (RFC 8654)
 * @param multipleLabels families that may have label stacks (RFC 8277), ascending
 * @param neighborRole what the peer is for the router (RFC 9234); empty if neither side sent its role, and for Loc-RIB
 */
public record SessionCapabilities(
        boolean fourOctetAs,
        AddPathFamilies addPathReceived,
        AddPathFamilies addPathSent,
        List<Integer> extendedNextHop,
        boolean extendedMessage,
        List<Integer> multipleLabels,
        Optional<NeighborRole> neighborRole) {

    /**
     * Combines the OPENs of a Peer Up.
     *
     * @param sent the OPEN that the router sent to its peer
     * @param received the OPEN that it received
     * @param locRib whether the OPENs are fabricated for a Loc-RIB: they then describe the messages, not a negotiation
     *     (RFC 9069, Section 4.4)
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
                    union(sent.multipleLabelFamilies(), received.multipleLabelFamilies()),
                    Optional.empty());
        }
        return new SessionCapabilities(
                both(sent, received, Capability.FOUR_OCTET_AS),
                addPath(ours, theirs, (one, other) -> one.receives() && other.sends()),
                addPath(ours, theirs, (one, other) -> one.sends() && other.receives()),
                common(sent.extendedNextHopFamilies(), received.extendedNextHopFamilies()),
                both(sent, received, Capability.EXTENDED_MESSAGE),
                common(sent.multipleLabelFamilies(), received.multipleLabelFamilies()),
                received.role().or(() -> sent.role().map(NeighborRole::counterpart)));
    }

    /** Returns the same with a role of the peer, unless they have one. */
    public SessionCapabilities orNeighborRole(Optional<NeighborRole> role) {
        return new SessionCapabilities(
                fourOctetAs,
                addPathReceived,
                addPathSent,
                extendedNextHop,
                extendedMessage,
                multipleLabels,
                neighborRole.or(() -> role));
    }

    /**
     * Returns the families whose NLRI carry path identifiers in one direction. For Loc-RIB, both directions are the
     * same.
     */
    public AddPathFamilies addPath(boolean adjRibOut) {
        return adjRibOut ? addPathSent : addPathReceived;
    }

    /**
     * Returns whether four-octet AS numbers are to be expected. A router that uses two octets with its peer can still
     * send four to the station, which the A flag indicates; a router that uses four octets never sends two. AS_PATH
     * itself decides.
     *
     * @param legacyAsPath the A flag of the per-peer header (RFC 7854, Section 4.2)
     */
    public boolean fourOctetAs(boolean legacyAsPath) {
        return fourOctetAs || !legacyAsPath;
    }

    /** Returns all components as a JSON object. */
    public String toJson() {
        return Json.string(this::write);
    }

    private void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeBooleanField("four_octet_as", fourOctetAs);
        Json.strings("add_path_received", texts(addPathReceived.families()), json);
        Json.strings("add_path_sent", texts(addPathSent.families()), json);
        Json.strings("extended_next_hop", texts(extendedNextHop), json);
        json.writeBooleanField("extended_message", extendedMessage);
        Json.strings("multiple_labels", texts(multipleLabels), json);
        if (neighborRole.isPresent()) {
            json.writeStringField("neighbor_role", neighborRole.get().text());
        }
        json.writeEndObject();
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
