package dev.silkroute.bgp.attribute;

import static dev.silkroute.bgp.attribute.CommunityCodecs.codec;
import static dev.silkroute.bgp.attribute.CommunityCodecs.unsigned;

import org.jspecify.annotations.Nullable;

/** EVPN's extended communities (RFC 7432, Section 7, and later ones). */
final class EvpnCommunities {
    /**
     * {@code u8 flags (1 sticky) | u8 reserved | u32 sequence}: {@code 7}, {@code 7:sticky} (RFC 7432, Section 7.7).
     */
    static final CommunityCodec MAC_MOBILITY = codec(
            value -> switch ((int) (value >>> 32)) {
                case 0 -> Long.toString(value & 0xFFFF_FFFFL);
                case 0x0100 -> (value & 0xFFFF_FFFFL) + ":sticky";
                default -> null;
            },
            parts -> unsigned(parts[0], 32) | (parts.length == 1 ? 0 : flag(parts[1], "", "sticky") << 40),
            1,
            2);

    /**
     * {@code u8 flags (1 single-active) | u16 reserved | u24 label}: {@code 100:all-active}. The label is in the upper
     * 20 bits; the whole 24 in hex where the lower four are not 0 (RFC 7432, Section 7.5).
     */
    static final CommunityCodec ESI_LABEL = codec(
            value -> flagged(value, "all-active", "single-active"),
            parts -> flag(parts[1], "all-active", "single-active") << 40 | label(parts[0]),
            2);

    /** {@code u8 flags (1 leaf) | u16 reserved | u24 label}: {@code 100:leaf} (RFC 8317, Section 6.1). */
    static final CommunityCodec E_TREE = codec(
            value -> flagged(value, "root", "leaf"),
            parts -> flag(parts[1], "root", "leaf") << 40 | label(parts[0]),
            2);

    /** {@code u16 control flags | u16 MTU | u16 reserved}: {@code 0x0002:1500} (RFC 8214, Section 3.1). */
    static final CommunityCodec LAYER2_ATTRIBUTES = codec(
            value -> (value & 0xFFFF) == 0 ? String.format("0x%04x:%d", value >>> 32, value >>> 16 & 0xFFFF) : null,
            parts -> unsigned(parts[0], 16) << 32 | unsigned(parts[1], 16) << 16,
            2);

    /**
     * {@code u8 algorithm | u16 capabilities | u8 reserved | u16 preference}: {@code 2:0x4000:100} (RFC 8584, Section
     * 2.2; RFC 9785).
     */
    static final CommunityCodec DF_ELECTION = codec(
            value -> value >>> 40 < 32 && (value >>> 16 & 0xFF) == 0
                    ? String.format("%d:0x%04x:%d", value >>> 40, value >>> 24 & 0xFFFF, value & 0xFFFF)
                    : null,
            parts -> unsigned(parts[0], 5) << 40 | unsigned(parts[1], 16) << 24 | unsigned(parts[2], 16),
            3);

    /** {@code u8 flags | 5 bytes reserved} (RFC 9047, Section 2). */
    static final CommunityCodec ARP_ND = codec(
            value -> value << 24 == 0 ? String.format("0x%02x", value >>> 40) : null,
            parts -> unsigned(parts[0], 8) << 40,
            1);

    /** {@code u16 flags | 4 bytes reserved} (RFC 9251, Section 9.4). */
    static final CommunityCodec MULTICAST_FLAGS = codec(
            value -> value << 32 == 0 ? String.format("0x%04x", value >>> 32) : null,
            parts -> unsigned(parts[0], 16) << 32,
            1);

    private EvpnCommunities() {}

    private static @Nullable String flagged(long value, String off, String on) {
        if (value >>> 41 != 0 || (value >>> 24 & 0xFFFF) != 0) {
            return null;
        }
        long label = value & 0xFFFFFF;
        String text = (label & 0xF) == 0 ? Long.toString(label >>> 4) : String.format("0x%06x", label);
        return text + ":" + (value >>> 40 == 0 ? off : on);
    }

    private static long flag(String text, String off, String on) {
        if (text.equals(on)) {
            return 1;
        }
        if (text.equals(off)) {
            return 0;
        }
        throw new IllegalArgumentException("neither " + off + " nor " + on + ": " + text);
    }

    private static long label(String text) {
        return text.startsWith("0x") ? unsigned(text, 24) : unsigned(text, 20) << 4;
    }
}
