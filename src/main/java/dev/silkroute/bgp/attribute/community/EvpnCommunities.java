package dev.silkroute.bgp.attribute.community;

import org.jspecify.annotations.Nullable;

/** Texts of EVPN's extended communities (RFC 7432, Section 7, and its successors). */
final class EvpnCommunities {
    /**
     * {@code u8 flags (1 sticky) | u8 reserved | u32 sequence}: {@code 7}, {@code 7:sticky} (RFC 7432, Section 7.7).
     */
    static final CommunityText MAC_MOBILITY = value -> switch ((int) (value >>> 32)) {
        case 0 -> Long.toString(value & 0xFFFF_FFFFL);
        case 0x0100 -> (value & 0xFFFF_FFFFL) + ":sticky";
        default -> null;
    };

    /**
     * {@code u8 flags (1 single-active) | u16 reserved | u24 label}: {@code 100:all-active} (RFC 7432, Section 7.5).
     */
    static final CommunityText ESI_LABEL = value -> flagAndLabel(value, "all-active", "single-active");

    /** {@code u8 flags (1 leaf) | u16 reserved | u24 label}: {@code 100:leaf} (RFC 8317, Section 6.1). */
    static final CommunityText E_TREE = value -> flagAndLabel(value, "root", "leaf");

    /** {@code u16 control flags | u16 MTU | u16 reserved}: {@code 0x0002:1500} (RFC 8214, Section 3.1). */
    static final CommunityText LAYER2_ATTRIBUTES =
            value -> (value & 0xFFFF) == 0 ? String.format("0x%04x:%d", value >>> 32, value >>> 16 & 0xFFFF) : null;

    /**
     * {@code u8 algorithm | u16 capabilities | u8 reserved | u16 preference}: {@code 2:0x4000:100} (RFC 8584, Section
     * 2.2; RFC 9785).
     */
    static final CommunityText DF_ELECTION = value -> value >>> 40 < 32 && (value >>> 16 & 0xFF) == 0
            ? String.format("%d:0x%04x:%d", value >>> 40, value >>> 24 & 0xFFFF, value & 0xFFFF)
            : null;

    /** {@code u8 flags | 5 bytes reserved} (RFC 9047, Section 2). */
    static final CommunityText ARP_ND = value -> value << 24 == 0 ? String.format("0x%02x", value >>> 40) : null;

    /** {@code u16 flags | 4 bytes reserved} (RFC 9251, Section 9.4). */
    static final CommunityText MULTICAST_FLAGS =
            value -> value << 32 == 0 ? String.format("0x%04x", value >>> 32) : null;

    private EvpnCommunities() {}

    /** The label is in the upper 20 bits of its field. If the lower four are not 0, the text has all 24 in hex. */
    private static @Nullable String flagAndLabel(long value, String off, String on) {
        if (value >>> 41 != 0 || (value >>> 24 & 0xFFFF) != 0) {
            return null;
        }
        long label = value & 0xFFFFFF;
        String text = (label & 0xF) == 0 ? Long.toString(label >>> 4) : String.format("0x%06x", label);
        return text + ":" + (value >>> 40 == 0 ? off : on);
    }
}
