package dev.silkroute.rib;

import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.net.KeyedHash;
import dev.silkroute.net.RouteDistinguisher;
import dev.silkroute.rib.store.CanonicalSet;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A route as an immutable object, made on demand from a {@link RouteView}, for streams, REST, JSON and tests. It has a
 * copy of the attributes' canonical bytes.
 */
public final class RibRoute implements Route {
    private static final int[] NO_LABELS = {};

    private final RibPeer peer;
    private final int peerAsn;
    private final Optional<NeighborRole> neighborRole;
    private final RibView view;
    private final int family;
    private final boolean hasRd;
    private final long rd;
    private final boolean isPrefix;
    private final long addressHigh;
    private final long addressLow;
    private final int prefixLength;
    /** The NLRI if it is not a prefix, else empty. */
    private final String other;

    private final boolean hasPathId;
    private final int pathId;
    private final int[] labels;
    private final long marking;
    private final boolean stale;
    private final boolean tableSynchronized;
    private final long originAs;
    private final byte[] set;

    RibRoute(RouteView route) {
        peer = route.peer();
        peerAsn = route.peerAsn();
        neighborRole = route.neighborRole();
        view = route.view();
        family = route.family();
        hasRd = route.hasRd();
        rd = route.rd();
        isPrefix = route.isPrefix();
        addressHigh = isPrefix ? route.addressHigh() : 0;
        addressLow = isPrefix ? route.addressLow() : 0;
        prefixLength = isPrefix ? route.prefixLength() : 0;
        other = isPrefix ? "" : route.nlri();
        hasPathId = route.hasPathId();
        pathId = route.pathId();
        labels = route.labelCount() == 0 ? NO_LABELS : new int[route.labelCount()];
        Arrays.setAll(labels, route::label);
        marking = route.marking();
        stale = route.stale();
        tableSynchronized = route.tableSynchronized();
        originAs = route.originAs();
        set = Arrays.copyOfRange(route.attributeBytes(), route.attributesFrom(), route.attributesTo());
    }

    @Override
    public RibPeer peer() {
        return peer;
    }

    @Override
    public int peerAsn() {
        return peerAsn;
    }

    @Override
    public Optional<NeighborRole> neighborRole() {
        return neighborRole;
    }

    @Override
    public RibView view() {
        return view;
    }

    @Override
    public int family() {
        return family;
    }

    @Override
    public boolean stale() {
        return stale;
    }

    @Override
    public boolean tableSynchronized() {
        return tableSynchronized;
    }

    @Override
    public boolean hasPathId() {
        return hasPathId;
    }

    @Override
    public int pathId() {
        return pathId;
    }

    @Override
    public boolean isPrefix() {
        return isPrefix;
    }

    @Override
    public boolean ipv6() {
        return Family.afi(family) == Family.AFI_IPV6;
    }

    @Override
    public long addressHigh() {
        return addressHigh;
    }

    @Override
    public long addressLow() {
        return addressLow;
    }

    @Override
    public int prefixLength() {
        return prefixLength;
    }

    @Override
    public boolean hasRd() {
        return hasRd;
    }

    @Override
    public long rd() {
        return rd;
    }

    @Override
    public String nlri() {
        if (!isPrefix) {
            return other;
        }
        String prefix = Addresses.prefix(ipv6(), addressHigh, addressLow, prefixLength);
        return hasRd ? RouteDistinguisher.text(rd) + " " + prefix : prefix;
    }

    @Override
    public int labelCount() {
        return labels.length;
    }

    @Override
    public int label(int index) {
        return labels[index];
    }

    @Override
    public long marking() {
        return marking;
    }

    @Override
    public long originAs() {
        return originAs;
    }

    @Override
    public long med() {
        return CanonicalSet.number(set, 0, set.length, AttributeCode.MULTI_EXIT_DISC);
    }

    @Override
    public long localPref() {
        return CanonicalSet.number(set, 0, set.length, AttributeCode.LOCAL_PREF);
    }

    @Override
    public boolean asPathContains(int asn) {
        return CanonicalSet.pathContains(set, 0, set.length, asn);
    }

    @Override
    public boolean hasCommunity(int community) {
        return CanonicalSet.hasCommunity(set, 0, set.length, community);
    }

    @Override
    public boolean hasLargeCommunity(int global, int local1, int local2) {
        return CanonicalSet.hasLargeCommunity(set, 0, set.length, global, local1, local2);
    }

    @Override
    public boolean nextHopIs(boolean isIpv6, long high, long low) {
        return CanonicalSet.nextHopIs(set, 0, set.length, isIpv6, high, low);
    }

    @Override
    public PathAttributes attributes() {
        return PathAttributes.decode(set, 0, set.length);
    }

    /** Compares everything that accessors report. */
    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof RibRoute that
                && peer.equals(that.peer)
                && peerAsn == that.peerAsn
                && neighborRole.equals(that.neighborRole)
                && view == that.view
                && family == that.family
                && rd == that.rd
                && addressHigh == that.addressHigh
                && addressLow == that.addressLow
                && prefixLength == that.prefixLength
                && other.equals(that.other)
                && hasPathId == that.hasPathId
                && pathId == that.pathId
                && marking == that.marking
                && stale == that.stale
                && tableSynchronized == that.tableSynchronized
                && Arrays.equals(labels, that.labels)
                && Arrays.equals(set, that.set);
    }

    /** A router must not be able to choose routes whose hashes are equal. */
    @Override
    public int hashCode() {
        long nlri = KeyedHash.of(KeyedHash.of(addressHigh, addressLow, rd, prefixLength), other);
        long table = KeyedHash.of(peer.hashCode(), (long) family << 8 ^ view.code());
        return KeyedHash.fold(KeyedHash.of(nlri, KeyedHash.of(table, pathId)));
    }

    @Override
    public String toString() {
        return peer.router() + " " + peer.address() + " " + view.text() + " " + Family.text(family) + " " + nlri()
                + (hasPathId ? " path " + Integer.toUnsignedString(pathId) : "") + (stale ? " stale " : " ")
                + attributes().toJson();
    }
}
