package dev.silkroute.load;

import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.bgp.attribute.AttributesEncoder;
import dev.silkroute.bgp.update.UpdateEncoder;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;

/**
 * Writes a router's UPDATE messages, each into the same sink, with the attributes that {@link GeneratedAttributes}
 * holds. Not thread-safe.
 *
 * <p>IPv4 unicast uses the UPDATE's own NLRI fields on IPv4 sessions and MP_REACH_NLRI on IPv6 sessions, whose next hop
 * is an IPv6 address (RFC 8950). The other families use MP_REACH_NLRI, which is the first attribute (RFC 7606, Section
 * 5.1).
 */
final class UpdateWriter {
    private final GeneratedAttributes attributes;
    private final ByteSink nlri = new ByteSink(4096);
    private final ByteSink update = new ByteSink(4096);
    private final UpdateEncoder fourOctetAs = new UpdateEncoder(update, true, false);
    private final UpdateEncoder twoOctetAs = new UpdateEncoder(update, false, false);

    UpdateWriter(GeneratedAttributes attributes) {
        this.attributes = attributes;
    }

    GeneratedAttributes attributes() {
        return attributes;
    }

    /** Returns the sink for the NLRI of the next UPDATE. */
    ByteSink nlri() {
        return nlri;
    }

    /** Returns the sink that holds the last UPDATE. */
    ByteSink update() {
        return update;
    }

    /** Returns whether the peer's routes of this family are in the UPDATE's own fields rather than in MP_REACH_NLRI. */
    static boolean usesNlriField(LoadPeer peer, int family) {
        return family == Family.IPV4_UNICAST && !peer.ipv6();
    }

    void endOfRib(int family) {
        update.reset();
        fourOctetAs.endOfRib(family);
    }

    void withdraw(int family) {
        update.reset();
        fourOctetAs.begin();
        if (family == Family.IPV4_UNICAST) {
            update.bytes(nlri.array(), 0, nlri.position());
        } else {
            fourOctetAs.attributes().mpUnreach(family, Bytes.copyOf(nlri.array(), 0, nlri.position()));
        }
        fourOctetAs.end();
    }

    void announce(LoadPeer peer, int family) {
        announce(peer, family, GeneratedAttributes.NOTHING, Bytes.EMPTY);
    }

    /**
     * @param omitted the type of the attribute to leave out, or {@link GeneratedAttributes#NOTHING}
     * @param appended whole encoded attributes that follow the others
     */
    void announce(LoadPeer peer, int family, int omitted, Bytes appended) {
        UpdateEncoder encoder = peer.fourOctetAs() ? fourOctetAs : twoOctetAs;
        boolean usesNlriField = usesNlriField(peer, family);
        update.reset();
        encoder.begin();
        AttributesEncoder out = encoder.attributes();
        if (!usesNlriField) {
            mpReach(family, out);
        }
        attributes.write(peer.fourOctetAs(), usesNlriField, omitted, out);
        update.bytes(appended);
        encoder.nlri();
        if (usesNlriField) {
            update.bytes(nlri.array(), 0, nlri.position());
        }
        encoder.end();
    }

    private void mpReach(int family, AttributesEncoder out) {
        int start = out.begin(AttributeCode.MP_REACH_NLRI);
        update.u16(Family.afi(family)).u8(Family.safi(family));
        attributes.nextHop.write(update);
        update.u8(0).bytes(nlri.array(), 0, nlri.position());
        out.end(start);
    }
}
