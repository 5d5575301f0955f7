package dev.silkroute.bgp.attribute;

import static dev.silkroute.bgp.attribute.CommunityCodecs.codec;
import static dev.silkroute.bgp.attribute.CommunityCodecs.unsigned;

import dev.silkroute.net.Addresses;
import java.util.List;

/** Actions of flow specifications (RFC 8955, Section 7), and VPLS's layer 2 information (RFC 4761, Section 3.2.4). */
final class FlowSpecCommunities {
    /** By the value of the lowest two bits: 1 terminal action, 2 sample. */
    private static final List<String> ACTIONS = List.of("none", "terminal", "sample", "sample-terminal");

    static final CommunityCodec ACTION = codec(
            value -> value < ACTIONS.size() ? ACTIONS.get((int) value) : null,
            parts -> {
                if (!ACTIONS.contains(parts[0])) {
                    throw new IllegalArgumentException("no traffic action: " + parts[0]);
                }
                return ACTIONS.indexOf(parts[0]);
            },
            1);

    /** To the next hop of the route; the lowest bit asks for a copy. */
    static final CommunityCodec NEXT_HOP = codec(
            value -> value == 0 ? "" : value == 1 ? "copy" : null,
            parts -> parts.length == 0 ? 0 : copy(parts[0]),
            0,
            1);

    /** {@code IPv4 address | u16 flags}, the lowest of which asks for a copy. */
    static final CommunityCodec ADDRESS = codec(
            value -> (value & 0xFFFF) > 1
                    ? null
                    : Addresses.ipv4((int) (value >>> 16)) + ((value & 1) == 0 ? "" : ":copy"),
            parts -> AddressParser.ipv4(parts[0]) << 16 | (parts.length == 1 ? 0 : copy(parts[1])),
            1,
            2);

    /** {@code u8 encapsulation | u8 control flags | u16 MTU | u16 preference}: {@code 19:0x00:1500:100}. */
    static final CommunityCodec LAYER2_INFO = codec(
            value -> String.format(
                    "%d:0x%02x:%d:%d", value >>> 40, value >>> 32 & 0xFF, value >>> 16 & 0xFFFF, value & 0xFFFF),
            parts -> unsigned(parts[0], 8) << 40
                    | unsigned(parts[1], 8) << 32
                    | unsigned(parts[2], 16) << 16
                    | unsigned(parts[3], 16),
            4);

    private FlowSpecCommunities() {}

    private static long copy(String text) {
        if (!text.equals("copy")) {
            throw new IllegalArgumentException("no flag: " + text);
        }
        return 1;
    }
}
