package dev.silkroute.bgp.open;

import dev.silkroute.net.ByteSink;
import java.util.List;

/** Encodes OPEN messages (RFC 4271, Section 4.2), each capability in a parameter of its own. Stateless. */
public final class OpenEncoder {
    private static final int MAX_LENGTH = 4096;
    private static final int TYPE_OPEN = 1;
    private static final int VERSION = 4;
    private static final int AS_TRANS = 23456;
    private static final int CAPABILITIES = 2;
    private static final int EXTENDED = 255;

    private OpenEncoder() {}

    /**
     * Appends an OPEN. The caller adds the four-octet AS capability to the list. If the parameters need more than 255
     * bytes together, they are extended parameters (RFC 9072).
     *
     * @param asn unsigned; AS_TRANS is in the header if it needs four octets
     * @throws IllegalArgumentException if the OPEN would be too long; the sink is then unchanged
     */
    public static void write(int asn, int holdTime, int bgpId, List<Capability> capabilities, ByteSink out) {
        int longest = capabilities.stream()
                .mapToInt(one -> one.value().length())
                .max()
                .orElse(0);
        if (longest > 255) {
            throw new IllegalArgumentException("capability of " + longest + " bytes, 255 allowed");
        }
        int start = out.position();
        out.i64(-1).i64(-1).u16(0).u8(TYPE_OPEN).u8(VERSION);
        out.u16(asn >>> 16 == 0 ? asn : AS_TRANS).u16(holdTime).u32(bgpId);
        int length =
                capabilities.stream().mapToInt(one -> 4 + one.value().length()).sum();
        // 255 itself is allowed in the short form, a single capability of more than 253 bytes is not.
        boolean extended = length > 255 || longest > 253;
        if (extended) {
            out.u8(EXTENDED).u8(EXTENDED).u16(length + capabilities.size());
        } else {
            out.u8(length);
        }
        for (Capability one : capabilities) {
            capability(one, extended, out);
        }
        int whole = out.position() - start;
        if (whole > MAX_LENGTH) {
            out.truncate(start);
            throw new IllegalArgumentException("OPEN of " + whole + " bytes, " + MAX_LENGTH + " allowed");
        }
        out.patchU16(start + 16, whole);
    }

    private static void capability(Capability one, boolean extended, ByteSink out) {
        int length = one.value().length();
        out.u8(CAPABILITIES);
        if (extended) {
            out.u16(length + 2);
        } else {
            out.u8(length + 2);
        }
        out.u8(one.code()).u8(length).bytes(one.value());
    }
}
