package dev.silkroute.postgres;

import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.NextHop;
import dev.silkroute.bgp.attribute.Origin;
import dev.silkroute.bgp.attribute.PathAttributes;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The columns of {@code bmp.attrs} that are read out of an attribute set. What a set doesn't have is null. */
final class AttributeColumns {
    static final String NAMES = "next_hop, next_hop_link_local, origin, as_path, as_path_asns, origin_asn, med,"
            + " local_pref, communities, large_communities, ext_communities, attributes";
    static final int COUNT = 12;

    private AttributeColumns() {}

    static void write(CopyBinary row, PathAttributes attributes) {
        nextHop(row, attributes.nextHop());
        Origin origin = attributes.origin();
        row.text(origin == null ? null : origin.text());
        asPath(row, attributes.asPath(), attributes.asns());
        number(row, attributes.med());
        number(row, attributes.localPref());
        texts(row, attributes.communities());
        texts(row, attributes.largeCommunities());
        texts(row, attributes.extendedCommunities());
        row.jsonb(attributes.toJson());
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

    private static void asPath(CopyBinary row, @Nullable AsPath path, List<Long> asns) {
        if (path == null) {
            row.nullField();
            row.nullField();
            row.nullField();
        } else {
            row.text(path.text());
            row.int8Array(asns);
            number(row, path.originAsn());
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
