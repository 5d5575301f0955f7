package dev.silkroute.bgp.attribute.community;

import dev.silkroute.net.Addresses;
import java.util.List;

/**
 * Texts of the actions of flow specifications (RFC 8955, Section 7) and of VPLS's layer 2 information (RFC 4761,
 * Section 3.2.4).
 */
final class FlowSpecCommunities {
    /** Indexed by the value of the lowest two bits: 1 terminal action, 2 sample. */
    private static final List<String> ACTIONS = List.of("none", "terminal", "sample", "sample-terminal");

    static final CommunityText ACTION = value -> value < ACTIONS.size() ? ACTIONS.get((int) value) : null;

    /** Redirects to the next hop of the route; the lowest bit requests a copy. */
    static final CommunityText NEXT_HOP = value -> value == 0 ? "" : value == 1 ? "copy" : null;

    /** {@code IPv4 address | u16 flags}, whose lowest bit requests a copy. */
    static final CommunityText ADDRESS = value ->
            (value & 0xFFFF) > 1 ? null : Addresses.ipv4((int) (value >>> 16)) + ((value & 1) == 0 ? "" : ":copy");

    /** {@code u8 encapsulation | u8 control flags | u16 MTU | u16 preference}: {@code 19:0x00:1500:100}. */
    static final CommunityText LAYER2_INFO = value ->
            String.format("%d:0x%02x:%d:%d", value >>> 40, value >>> 32 & 0xFF, value >>> 16 & 0xFFFF, value & 0xFFFF);

    private FlowSpecCommunities() {}
}
