package dev.silkroute.bgp.attribute.tlv;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import java.io.IOException;

/** Reads values that many TLVs have. The caller has checked the length. */
final class Values {
    private Values() {}

    static String ipv4(byte[] b, int at) {
        return Addresses.ipv4(BigEndian.i32(b, at));
    }

    static String ipv6(byte[] b, int at) {
        return Addresses.ipv6(BigEndian.i64(b, at), BigEndian.i64(b, at + 8));
    }

    /** Returns an address of 4 or 16 bytes. */
    static String address(byte[] b, int from, int to) {
        return to - from == 4 ? ipv4(b, from) : ipv6(b, from);
    }

    /** Returns an unsigned number of one to four bytes. */
    static long unsigned(byte[] b, int at, int size) {
        return switch (size) {
            case 1 -> BigEndian.u8(b, at);
            case 2 -> BigEndian.u16(b, at);
            case 3 -> BigEndian.u24(b, at);
            default -> BigEndian.u32(b, at);
        };
    }

    /** Writes the lengths of the parts of an SRv6 SID, one byte each (RFC 8986, Section 3.1). */
    static void sidStructure(byte[] b, int at, JsonGenerator json) throws IOException {
        json.writeNumberField("locator_block_length", BigEndian.u8(b, at));
        json.writeNumberField("locator_node_length", BigEndian.u8(b, at + 1));
        json.writeNumberField("function_length", BigEndian.u8(b, at + 2));
        json.writeNumberField("argument_length", BigEndian.u8(b, at + 3));
    }

    /** Writes the flags that begin a value. */
    static void flags(byte[] b, int at, JsonGenerator json) throws IOException {
        json.writeNumberField("flags", BigEndian.u8(b, at));
    }

    /** Writes the label of {@code u20 label | u3 traffic class | u1 bottom of stack | u8 TTL}. */
    static void label(byte[] b, int at, JsonGenerator json) throws IOException {
        json.writeNumberField("label", BigEndian.u24(b, at) >>> 4);
    }
}
