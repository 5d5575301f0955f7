package dev.silkroute.bgp.attribute;

import java.util.HexFormat;
import java.util.List;

/**
 * Texts of the eight bytes of an extended community (RFC 4360; numbers: IANA "BGP Extended Communities").
 *
 * <pre>
 * u8 type (0x40 not transitive) | u8 sub-type | 6 bytes by type and sub-type
 * </pre>
 *
 * The text is {@code name:fields}, as {@code rt:64500:1} or {@code mac-mobility:7:sticky};
 * {@link ExtendedCommunityKind} has the names. What has no name, or bytes set that its fields do not show, is
 * {@code 0x} and sixteen hex digits. A text stands for one community, with one exception: a four-octet AS number below
 * 65,536 reads like the two-octet form of the same community.
 */
public final class ExtendedCommunity {
    private static final long VALUE = 0xFFFF_FFFF_FFFFL;
    private static final HexFormat HEX = HexFormat.of();

    private ExtendedCommunity() {}

    /** {@code rt:64500:1}, {@code soo:192.0.2.1:1}; {@code 0x} and sixteen hex digits where there is no name. */
    public static String text(long community) {
        ExtendedCommunityKind kind = ExtendedCommunityKind.of((int) (community >>> 48));
        String fields = kind == null ? null : kind.codec().text(community & VALUE);
        if (kind == null || fields == null) {
            return "0x" + HEX.toHexDigits(community);
        }
        return fields.isEmpty() ? kind.text() : kind.text() + ":" + fields;
    }

    /**
     * The community that a text stands for; the two-octet form of an AS number where both are possible.
     *
     * @throws IllegalArgumentException if it stands for none
     */
    public static long parse(String text) {
        if (text.startsWith("0x") && text.length() == 18) {
            return parseHex(text);
        }
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        String fields = colon < 0 ? "" : text.substring(colon + 1);
        for (ExtendedCommunityKind kind : ExtendedCommunityKind.named(name)) {
            try {
                return (long) kind.code() << 48 | kind.codec().parse(fields);
            } catch (IllegalArgumentException e) {
                // Another form of the same name may take it.
            }
        }
        throw new IllegalArgumentException("no extended community: " + text);
    }

    private static long parseHex(String text) {
        try {
            return HexFormat.fromHexDigitsToLong(text, 2, 18);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("no extended community: " + text, e);
        }
    }

    /** Whether {@link #parse} of the text gives back this community, to the bit. */
    static boolean isExact(long community) {
        return parse(text(community)) == community;
    }

    /** Every name a text may begin with, ascending. */
    public static List<String> names() {
        return ExtendedCommunityKind.names();
    }
}
