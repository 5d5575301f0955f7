package dev.silkroute.bgp.nlri;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Hex;
import dev.silkroute.net.RouteDistinguisher;

/**
 * Route target constraint (RFC 4684, Section 4): a prefix of up to 96 bits, 32 at least unless it is the default route.
 *
 * <pre>
 * u8 bits | u32 origin AS | route target, 0 to 64 bits of an extended community
 * </pre>
 */
enum RouteTargetNlri implements NlriCodec {
    INSTANCE;

    private static final int WHOLE = 96;
    /** The sub-type of a route target (RFC 4360, Section 4), the second byte. */
    private static final int ROUTE_TARGET = 2;

    private static final String DEFAULT = "default";

    @Override
    public int next(byte[] b, int at, int limit) {
        int bits = b[at] & 0xFF;
        int end = at + 1 + (bits + 7 >>> 3);
        boolean fits = bits == 0 || bits >= 32 && bits <= WHOLE;
        return fits && end <= limit ? end : NlriFault.RT_CONSTRAINT.asResult();
    }

    /** {@code default}, {@code origin-as=64500 rt=64500:1}; part of a route target, or what is none, in hex with its bits. */
    @Override
    public void text(byte[] b, int from, int to, StringBuilder out) {
        int bits = b[from] & 0xFF;
        if (bits == 0) {
            out.append(DEFAULT);
            return;
        }
        out.append("origin-as=").append(BigEndian.u32(b, from + 1));
        if (bits == WHOLE && isTarget(b, from + 5)) {
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

    @Override
    public void parse(NlriTokens in, ByteSink out) {
        if (in.has("origin-as")) {
            int start = out.position();
            out.u8(32).u32((int) NlriTokens.number(in.value("origin-as"), 0xFFFF_FFFFL));
            if (!in.atEnd()) {
                target(in, in.value("rt"), start, out);
            }
        } else if (in.word().equals(DEFAULT)) {
            out.u8(0);
        } else {
            throw in.fault("origin-as= or default expected");
        }
    }

    private static void target(NlriTokens in, String text, int start, ByteSink out) {
        if (text.startsWith("0x")) {
            int slash = text.indexOf('/');
            byte[] part = NlriTokens.hex(slash < 0 ? text : text.substring(0, slash));
            int bits = slash < 0 ? 64 : (int) NlriTokens.number(text.substring(slash + 1), 64);
            if (part.length != bits + 7 >>> 3) {
                throw in.fault("hex digits do not fit the bits");
            }
            out.patchU8(start, 32 + bits).bytes(part, 0, part.length);
        } else {
            long distinguisher = RouteDistinguisher.parse(text);
            out.patchU8(start, WHOLE)
                    .u8((int) (distinguisher >>> 48))
                    .u8(ROUTE_TARGET)
                    .u16((int) (distinguisher >>> 32))
                    .u32((int) distinguisher);
        }
    }

    /** Bits behind the length mean nothing. */
    @Override
    public void key(byte[] b, int from, int to, ByteSink out) {
        out.bytes(b, from, to);
        int used = b[from] & 7;
        if (used != 0) {
            out.patchU8(out.position() - 1, b[to - 1] & 0xFF00 >>> used);
        }
    }
}
