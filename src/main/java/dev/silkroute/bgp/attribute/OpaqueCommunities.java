package dev.silkroute.bgp.attribute;

import static dev.silkroute.bgp.attribute.CommunityCodecs.codec;
import static dev.silkroute.bgp.attribute.CommunityCodecs.unsigned;

import dev.silkroute.net.Addresses;
import java.util.List;

/** Opaque extended communities (RFC 4360, Section 3.3). */
final class OpaqueCommunities {
    private static final List<String> STATES = List.of("valid", "not-found", "invalid");

    /** {@code area | u8 route type | u8 options}: {@code 0.0.0.0:5:1} (RFC 4577, Section 4.2.6). */
    static final CommunityCodec OSPF_ROUTE_TYPE = codec(
            value -> Addresses.ipv4((int) (value >>> 16)) + ":" + (value >>> 8 & 0xFF) + ":" + (value & 0xFF),
            parts -> AddressParser.ipv4(parts[0]) << 16 | unsigned(parts[1], 8) << 8 | unsigned(parts[2], 8),
            3);

    /**
     * {@code u16 flags | u32 color}: {@code 100}, with flags {@code 0x4000:100} (RFC 9012, Section 4.3; RFC 9256,
     * Section 8.8.1).
     */
    static final CommunityCodec COLOR = codec(
            value -> (value >>> 32 == 0 ? "" : String.format("0x%04x:", value >>> 32)) + (value & 0xFFFF_FFFFL),
            parts -> parts.length == 1 ? unsigned(parts[0], 32) : unsigned(parts[0], 16) << 32 | unsigned(parts[1], 32),
            1,
            2);

    /** {@code 4 bytes reserved | u16 tunnel type}: a name or a number (RFC 9012, Section 4.1). */
    static final CommunityCodec ENCAPSULATION = codec(
            value -> value >>> 16 == 0 ? TunnelType.name((int) value) : null,
            parts -> unsigned(Integer.toString(TunnelType.code(parts[0])), 16),
            1);

    /** {@code 5 bytes reserved | u8 state} (RFC 8097, Section 2). */
    static final CommunityCodec VALIDATION_STATE = codec(
            value -> value < STATES.size() ? STATES.get((int) value) : null,
            parts -> {
                if (!STATES.contains(parts[0])) {
                    throw new IllegalArgumentException("no validation state: " + parts[0]);
                }
                return STATES.indexOf(parts[0]);
            },
            1);

    private OpaqueCommunities() {}
}
