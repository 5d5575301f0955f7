package dev.silkroute.bgp.attribute;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Hex;
import dev.silkroute.net.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * ATTR_SET: the attributes a customer's route had before a provider's VPN took it over (RFC 6368, Section 5).
 *
 * <pre>
 * u32 origin AS | path attributes as in an UPDATE, AS numbers of four octets
 * </pre>
 */
final class AttrSet {
    private static final int ORIGIN_AS = 4;

    private AttrSet() {}

    /** Whether the attributes within end where ATTR_SET ends; their own contents are not judged. */
    static boolean isWhole(byte[] b, int from, int to) {
        int at = from + ORIGIN_AS;
        while (at < to) {
            int value = value(b, at, to);
            if (value < 0) {
                return false;
            }
            at = end(b, at);
        }
        return at == to;
    }

    /** Offset of the value of the attribute at {@code at}; -1 if its header is cut. */
    private static int value(byte[] b, int at, int to) {
        int header = (b[at] & AttributeCode.FLAG_EXTENDED_LENGTH) != 0 ? 4 : 3;
        return to - at < header ? -1 : at + header;
    }

    private static int end(byte[] b, int at) {
        return (b[at] & AttributeCode.FLAG_EXTENDED_LENGTH) != 0
                ? at + 4 + BigEndian.u16(b, at + 2)
                : at + 3 + BigEndian.u8(b, at + 2);
    }

    /**
     * @param outermost whether the attributes within are written as fields too: an ATTR_SET within an ATTR_SET stays
     * hex
     */
    static void write(byte[] b, int from, int to, boolean outermost, JsonText json) {
        json.begin().field("origin_asn", BigEndian.u32(b, from)).field("value", Hex.of(b, from + ORIGIN_AS, to));
        PathAttributes inner = outermost ? attributes(b, from + ORIGIN_AS, to) : null;
        if (inner != null) {
            json.name("attributes").json(AttributesJson.writeInner(inner));
        }
        json.end();
    }

    /** The attributes within as a canonical set; null if they can't make one. */
    private static @Nullable PathAttributes attributes(byte[] b, int from, int to) {
        AttributeTable table = new AttributeTable();
        for (int at = from; at < to; at = end(b, at)) {
            int type = BigEndian.u8(b, at + 1);
            int value = value(b, at, to);
            if (table.seen(type) || !fits(type, BigEndian.u8(b, at), b, value, end(b, at))) {
                return null;
            }
            table.put(type, BigEndian.u8(b, at), value, end(b, at));
        }
        ByteSink out = new ByteSink(to - from + 64);
        AttributeSetWriter.write(b, table, true, false, out);
        return PathAttributes.decode(out.array(), 0, out.position());
    }

    private static boolean fits(int type, int flags, byte[] b, int from, int to) {
        AttributeFault fault = AttributeRules.check(type, flags, b, from, to);
        return switch (type) {
            case AttributeCode.MP_REACH_NLRI, AttributeCode.MP_UNREACH_NLRI -> false;
            case AttributeCode.AS_PATH -> fault == null && AsPathBytes.fits(b, from, to, 4);
            case AttributeCode.AGGREGATOR -> fault == null && to - from == 8;
            default -> fault == null || fault == AttributeFault.UNRECOGNIZED_WELL_KNOWN;
        };
    }
}
