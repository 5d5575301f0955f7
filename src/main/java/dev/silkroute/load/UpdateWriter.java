package dev.silkroute.load;

import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.bgp.attribute.AttributesEncoder;
import dev.silkroute.bgp.update.UpdateEncoder;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;

/**
 * Writes a router's UPDATEs, one after the other into the same sink, with what {@link RouteAttributes} has drawn. Not thread-safe.
 *
 * <p>IPv4 unicast has its own fields, on IPv6 sessions MP_REACH_NLRI for its next hop (RFC 8950); the other families have MP_REACH_NLRI, which
 * comes first (RFC 7606, Section 5.1).
 */
final class UpdateWriter {
    /** {@link #announce} leaves nothing out. */
    static final int NOTHING = 0;

    private final RouteAttributes attributes;
    private final ByteSink nlri = new ByteSink(4096);
    private final ByteSink update = new ByteSink(4096);
    private final UpdateEncoder wide = new UpdateEncoder(update, true, false);
    private final UpdateEncoder narrow = new UpdateEncoder(update, false, false);

    UpdateWriter(RouteAttributes attributes) {
        this.attributes = attributes;
    }

    RouteAttributes attributes() {
        return attributes;
    }

    /** For the routes of the next one. */
    ByteSink nlri() {
        return nlri;
    }

    /** The last UPDATE. */
    ByteSink update() {
        return update;
    }

    private UpdateEncoder encoder(LoadPeer peer) {
        return peer.fourOctetAs() ? wide : narrow;
    }

    static boolean classic(LoadPeer peer, int family) {
        return family == Family.IPV4_UNICAST && !peer.ipv6();
    }

    void endOfRib(int family) {
        update.reset();
        wide.endOfRib(family);
    }

    void withdraw(int family) {
        update.reset();
        wide.begin();
        if (family == Family.IPV4_UNICAST) {
            update.bytes(nlri.array(), 0, nlri.position());
        } else {
            wide.attributes().mpUnreach(family, Bytes.copyOf(nlri.array(), 0, nlri.position()));
        }
        wide.end();
    }

    void announce(LoadPeer peer, int family) {
        announce(peer, family, NOTHING, Bytes.EMPTY);
    }

    /**
     * @param omitted type of an attribute that is left out
     * @param more whole attributes that come behind the others
     */
    void announce(LoadPeer peer, int family, int omitted, Bytes more) {
        UpdateEncoder encoder = encoder(peer);
        boolean classic = classic(peer, family);
        update.reset();
        encoder.begin();
        AttributesEncoder out = encoder.attributes();
        if (!classic) {
            reach(family, out);
        }
        wellKnown(peer.fourOctetAs(), classic, omitted, out);
        optional(omitted, out);
        update.bytes(more);
        encoder.nlri();
        if (classic) {
            update.bytes(nlri.array(), 0, nlri.position());
        }
        encoder.end();
    }

    private void reach(int family, AttributesEncoder out) {
        int start = out.begin(AttributeCode.MP_REACH_NLRI);
        update.u16(Family.afi(family)).u8(Family.safi(family));
        attributes.nextHop.write(update);
        update.u8(0).bytes(nlri.array(), 0, nlri.position());
        out.end(start);
    }

    private void wellKnown(boolean fourOctetAs, boolean classic, int omitted, AttributesEncoder out) {
        if (omitted != AttributeCode.ORIGIN) {
            out.origin(attributes.origin);
        }
        if (omitted != AttributeCode.AS_PATH) {
            attributes.path.write(fourOctetAs, out);
        }
        if (classic && omitted != AttributeCode.NEXT_HOP) {
            out.nextHop(attributes.nextHop.address());
        }
        if (attributes.med >= 0 && omitted != AttributeCode.MULTI_EXIT_DISC) {
            out.med(attributes.med);
        }
        if (attributes.localPref >= 0 && omitted != AttributeCode.LOCAL_PREF) {
            out.localPref(attributes.localPref);
        }
        if (attributes.atomicAggregate && omitted != AttributeCode.ATOMIC_AGGREGATE) {
            out.atomicAggregate();
        }
        if (attributes.aggregatorAsn != 0 && omitted != AttributeCode.AGGREGATOR) {
            out.aggregator(attributes.aggregatorAsn, attributes.aggregatorAddress);
        }
    }

    private void optional(int omitted, AttributesEncoder out) {
        if (attributes.communityCount > 0 && omitted != AttributeCode.COMMUNITIES) {
            out.communities(attributes.communities, attributes.communityCount);
        }
        if (attributes.originatorId != 0 && omitted != AttributeCode.ORIGINATOR_ID) {
            out.originatorId(attributes.originatorId);
        }
        if (attributes.clusters.length > 0 && omitted != AttributeCode.CLUSTER_LIST) {
            out.clusterList(attributes.clusters);
        }
        if (!attributes.extended.isEmpty() && omitted != AttributeCode.EXTENDED_COMMUNITIES) {
            extended(out);
        }
        if (!attributes.ipv6Extended.isEmpty() && omitted != AttributeCode.IPV6_EXTENDED_COMMUNITIES) {
            out.ipv6ExtendedCommunities(attributes.ipv6Extended.stream()
                    .map(ExtendedChoice.Ipv6Choice::value)
                    .toList());
        }
        if (attributes.largeCount > 0 && omitted != AttributeCode.LARGE_COMMUNITIES) {
            out.largeCommunities(attributes.largeParts, attributes.largeCount);
        }
        for (RareAttribute rare : attributes.rare) {
            if (omitted != rare.type()) {
                out.attribute(rare.flags(), rare.type(), rare.value());
            }
        }
    }

    private void extended(AttributesEncoder out) {
        long[] values = new long[attributes.extended.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = attributes.extended.get(i).value();
        }
        out.extendedCommunities(values);
    }
}
