package dev.silkroute.bgp.attribute;

import dev.silkroute.bgp.attribute.AsPath.Segment;
import dev.silkroute.net.ByteSink;
import java.util.List;

/** Encodes AS paths. A segment of more than 255 AS numbers becomes several. */
final class AsPathEncoder {
    private static final int MAX_COUNT = 255;

    private AsPathEncoder() {}

    /** @param size bytes of an AS number, 2 or 4 */
    static void write(AsPath path, int size, ByteSink out) {
        for (Segment segment : path.segments()) {
            List<Long> asns = segment.asns();
            for (int at = 0; at < asns.size(); at += MAX_COUNT) {
                List<Long> part = asns.subList(at, Math.min(at + MAX_COUNT, asns.size()));
                out.u8(segment.type().ordinal() + 1).u8(part.size());
                for (long asn : part) {
                    if (size == 4) {
                        out.u32((int) asn);
                    } else {
                        out.u16(narrow(asn));
                    }
                }
            }
        }
    }

    /** Removes confederation segments, which are not permitted in AS4_PATH (RFC 6793, Section 3). */
    static AsPath withoutConfederations(AsPath path) {
        return new AsPath(path.segments().stream()
                .filter(segment -> !segment.type().isConfederation())
                .toList());
    }

    static boolean isLarge(long asn) {
        return asn > 0xFFFF;
    }

    static int narrow(long asn) {
        return isLarge(asn) ? AsPathBytes.AS_TRANS : (int) asn;
    }
}
