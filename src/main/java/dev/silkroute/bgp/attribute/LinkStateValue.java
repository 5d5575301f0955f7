package dev.silkroute.bgp.attribute;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.JsonText;

/**
 * Layouts that many BGP-LS TLVs share. Each writes one key, {@code decoded}, or nothing if the length is not the
 * layout's.
 */
final class LinkStateValue {
    private static final String DECODED = "decoded";

    private LinkStateValue() {}

    /** One unsigned number of this many bytes. */
    static TlvKind.Fields number(int size) {
        return (b, from, to, json) -> {
            if (to - from == size) {
                json.field(DECODED, read(b, from, size));
            }
            return to - from == size;
        };
    }

    /** Unsigned numbers of this many bytes each. */
    static TlvKind.Fields numbers(int size) {
        return (b, from, to, json) -> {
            if ((to - from) % size != 0) {
                return false;
            }
            json.name(DECODED).beginArray();
            for (int at = from; at < to; at += size) {
                json.value(read(b, at, size));
            }
            json.endArray();
            return true;
        };
    }

    static boolean text(byte[] b, int from, int to, JsonText json) {
        json.field(DECODED, Bytes.copyOf(b, from, to).text());
        return true;
    }

    static boolean address(byte[] b, int from, int to, JsonText json) {
        switch (to - from) {
            case 4 -> json.field(DECODED, Addresses.ipv4(BigEndian.i32(b, from)));
            case 16 -> json.field(DECODED, Addresses.ipv6(BigEndian.i64(b, from), BigEndian.i64(b, from + 8)));
            default -> {
                return false;
            }
        }
        return true;
    }

    /** IS-IS has one byte of 6 bits or three bytes, OSPF two (RFC 9552, Section 5.3.2.4). */
    static boolean igpMetric(byte[] b, int from, int to, JsonText json) {
        int length = to - from;
        if (length < 1 || length > 3) {
            return false;
        }
        long metric = read(b, from, length);
        json.field(DECODED, length == 1 ? metric & 0x3F : metric);
        return true;
    }

    /** Bytes per second as a float; what is no number stays hex, for JSON has none such. */
    static boolean bandwidth(byte[] b, int from, int to, JsonText json) {
        if (to - from != 4 || !isFinite(b, from)) {
            return false;
        }
        json.name(DECODED).json(floatText(b, from));
        return true;
    }

    /** One bandwidth for each of eight priorities. */
    static boolean bandwidths(byte[] b, int from, int to, JsonText json) {
        if (to - from != 32) {
            return false;
        }
        for (int at = from; at < to; at += 4) {
            if (!isFinite(b, at)) {
                return false;
            }
        }
        json.name(DECODED).beginArray();
        for (int at = from; at < to; at += 4) {
            json.json(floatText(b, at));
        }
        json.endArray();
        return true;
    }

    /** {@code u8 with the A flag 0x80 | u24 microseconds}, or for loss units of 0.000003 % (RFC 8571, Section 2). */
    static boolean delay(byte[] b, int from, int to, JsonText json) {
        if (to - from == 4) {
            json.field(DECODED, BigEndian.u24(b, from + 1));
        }
        return to - from == 4;
    }

    static boolean minMaxDelay(byte[] b, int from, int to, JsonText json) {
        if (to - from == 8) {
            json.name(DECODED).beginArray();
            json.value(BigEndian.u24(b, from + 1)).value(BigEndian.u24(b, from + 5));
            json.endArray();
        }
        return to - from == 8;
    }

    /** {@code u8 MSD type | u8 value}, again and again (RFC 8814, Section 3). */
    static boolean msd(byte[] b, int from, int to, JsonText json) {
        if ((to - from) % 2 != 0) {
            return false;
        }
        json.name(DECODED).beginArray();
        for (int at = from; at < to; at += 2) {
            json.begin()
                    .field("msd_type", BigEndian.u8(b, at))
                    .field("msd", BigEndian.u8(b, at + 1))
                    .end();
        }
        json.endArray();
        return true;
    }

    static long read(byte[] b, int at, int size) {
        return switch (size) {
            case 1 -> BigEndian.u8(b, at);
            case 2 -> BigEndian.u16(b, at);
            case 3 -> BigEndian.u24(b, at);
            default -> BigEndian.u32(b, at);
        };
    }

    private static boolean isFinite(byte[] b, int at) {
        return Float.isFinite(Float.intBitsToFloat(BigEndian.i32(b, at)));
    }

    private static String floatText(byte[] b, int at) {
        return Float.toString(Float.intBitsToFloat(BigEndian.i32(b, at)));
    }
}
