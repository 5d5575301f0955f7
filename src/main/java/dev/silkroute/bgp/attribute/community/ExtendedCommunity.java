package dev.silkroute.bgp.attribute.community;

import dev.silkroute.net.Hex;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Formats the eight bytes of an extended community (RFC 4360), held as a {@code long}.
 *
 * <pre>
 * u8 type (0x40 not transitive) | u8 sub-type | 6 bytes by type and sub-type
 * </pre>
 *
 * The text is {@code name:fields}: {@code 0002fbf400000001} is {@code rt:64500:1}. {@link ExtendedCommunityKind} has
 * the names. A community without a name, or with bits that its fields would not show, is {@code 0x} and sixteen hex
 * digits.
 */
public final class ExtendedCommunity {
    private static final long VALUE = 0xFFFF_FFFF_FFFFL;

    private ExtendedCommunity() {}

    /** Returns the text, such as {@code rt:64500:1} or {@code soo:192.0.2.1:1}. */
    public static String text(long community) {
        ExtendedCommunityKind kind = ExtendedCommunityKind.of((int) (community >>> 48));
        String fields = fields(kind, community);
        if (kind == null || fields == null) {
            return "0x" + Hex.of(community);
        }
        return fields.isEmpty() ? kind.name() : kind.name() + ":" + fields;
    }

    private static @Nullable String fields(@Nullable ExtendedCommunityKind kind, long community) {
        return kind == null ? null : kind.text().of(community & VALUE);
    }

    /**
     * Returns whether no other community has the same text. The exceptions have a four-octet AS number that two octets
     * could hold: their texts are those of the two-octet form of the same community.
     */
    public static boolean hasUniqueText(long community) {
        ExtendedCommunityKind kind = ExtendedCommunityKind.of((int) (community >>> 48));
        return kind == null || kind.text() != CommunityText.AS4_NUMBER || (community & VALUE) >>> 32 != 0;
    }

    /** Returns every name that a text may begin with, in ascending order. */
    public static List<String> names() {
        return ExtendedCommunityKind.names();
    }
}
