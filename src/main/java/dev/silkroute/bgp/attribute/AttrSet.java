package dev.silkroute.bgp.attribute;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Hex;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The ATTR_SET attribute: the attributes of a customer's route before it entered a provider's VPN (RFC 6368, Section
 * 5).
 *
 * <pre>
 * u32 origin AS | path attributes as in an UPDATE, with four-octet AS numbers
 * </pre>
 */
final class AttrSet {
    private static final int ORIGIN_AS = 4;

    private AttrSet() {}

    /** Returns whether the inner attributes end where ATTR_SET ends. Their values are not validated. */
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

    /** Returns the offset of the value of the attribute at {@code at}, -1 if its header is truncated. */
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
     * @param outermost whether to write the inner attributes as fields too; an ATTR_SET within an ATTR_SET stays hex
     */
    static void write(byte[] b, int from, int to, boolean outermost, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("origin_asn", BigEndian.u32(b, from));
        json.writeStringField("value", Hex.of(b, from + ORIGIN_AS, to));
        PathAttributes inner = outermost ? attributes(b, from + ORIGIN_AS, to) : null;
        if (inner != null) {
            json.writeFieldName("attributes");
            AttributesJson.writeInner(inner, json);
        }
        json.writeEndObject();
    }

    /** Returns the inner attributes as a canonical set; null if they are not one. */
    private static @Nullable PathAttributes attributes(byte[] b, int from, int to) {
        AttributeTable table = new AttributeTable();
        for (int at = from; at < to; at = end(b, at)) {
            int type = BigEndian.u8(b, at + 1);
            int flags = BigEndian.u8(b, at);
            int value = value(b, at, to);
            if (table.seen(type) || !Attribute.isCanonical(type, flags, b, value, end(b, at))) {
                return null;
            }
            table.put(type, flags, value, end(b, at));
        }
        ByteSink out = new ByteSink(to - from + 64);
        AttributeSetWriter.write(b, table, true, false, out);
        return PathAttributes.decode(out.array(), 0, out.position());
    }
}
