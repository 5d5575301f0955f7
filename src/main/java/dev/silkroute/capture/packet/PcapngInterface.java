package dev.silkroute.capture.packet;

import java.nio.ByteBuffer;

/**
 * A pcapng interface block: the properties of the packets that refer to it.
 *
 * @param snapLength the maximum number of captured bytes of a packet, or 0 for no limit
 * @param resolution if_tsresol: the negative exponent of the clock's unit, to base two if the highest bit is set, else
 *     to base ten
 * @param offsetSeconds if_tsoffset: is added to every time
 */
record PcapngInterface(int linkType, long snapLength, int resolution, long offsetSeconds) {
    private static final int FIELDS = 8;
    private static final int OPTION_END = 0;
    private static final int OPTION_TSRESOL = 9;
    private static final int OPTION_TSOFFSET = 14;
    private static final int MICROSECONDS = 6;
    private static final int BINARY = 0x80;

    private static final int NANO_DIGITS = 9;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long MAX_SECONDS = Long.MAX_VALUE / NANOS_PER_SECOND;

    /** The most bits of a fraction whose product with 10^9 fits into 64 bits. */
    private static final int MAX_FRACTION_BITS = 34;

    /** The maximum power of ten that fits into 64 bits. */
    private static final int MAX_DIGITS = 18;

    PcapngInterface {
        int exponent = resolution & ~BINARY;
        if (exponent > (resolution < BINARY ? MAX_DIGITS : Long.SIZE - 1)) {
            throw new IllegalArgumentException("a clock of resolution " + resolution);
        }
    }

    static PcapngInterface read(ByteBuffer body) {
        if (body.limit() < FIELDS) {
            throw new IllegalArgumentException("an interface block of " + body.limit() + " bytes");
        }
        int resolution = MICROSECONDS;
        long offset = 0;
        int at = FIELDS;
        boolean more = true;
        while (more && at + 4 <= body.limit()) {
            int code = Short.toUnsignedInt(body.getShort(at));
            int length = Short.toUnsignedInt(body.getShort(at + 2));
            int value = at + 4;
            if (value + length > body.limit()) {
                throw new IllegalArgumentException("an interface option longer than its block");
            }
            if (code == OPTION_TSRESOL && length == 1) {
                resolution = body.get(value) & 0xff;
            } else if (code == OPTION_TSOFFSET && length == Long.BYTES) {
                offset = body.getLong(value);
            }
            more = code != OPTION_END;
            // Values are padded to 32 bits.
            at = value + (length + 3 & ~3);
        }
        return new PcapngInterface(
                Short.toUnsignedInt(body.getShort(0)), Integer.toUnsignedLong(body.getInt(4)), resolution, offset);
    }

    /** Converts a packet's time to nanoseconds since 1970, clamped to the range of a long. */
    long nanos(long units) {
        int exponent = resolution & ~BINARY;
        long seconds;
        long nanos;
        if (resolution < BINARY) {
            long perSecond = tenTo(exponent);
            seconds = Long.divideUnsigned(units, perSecond);
            long rest = Long.remainderUnsigned(units, perSecond);
            nanos = exponent > NANO_DIGITS
                    ? rest / tenTo(exponent - NANO_DIGITS)
                    : rest * tenTo(NANO_DIGITS - exponent);
        } else {
            int bits = Math.min(exponent, MAX_FRACTION_BITS);
            seconds = units >>> exponent;
            long fraction = (units - (seconds << exponent)) >>> (exponent - bits);
            nanos = (fraction * NANOS_PER_SECOND) >>> bits;
        }
        if (Long.compareUnsigned(seconds, MAX_SECONDS) >= 0) {
            return Long.MAX_VALUE;
        }
        long whole = seconds + Math.clamp(offsetSeconds, -MAX_SECONDS, MAX_SECONDS);
        return Math.clamp(whole, -MAX_SECONDS + 1, MAX_SECONDS - 1) * NANOS_PER_SECOND + nanos;
    }

    private static long tenTo(int exponent) {
        long result = 1;
        for (int i = 0; i < exponent; i++) {
            result *= 10;
        }
        return result;
    }
}
