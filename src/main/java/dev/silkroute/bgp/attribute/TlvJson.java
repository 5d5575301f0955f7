package dev.silkroute.bgp.attribute;

import dev.silkroute.net.Hex;
import dev.silkroute.net.JsonText;
import java.util.Map;

/**
 * Writes TLVs as a JSON array of {@code {"type", "name", "value", fields…}}; the bytes have been found to fit the
 * format.
 */
final class TlvJson {
    private TlvJson() {}

    /** TLVs of an attribute: every one has all its bytes in {@code value}, what they mean beside. */
    static void attribute(TlvFormat format, Map<Integer, TlvKind> kinds, byte[] b, int from, int to, JsonText json) {
        write(format, kinds, true, b, from, to, json);
    }

    /**
     * TLVs within a TLV, under {@code name}: {@code value} only where there are no fields, for the outer one has all
     * bytes.
     *
     * @return false, with nothing written, if the bytes are no whole TLVs
     */
    static boolean nested(
            String name, TlvFormat format, Map<Integer, TlvKind> kinds, byte[] b, int from, int to, JsonText json) {
        if (!format.fits(b, from, to)) {
            return false;
        }
        write(format, kinds, false, b, from, to, json.name(name));
        return true;
    }

    private static void write(
            TlvFormat format,
            Map<Integer, TlvKind> kinds,
            boolean withBytes,
            byte[] b,
            int from,
            int to,
            JsonText json) {
        json.beginArray();
        int end;
        for (int at = from; at < to; at = end) {
            end = format.end(b, at, to);
            int type = format.type(b, at);
            int value = format.value(b, at);
            TlvKind kind = kinds.get(type);
            json.begin().field("type", type);
            if (kind != null) {
                json.field("name", kind.name());
            }
            if (withBytes) {
                json.field("value", Hex.of(b, value, end));
            }
            boolean read = kind != null && kind.fields().write(b, value, end, json);
            if (!read && !withBytes) {
                json.field("value", Hex.of(b, value, end));
            }
            json.end();
        }
        json.endArray();
    }
}
