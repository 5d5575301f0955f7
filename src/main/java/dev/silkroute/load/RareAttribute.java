package dev.silkroute.load;

import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.util.List;

/**
 * An attribute that few routes have. Each implementation holds the drawn values and encodes them; {@link #draw} decides
 * which routes get it. A new attribute of this kind is added here only.
 */
sealed interface RareAttribute {
    int TRANSITIVE = AttributeCode.FLAG_OPTIONAL | AttributeCode.FLAG_TRANSITIVE;

    /** Returns the attribute type code. */
    int type();

    /** Returns the attribute flags without the extended-length bit. */
    default int flags() {
        return TRANSITIVE;
    }

    /** Encodes the attribute value. */
    Bytes value();

    /** Appends the rare attributes of a route whose AS path and next hop have been drawn already. */
    static void draw(
            GeneratedAttributes route,
            GeneratedAttributes.Placement placement,
            KeyedRandom random,
            List<RareAttribute> into) {
        int family = placement.family();
        switch (family) {
            case Family.IPV4_UNICAST, Family.IPV6_UNICAST -> {
                if (random.oneIn(20)) {
                    into.add(new OnlyToCustomer(route.path.anyAsn(random)));
                }
            }
            case Family.IPV4_LABELED_UNICAST, Family.IPV6_LABELED_UNICAST -> {
                if (placement.isInside() && random.oneIn(4)) {
                    into.add(new Aigp(10 + random.nextInt(1000)));
                }
                if (random.oneIn(2)) {
                    into.add(new LabelIndex(random.nextInt(8000)));
                }
            }
            case Family.VPNV4, Family.VPNV6 -> {
                if (random.oneIn(50)) {
                    into.add(new VxlanTunnel(route.nextHop.address(), 5000 + random.nextInt(8)));
                }
                if (random.oneIn(10)) {
                    into.add(new Srv6Service(family == Family.VPNV6, 0x1000 + random.nextInt(100)));
                }
                if (random.oneIn(50)) {
                    into.add(new CustomerAttributes(65_001, 65_001, random.nextInt(100)));
                }
            }
            case Family.EVPN -> {
                if (placement.kind() == EvpnNlriSeries.INCLUSIVE_MULTICAST) {
                    into.add(new IngressReplication(EvpnNlriSeries.vni(placement.group()), route.nextHop.address()));
                }
            }
            default -> {}
        }
        if (random.oneIn(200)) {
            into.add(new Unknown((int) random.next(), random.oneIn(2)));
        }
    }

    private static Bytes copy(ByteSink sink) {
        return Bytes.of(sink.toByteArray());
    }

    /** AIGP with its single TLV (RFC 7311, Section 3). */
    record Aigp(long metric) implements RareAttribute {
        @Override
        public int type() {
            return AttributeCode.AIGP;
        }

        @Override
        public int flags() {
            return AttributeCode.FLAG_OPTIONAL;
        }

        @Override
        public Bytes value() {
            return copy(new ByteSink(16).u8(1).u16(11).i64(metric));
        }
    }

    /** Only to Customer (RFC 9234, Section 5). */
    record OnlyToCustomer(int asn) implements RareAttribute {
        @Override
        public int type() {
            return AttributeCode.ONLY_TO_CUSTOMER;
        }

        @Override
        public Bytes value() {
            return copy(new ByteSink(16).u32(asn));
        }
    }

    /** A Label-Index TLV in a Prefix-SID attribute (RFC 8669, Section 3.1). */
    record LabelIndex(int index) implements RareAttribute {
        @Override
        public int type() {
            return AttributeCode.PREFIX_SID;
        }

        /** Encodes the TLV's value: u8 reserved, u16 flags, u32 index. */
        ByteSink tlv() {
            return new ByteSink(16).u8(0).u16(0).u32(index);
        }

        @Override
        public Bytes value() {
            return copy(new ByteSink(16).u8(1).u16(7).bytes(tlv().array(), 0, 7));
        }
    }

    /**
     * The SID of an SRv6 L3 service, with all its bits in the SID and none in the label (RFC 9252, Sections 2, 3 and
     * 3.2.1).
     *
     * @param isIpv6 whether the endpoint behaviour is End.DT6, else End.DT4
     * @param function the function part of the SID, 16 bits
     */
    record Srv6Service(boolean isIpv6, int function) implements RareAttribute {
        /** The upper half of every SID: the locator 2001:db8:53::/64. */
        static final long LOCATOR = 0x2001_0DB8_0053_0000L;

        private static final int END_DT4 = 19;
        private static final int END_DT6 = 18;

        @Override
        public int type() {
            return AttributeCode.PREFIX_SID;
        }

        int behavior() {
            return isIpv6 ? END_DT6 : END_DT4;
        }

        /** Returns the lower half of the SID. */
        long sidLow() {
            return (long) function << 48;
        }

        /** Encodes the SRv6 L3 Service TLV's value: a SID Information sub-TLV with a SID Structure inside. */
        ByteSink service() {
            ByteSink sid = new ByteSink(64).u8(0).i64(LOCATOR).i64(sidLow());
            sid.u8(0).u16(behavior()).u8(0);
            sid.u8(1).u16(6).u8(48).u8(16).u8(16).u8(0).u16(0);
            return new ByteSink(64).u8(0).u8(1).u16(sid.position()).bytes(sid.array(), 0, sid.position());
        }

        @Override
        public Bytes value() {
            ByteSink service = service();
            return copy(new ByteSink(64).u8(5).u16(service.position()).bytes(service.array(), 0, service.position()));
        }
    }

    /**
     * A VXLAN tunnel to an IPv4 endpoint (RFC 9012, Sections 2, 3.1 and 3.2.1). It has no colour sub-TLV because
     * Wireshark 4.0 reads four of that sub-TLV's eight bytes only and then misreads what follows.
     */
    record VxlanTunnel(int endpoint, int vni) implements RareAttribute {
        static final int VXLAN = 8;
        static final int VNI_VALID = 0x80;

        @Override
        public int type() {
            return AttributeCode.TUNNEL_ENCAPSULATION;
        }

        /** Encodes the two sub-TLVs: encapsulation and tunnel egress endpoint. */
        ByteSink subTlvs() {
            ByteSink out =
                    new ByteSink(32).u8(1).u8(12).u8(VNI_VALID).u8(vni >>> 16).u16(vni);
            return out.i64(0).u8(6).u8(10).u32(0).u16(1).u32(endpoint);
        }

        @Override
        public Bytes value() {
            ByteSink subTlvs = subTlvs();
            return copy(
                    new ByteSink(64).u16(VXLAN).u16(subTlvs.position()).bytes(subTlvs.array(), 0, subTlvs.position()));
        }
    }

    /**
     * PMSI Tunnel with ingress replication and a VNI in the label field (RFC 6514, Section 5; RFC 8365, Section 5.1.3).
     */
    record IngressReplication(int vni, int endpoint) implements RareAttribute {
        static final int TUNNEL_TYPE = 6;

        @Override
        public int type() {
            return AttributeCode.PMSI_TUNNEL;
        }

        @Override
        public Bytes value() {
            return copy(new ByteSink(16)
                    .u8(0)
                    .u8(TUNNEL_TYPE)
                    .u8(vni >>> 16)
                    .u16(vni)
                    .u32(endpoint));
        }
    }

    /**
     * ATTR_SET: the attributes of a customer's route, an ORIGIN of IGP, an AS path of one AS and a MED (RFC 6368,
     * Section 5).
     *
     * @param originAsn the AS number in front of the attributes
     */
    record CustomerAttributes(int originAsn, int asn, int med) implements RareAttribute {
        @Override
        public int type() {
            return AttributeCode.ATTR_SET;
        }

        /** Encodes the enclosed attributes. */
        ByteSink attributes() {
            ByteSink inner =
                    new ByteSink(32).u8(0x40).u8(AttributeCode.ORIGIN).u8(1).u8(0);
            inner.u8(0x40).u8(AttributeCode.AS_PATH).u8(6).u8(2).u8(1).u32(asn);
            return inner.u8(0x80).u8(AttributeCode.MULTI_EXIT_DISC).u8(4).u32(med);
        }

        @Override
        public Bytes value() {
            ByteSink inner = attributes();
            return copy(new ByteSink(32).u32(originAsn).bytes(inner.array(), 0, inner.position()));
        }
    }

    /**
     * An attribute of a type that IANA reserves for development, so no decoder recognizes it.
     *
     * @param content the four bytes of the value
     * @param isPartial whether a router on the way did not recognize it either (RFC 4271, Section 4.3)
     */
    record Unknown(int content, boolean isPartial) implements RareAttribute {
        private static final int RESERVED_FOR_DEVELOPMENT = 255;

        @Override
        public int type() {
            return RESERVED_FOR_DEVELOPMENT;
        }

        @Override
        public int flags() {
            return TRANSITIVE | (isPartial ? AttributeCode.FLAG_PARTIAL : 0);
        }

        @Override
        public Bytes value() {
            return copy(new ByteSink(16).u32(content));
        }
    }
}
