package dev.silkroute.bgp.attribute;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.util.List;

/**
 * Encodes path attributes (RFC 4271, Section 4.3) in the order of the calls; {@link #end()} completes them. Flags are
 * those of the attribute's specification, and the extended length is used only if it is needed. Nothing is validated:
 * an attribute that is added twice is written twice.
 *
 * <p>With two-octet AS numbers, larger ones become AS_TRANS, and {@link #end()} adds AS4_PATH and AS4_AGGREGATOR (RFC
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

    /**
     * Adds an attribute with any flags. The extended-length flag is set if the length requires it or {@code flags} has
     * it.
     */
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

    /** Adds an attribute with the flags of its specification; unknown ones are optional and transitive. */
    public AttributesEncoder attribute(int type, Bytes value) {
        return attribute(Attribute.flags(type), type, value);
    }

    /**
     * Begins an attribute whose value the caller writes to the sink; the result is the argument of {@link #end(int)}.
     */
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

    /** Adds an AS_PATH of one sequence of at most 255 AS numbers, the usual form. Requires four-octet AS numbers. */
    public AttributesEncoder asSequence(int[] asns, int count) {
        if (!fourOctetAs || count < 1 || count > 0xFF) {
            throw new IllegalArgumentException("cannot write a sequence of " + count + " four-octet AS numbers");
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

    /** Adds the first {@code count} communities. */
    public AttributesEncoder communities(int[] communities, int count) {
        return u32s(AttributeCode.COMMUNITIES, communities, count);
    }

    public AttributesEncoder originatorId(int bgpId) {
        return u32(AttributeCode.ORIGINATOR_ID, bgpId);
    }

    public AttributesEncoder clusterList(int... clusterIds) {
        return u32s(AttributeCode.CLUSTER_LIST, clusterIds, clusterIds.length);
    }

    /** Adds MP_UNREACH_NLRI; without NLRI and other attributes it is the End-of-RIB of the family. */
    public AttributesEncoder mpUnreach(int family, Bytes nlri) {
        return put(AttributeCode.MP_UNREACH_NLRI, family(family).bytes(nlri));
    }

    /** @param communities the eight bytes of each */
    public AttributesEncoder extendedCommunities(long... communities) {
        header(AttributeCode.EXTENDED_COMMUNITIES, Long.BYTES * communities.length);
        for (long community : communities) {
            out.i64(community);
        }
        return this;
    }

    /** @param communities twenty bytes each */
    public AttributesEncoder ipv6ExtendedCommunities(List<Bytes> communities) {
        ByteSink value = new ByteSink();
        communities.forEach(value::bytes);
        return put(AttributeCode.IPV6_EXTENDED_COMMUNITIES, value);
    }

    /** Adds the first {@code count} parts. */
    public AttributesEncoder largeCommunities(int[] parts, int count) {
        if (count % 3 != 0) {
            throw new IllegalArgumentException(count + " is not a multiple of 3 parts");
        }
        return u32s(AttributeCode.LARGE_COMMUNITIES, parts, count);
    }

    /** Adds the AS4 attributes that two-octet AS numbers require. Call it once, after the last attribute. */
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
