package dev.silkroute.bgp.attribute.tlv;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.attribute.tlv.TlvRegistry.Fields;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Bytes;
import java.io.IOException;

/**
 * Value layouts that several BGP-LS TLVs share. Each writes one field, {@code decoded}, or nothing if the length does
 * not fit.
 */
final class LinkStateValue {
    static final String DECODED = "decoded";

    private LinkStateValue() {}

    /** One unsigned number of this many bytes. */
    static Fields number(int size) {
        return (b, from, to, json) -> {
            if (to - from == size) {
                json.writeNumberField(DECODED, Values.unsigned(b, from, size));
            }
            return to - from == size;
        };
    }

    /** Unsigned numbers of this many bytes each. */
    static Fields numbers(int size) {
        return (b, from, to, json) -> {
            if ((to - from) % size != 0) {
                return false;
            }
            json.writeArrayFieldStart(DECODED);
            for (int at = from; at < to; at += size) {
                json.writeNumber(Values.unsigned(b, at, size));
            }
            json.writeEndArray();
            return true;
        };
    }

    /** UTF-8. */
    static boolean text(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        json.writeStringField(DECODED, Bytes.copyOf(b, from, to).text());
        return true;
    }

    /** An IPv4 or IPv6 address. */
    static boolean address(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        boolean fits = to - from == 4 || to - from == 16;
        if (fits) {
            json.writeStringField(DECODED, Values.address(b, from, to));
        }
        return fits;
    }

    /** IS-IS has one byte with a metric of 6 bits or three bytes, OSPF has two bytes (RFC 9552, Section 5.3.2.4). */
    static boolean igpMetric(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        int length = to - from;
        if (length < 1 || length > 3) {
            return false;
        }
        long metric = Values.unsigned(b, from, length);
        json.writeNumberField(DECODED, length == 1 ? metric & 0x3F : metric);
        return true;
    }

    /** Bytes per second as a float. Infinities and NaN stay hex, because JSON has no such numbers. */
    static boolean bandwidth(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        if (to - from != 4 || !Float.isFinite(bandwidth(b, from))) {
            return false;
        }
        json.writeNumberField(DECODED, bandwidth(b, from));
        return true;
    }

    /** One bandwidth for each of eight priorities. */
    static boolean bandwidths(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        if (to - from != 32) {
            return false;
        }
        for (int at = from; at < to; at += 4) {
            if (!Float.isFinite(bandwidth(b, at))) {
                return false;
            }
        }
        json.writeArrayFieldStart(DECODED);
        for (int at = from; at < to; at += 4) {
            json.writeNumber(bandwidth(b, at));
        }
        json.writeEndArray();
        return true;
    }

    /** {@code u8 with the A flag 0x80 | u24 microseconds}; for loss, units of 0.000003 % (RFC 8571, Section 2). */
    static boolean delay(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        if (to - from == 4) {
            json.writeNumberField(DECODED, BigEndian.u24(b, from + 1));
        }
        return to - from == 4;
    }

    /** Minimum and maximum {@link #delay}. */
    static boolean minMaxDelay(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        if (to - from == 8) {
            json.writeArrayFieldStart(DECODED);
            json.writeNumber(BigEndian.u24(b, from + 1));
            json.writeNumber(BigEndian.u24(b, from + 5));
            json.writeEndArray();
        }
        return to - from == 8;
    }

    /** {@code (u8 MSD type | u8 value)}, any number (RFC 8814, Section 3). */
    static boolean msd(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        if ((to - from) % 2 != 0) {
            return false;
        }
        json.writeArrayFieldStart(DECODED);
        for (int at = from; at < to; at += 2) {
            json.writeStartObject();
            json.writeNumberField("msd_type", BigEndian.u8(b, at));
            json.writeNumberField("msd", BigEndian.u8(b, at + 1));
            json.writeEndObject();
        }
        json.writeEndArray();
        return true;
    }

    private static float bandwidth(byte[] b, int at) {
        return Float.intBitsToFloat(BigEndian.i32(b, at));
    }
}
