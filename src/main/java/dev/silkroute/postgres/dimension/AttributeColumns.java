package dev.silkroute.postgres.dimension;

import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.bgp.attribute.NextHop;
import dev.silkroute.bgp.attribute.Origin;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Bytes;
import dev.silkroute.postgres.copy.CopyBinary;
import java.util.List;
import java.util.OptionalLong;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * The columns of {@code bmp.attribute_set} that are decoded from an attribute set. A value that the set lacks, or that
 * another column implies, is null: {@code as_path_asns} if the path's text is the same numbers, and in {@code
 * attributes} everything that has a column. The view {@code bmp.path_attributes} restores them. The text of jsonb and
 * the elements of arrays dominate the size of a set.
 */
final class AttributeColumns {
    static final String NAMES = "next_hop, next_hop_link_local, origin, as_path, as_path_asns, origin_asn, med,"
            + " local_pref, communities, large_communities, ext_communities, originator_id, cluster_list, attributes";
    static final int COUNT = 14;

    private AttributeColumns() {}

    static void write(CopyBinary row, PathAttributes attributes) {
        NextHop nextHop = attributes.nextHop();
        nextHop(row, nextHop);
        Origin origin = attributes.origin();
        row.text(origin == null ? null : origin.text());
        AsPath path = attributes.asPath();
        asPath(row, path);
        number(row, attributes.med());
        number(row, attributes.localPref());
        texts(row, attributes.communities());
        texts(row, attributes.largeCommunities());
        texts(row, attributes.extendedCommunities());
        reflection(row, attributes);
        if (origin == null) {
            row.jsonb(attributes.toJson()); // so that only a set that cannot be decoded has no attributes
        } else {
            String rest = attributes.toJson(type -> isInColumns(type, attributes, nextHop, path));
            row.jsonb(rest.equals("{}") ? null : rest);
        }
    }

    /** Returns whether the view can restore the JSON of this attribute from the columns. */
    private static boolean isInColumns(
            int type, PathAttributes attributes, @Nullable NextHop nextHop, @Nullable AsPath path) {
        return switch (type) {
            case AttributeCode.ORIGIN,
                    AttributeCode.MULTI_EXIT_DISC,
                    AttributeCode.LOCAL_PREF,
                    AttributeCode.COMMUNITIES,
                    AttributeCode.LARGE_COMMUNITIES,
                    AttributeCode.ORIGINATOR_ID,
                    AttributeCode.CLUSTER_LIST -> true;
            case AttributeCode.AS_PATH -> path != null && path.hasExactText();
            case AttributeCode.NEXT_HOP -> isPlain(nextHop);
            case AttributeCode.EXTENDED_COMMUNITIES -> attributes.hasUniqueExtendedCommunityTexts();
            default -> false;
        };
    }

    /**
     * Returns whether PostgreSQL formats the address like the station; it does not for IPv6 addresses with an embedded
     * IPv4 address.
     */
    private static boolean isPlain(@Nullable NextHop nextHop) {
        return nextHop != null
                && nextHop.isAddress()
                && (!nextHop.ipv6() || nextHop.high() != 0)
                && (!nextHop.hasLinkLocal() || nextHop.linkLocalHigh() != 0);
    }

    static void writeNulls(CopyBinary row) {
        for (int i = 0; i < COUNT; i++) {
            row.nullField();
        }
    }

    private static void nextHop(CopyBinary row, @Nullable NextHop nextHop) {
        if (nextHop != null && nextHop.isAddress()) {
            row.inet(nextHop.ipv6(), nextHop.high(), nextHop.low());
        } else {
            row.nullField();
        }
        if (nextHop != null && nextHop.hasLinkLocal()) {
            row.inet(true, nextHop.linkLocalHigh(), nextHop.linkLocalLow());
        } else {
            row.nullField();
        }
    }

    private static void asPath(CopyBinary row, @Nullable AsPath path) {
        if (path == null) {
            row.nullField();
            row.nullField();
            row.nullField();
        } else {
            row.text(path.text());
            if (path.isPlain()) {
                row.nullField();
            } else {
                row.int8Array(path.asns());
            }
            number(row, path.originAsn());
        }
    }

    /** ORIGINATOR_ID and CLUSTER_LIST (RFC 4456, Section 8); the list as addresses separated by spaces. */
    private static void reflection(CopyBinary row, PathAttributes attributes) {
        Bytes originator = attributes.value(AttributeCode.ORIGINATOR_ID).orElse(null);
        if (originator == null) {
            row.nullField();
        } else {
            row.inet(false, 0, originator.i32(0));
        }
        Bytes clusters = attributes.value(AttributeCode.CLUSTER_LIST).orElse(null);
        if (clusters == null) {
            row.nullField();
        } else {
            StringJoiner text = new StringJoiner(" ");
            for (int at = 0; at < clusters.length(); at += Integer.BYTES) {
                text.add(Addresses.ipv4(clusters.i32(at)));
            }
            row.text(text.toString());
        }
    }

    private static void number(CopyBinary row, OptionalLong value) {
        if (value.isPresent()) {
            row.int8(value.getAsLong());
        } else {
            row.nullField();
        }
    }

    private static void texts(CopyBinary row, List<String> values) {
        if (values.isEmpty()) {
            row.nullField();
        } else {
            row.textArray(values);
        }
    }
}
