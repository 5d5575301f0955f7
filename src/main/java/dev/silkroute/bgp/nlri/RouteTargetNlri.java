package dev.silkroute.bgp.nlri;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Hex;
import dev.silkroute.net.RouteDistinguisher;

/**
 * NLRI of route target constraint (RFC 4684, Section 4): prefixes of 32 to 96 bits, or of 0 bits for the default route.
 *
 * <pre>
 * u8 bits | u32 origin AS | route target, 0 to 64 bits of an extended community
 * </pre>
 */
enum RouteTargetNlri implements NlriCodec {
    INSTANCE;

    private static final int MAX_BITS = 96;
    /** The sub-type of a route target (RFC 4360, Section 4), the second byte. */
    private static final int ROUTE_TARGET = 2;

    private static final String DEFAULT = "default";

    @Override
    public int next(byte[] b, int at, int limit) {
        int bits = b[at] & 0xFF;
        int end = at + 1 + (bits + 7 >>> 3);
        boolean fits = bits == 0 || bits >= 32 && bits <= MAX_BITS;
        return fits && end <= limit ? end : NlriFault.RT_CONSTRAINT.asResult();
    }

    /**
     * Appends {@code default} or {@code origin-as=64500 rt=64500:1}; a partial or other extended community is hex
     * digits and its bits.
     */
    @Override
    public void text(byte[] b, int from, int to, StringBuilder out) {
        int bits = b[from] & 0xFF;
        if (bits == 0) {
            out.append(DEFAULT);
            return;
        }
        out.append("origin-as=").append(BigEndian.u32(b, from + 1));
        if (bits == MAX_BITS && isTarget(b, from + 5)) {
            // Without its sub-type, a route target has the layout of a route distinguisher.
            long type = b[from + 5];
            long rest = (long) BigEndian.u16(b, from + 7) << 32 | BigEndian.u32(b, from + 9);
            out.append(" rt=").append(RouteDistinguisher.exactText(type << 48 | rest));
        } else if (bits > 32) {
            out.append(" rt=0x").append(Hex.of(b, from + 5, to)).append('/').append(bits - 32);
        }
    }

    private static boolean isTarget(byte[] b, int at) {
        return b[at] >= 0 && b[at] <= 2 && b[at + 1] == ROUTE_TARGET;
    }

    /** Clears the bits after the length. */
    @Override
    public void key(byte[] b, int from, int to, ByteSink out) {
        out.bytes(b, from, to);
        int used = b[from] & 7;
        if (used != 0) {
            out.patchU8(out.position() - 1, b[to - 1] & 0xFF00 >>> used);
        }
    }
}
