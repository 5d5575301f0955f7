package dev.silkroute.bgp.attribute;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.util.List;

/**
 * Writes path attributes as they stand in an UPDATE (RFC 4271, Section 4.3), in the order of the calls; {@link #end}
 * closes them. Flags are the ones each attribute's specification asks for, the extended length only where it is needed.
 * Nothing is judged: what is put twice is written twice.
 *
 * <p>With two-octet AS numbers, larger ones become AS_TRANS, and {@link #end} adds AS4_PATH and AS4_AGGREGATOR (RFC
 * 6793, Section 4.2.2). Not thread-safe.
 */
public final class AttributesEncoder {
    private static final int MAX_LENGTH = 0xFFFF;

    private final ByteSink out;
    private final boolean fourOctetAs;
    private Bytes as4Path = Bytes.EMPTY;
    private Bytes as4Aggregator = Bytes.EMPTY;

    public AttributesEncoder(ByteSink out, boolean fourOctetAs) {
        this.out = out;
        this.fourOctetAs = fourOctetAs;
    }

    /** Any attribute with any flags; the extended length bit is set where the length needs it or the flags have it. */
    public AttributesEncoder attribute(int flags, int type, Bytes value) {
        header(flags, type, value.length()).bytes(value);
        return this;
    }

    private ByteSink header(int flags, int type, int length) {
        if (length > MAX_LENGTH) {
            throw new IllegalArgumentException("attribute " + type + " of " + length + " bytes");
        }
        if (length > 0xFF || (flags & AttributeCode.FLAG_EXTENDED_LENGTH) != 0) {
            return out.u8(flags | AttributeCode.FLAG_EXTENDED_LENGTH).u8(type).u16(length);
        }
        return out.u8(flags).u8(type).u8(length);
    }

    private ByteSink header(int type, int length) {
        return header(Attribute.flags(type), type, length);
    }

    /** Any attribute from its value, with the flags of its specification; optional and transitive for unknown ones. */
    public AttributesEncoder attribute(int type, Bytes value) {
        return attribute(Attribute.flags(type), type, value);
    }

    /** Begins an attribute whose value the caller writes to the sink; returns what {@link #end(int)} wants. */
    public int begin(int type) {
        int start = out.position();
        out.u8(Attribute.flags(type) | AttributeCode.FLAG_EXTENDED_LENGTH)
                .u8(type)
                .u16(0);
        return start;
    }

    /** Ends the attribute that began at {@code start}. */
    public AttributesEncoder end(int start) {
        int length = out.position() - start - 4;
        if (length > MAX_LENGTH) {
            throw new IllegalArgumentException("attribute of " + length + " bytes");
        }
        out.patchU16(start + 2, length);
        return this;
    }

    public AttributesEncoder origin(Origin origin) {
        header(AttributeCode.ORIGIN, 1).u8(origin.code());
        return this;
    }

    /**
     * An AS_PATH that is one sequence with four octets each, the form of nearly all; for sessions with four-octet AS
     * numbers.
     */
    public AttributesEncoder asSequence(int[] asns, int count) {
        if (!fourOctetAs || count < 1 || count > 0xFF) {
            throw new IllegalArgumentException("no sequence of " + count + " four-octet AS numbers here");
        }
        header(AttributeCode.AS_PATH, 2 + 4 * count).u8(AsPathBytes.SEQUENCE).u8(count);
        for (int i = 0; i < count; i++) {
            out.u32(asns[i]);
        }
        return this;
    }

    public AttributesEncoder asPath(AsPath path) {
        ByteSink value = new ByteSink();
        AsPathEncoder.write(path, fourOctetAs ? 4 : 2, value);
        if (!fourOctetAs && path.asns().stream().anyMatch(AsPathEncoder::isLarge)) {
            ByteSink wide = new ByteSink();
            AsPathEncoder.write(AsPathEncoder.withoutConfederations(path), 4, wide);
            as4Path = Bytes.of(wide.toByteArray());
        }
        return put(AttributeCode.AS_PATH, value);
    }

    public AttributesEncoder nextHop(int address) {
        return u32(AttributeCode.NEXT_HOP, address);
    }

    public AttributesEncoder med(int med) {
        return u32(AttributeCode.MULTI_EXIT_DISC, med);
    }

    public AttributesEncoder localPref(int preference) {
        return u32(AttributeCode.LOCAL_PREF, preference);
    }

    public AttributesEncoder atomicAggregate() {
        return attribute(AttributeCode.ATOMIC_AGGREGATE, Bytes.EMPTY);
    }

    public AttributesEncoder aggregator(int asn, int address) {
        ByteSink wide = new ByteSink(16).u32(asn).u32(address);
        if (fourOctetAs) {
            return put(AttributeCode.AGGREGATOR, wide);
        }
        if (AsPathEncoder.isLarge(Integer.toUnsignedLong(asn))) {
            as4Aggregator = Bytes.of(wide.toByteArray());
        }
        int narrow = AsPathEncoder.narrow(Integer.toUnsignedLong(asn));
        return put(AttributeCode.AGGREGATOR, new ByteSink(16).u16(narrow).u32(address));
    }

    /** @param communities AS number in the upper 16 bits */
    public AttributesEncoder communities(int... communities) {
        return communities(communities, communities.length);
    }

    /** The first {@code count} of them. */
    public AttributesEncoder communities(int[] communities, int count) {
        return u32s(AttributeCode.COMMUNITIES, communities, count);
    }

    public AttributesEncoder originatorId(int bgpId) {
        return u32(AttributeCode.ORIGINATOR_ID, bgpId);
    }

    public AttributesEncoder clusterList(int... clusterIds) {
        return u32s(AttributeCode.CLUSTER_LIST, clusterIds, clusterIds.length);
    }

    /** @param nextHop without its length; {@code nlri} with path identifiers, if the session has them */
    public AttributesEncoder mpReach(int family, Bytes nextHop, Bytes nlri) {
        ByteSink value =
                family(family).u8(nextHop.length()).bytes(nextHop).u8(0).bytes(nlri);
        return put(AttributeCode.MP_REACH_NLRI, value);
    }

    /** Without NLRI this is, all alone in its UPDATE, the End-of-RIB of the family. */
    public AttributesEncoder mpUnreach(int family, Bytes nlri) {
        return put(AttributeCode.MP_UNREACH_NLRI, family(family).bytes(nlri));
    }

    /** {@link ExtendedCommunity#parse} makes them from texts. */
    public AttributesEncoder extendedCommunities(long... communities) {
        header(AttributeCode.EXTENDED_COMMUNITIES, Long.BYTES * communities.length);
        for (long community : communities) {
            out.i64(community);
        }
        return this;
    }

    /** @param label the 24 bits as they go out: an MPLS label in the upper 20, or a VNI */
    public AttributesEncoder pmsiTunnel(int flags, int tunnelType, int label, Bytes identifier) {
        ByteSink value =
                new ByteSink().u8(flags).u8(tunnelType).u8(label >>> 16).u16(label);
        return put(AttributeCode.PMSI_TUNNEL, value.bytes(identifier));
    }

    /** @param communities 20 bytes each, as {@link Ipv6ExtendedCommunity#parse} makes them */
    public AttributesEncoder ipv6ExtendedCommunities(List<Bytes> communities) {
        ByteSink value = new ByteSink();
        communities.forEach(value::bytes);
        return put(AttributeCode.IPV6_EXTENDED_COMMUNITIES, value);
    }

    public AttributesEncoder aigp(long metric) {
        return put(AttributeCode.AIGP, new ByteSink(16).u8(1).u16(11).i64(metric));
    }

    /** @param parts three for each community: global administrator and both local data */
    public AttributesEncoder largeCommunities(int... parts) {
        return largeCommunities(parts, parts.length);
    }

    /** The first {@code count} parts. */
    public AttributesEncoder largeCommunities(int[] parts, int count) {
        if (count % 3 != 0) {
            throw new IllegalArgumentException(count + " parts are no large communities");
        }
        return u32s(AttributeCode.LARGE_COMMUNITIES, parts, count);
    }

    public AttributesEncoder onlyToCustomer(int asn) {
        return u32(AttributeCode.ONLY_TO_CUSTOMER, asn);
    }

    /** @param attributes written by an encoder of their own, with four-octet AS numbers (RFC 6368, Section 5) */
    public AttributesEncoder attrSet(int originAsn, Bytes attributes) {
        return put(AttributeCode.ATTR_SET, new ByteSink().u32(originAsn).bytes(attributes));
    }

    /** Writes what two-octet AS numbers left over. Needed once, after the last attribute. */
    public void end() {
        if (!as4Path.isEmpty()) {
            attribute(AttributeCode.AS4_PATH, as4Path);
        }
        if (!as4Aggregator.isEmpty()) {
            attribute(AttributeCode.AS4_AGGREGATOR, as4Aggregator);
        }
        as4Path = Bytes.EMPTY;
        as4Aggregator = Bytes.EMPTY;
    }

    private static ByteSink family(int family) {
        return new ByteSink().u16(Family.afi(family)).u8(Family.safi(family));
    }

    private AttributesEncoder u32(int type, int value) {
        header(type, 4).u32(value);
        return this;
    }

    private AttributesEncoder u32s(int type, int[] values, int count) {
        header(type, 4 * count);
        for (int i = 0; i < count; i++) {
            out.u32(values[i]);
        }
        return this;
    }

    private AttributesEncoder put(int type, ByteSink value) {
        header(type, value.position()).bytes(value.array(), 0, value.position());
        return this;
    }
}
