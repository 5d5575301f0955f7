package dev.silkroute.bgp.attribute.community;

import dev.silkroute.bgp.attribute.tlv.TunnelType;
import dev.silkroute.net.Addresses;
import java.util.List;

/** Texts of opaque extended communities (RFC 4360, Section 3.3). */
final class OpaqueCommunities {
    private static final List<String> STATES = List.of("valid", "not-found", "invalid");

    /** {@code u32 area | u8 route type | u8 options}: {@code 0.0.0.0:5:1} (RFC 4577, Section 4.2.6). */
    static final CommunityText OSPF_ROUTE_TYPE =
            value -> Addresses.ipv4((int) (value >>> 16)) + ":" + (value >>> 8 & 0xFF) + ":" + (value & 0xFF);

    /**
     * {@code u16 flags | u32 color}: {@code 100}, with flags {@code 0x4000:100} (RFC 9012, Section 4.3; RFC 9256,
     * Section 8.8.1).
     */
    static final CommunityText COLOR =
            value -> (value >>> 32 == 0 ? "" : String.format("0x%04x:", value >>> 32)) + (value & 0xFFFF_FFFFL);

    /** {@code 4 bytes reserved | u16 tunnel type}: a name or a number (RFC 9012, Section 4.1). */
    static final CommunityText ENCAPSULATION = value -> value >>> 16 == 0 ? TunnelType.text((int) value) : null;

    /** {@code 5 bytes reserved | u8 state} (RFC 8097, Section 2). */
    static final CommunityText VALIDATION_STATE = value -> value < STATES.size() ? STATES.get((int) value) : null;

    private OpaqueCommunities() {}
}
