package dev.silkroute.mrt;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureInput;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteCursor;

/**
 * Reads the records of an MRT file sequentially and gives access to the current one. Not thread-safe.
 *
 * <pre>
 *   seconds u32 | type u16 | subtype u16 | length u32 | [microseconds u32, types with _ET] | body …
 * </pre>
 *
 * <p>Source: RFC 6396, Sections 2 and 3.
 */
final class MrtRecord implements AutoCloseable {
    static final int HEADER = 12;

    /** Sufficient for a table entry with some hundred bytes of attributes for each of some thousand peers. */
    static final int MAX_LENGTH = 16 << 20;

    static final int TABLE_DUMP = 12;
    static final int TABLE_DUMP_V2 = 13;
    static final int BGP4MP = 16;
    static final int BGP4MP_ET = 17;

    private static final long MICROS = 1_000_000;

    private final CaptureInput input;
    private final byte[] header = new byte[HEADER];
    private byte[] body = new byte[64 * 1024];
    private int length;
    private long offset;

    MrtRecord(CaptureInput input) {
        this.input = input;
    }

    /** Moves to the next record. Returns false at the end of the file. */
    boolean next() throws CaptureException {
        offset = input.position();
        int read = input.read(header, 0, HEADER);
        if (read == 0) {
            return false;
        }
        if (read < HEADER) {
            throw input.endedEarly(offset, "truncated: a record header has " + read + " of its " + HEADER + " bytes");
        }
        long wanted = BigEndian.u32(header, 8);
        if (wanted > MAX_LENGTH) {
            throw input.error(offset, "damaged: a record of " + wanted + " bytes is impossible");
        }
        length = (int) wanted;
        if (length > body.length) {
            body = new byte[length];
        }
        int got = input.read(body, 0, length);
        if (got < length) {
            throw input.endedEarly(offset, "truncated: a record has " + got + " of its " + length + " bytes");
        }
        if (type() == BGP4MP_ET && length < Integer.BYTES) {
            throw input.error(offset, "damaged: a record without its microseconds");
        }
        return true;
    }

    int type() {
        return BigEndian.u16(header, 4);
    }

    int subtype() {
        return BigEndian.u16(header, 6);
    }

    /** Returns the record's time in microseconds since 1970. */
    long timeMicros() {
        long micros = type() == BGP4MP_ET ? BigEndian.u32(body, 0) : 0;
        return BigEndian.u32(header, 0) * MICROS + micros;
    }

    /** Returns the body without the microseconds of extended types. */
    ByteCursor body(String section) {
        return new ByteCursor(body, type() == BGP4MP_ET ? Integer.BYTES : 0, length, section);
    }

    /** Returns the offset of the record in the file. */
    long offset() {
        return offset;
    }

    @Override
    public void close() {
        input.close();
    }
}
