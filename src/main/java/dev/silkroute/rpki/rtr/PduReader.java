package dev.silkroute.rpki.rtr;

import dev.silkroute.net.BigEndian;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads whole PDUs from a stream. Memory is reserved only for lengths that the PDU's type allows. */
final class PduReader {
    static final int HEADER = 8;

    private final InputStream in;

    PduReader(InputStream in) {
        this.in = in;
    }

    /**
     * Returns the next PDU with its header.
     *
     * @throws EOFException if the stream ends
     * @throws RtrException if the type is unknown or does not allow the length
     */
    byte[] next() throws IOException, RtrException {
        byte[] header = in.readNBytes(HEADER);
        if (header.length < HEADER) {
            throw new EOFException("the cache has closed the connection");
        }
        int code = BigEndian.u8(header, 1);
        PduType type = PduType.of(code);
        if (type == null) {
            throw new RtrException(ErrorCode.UNSUPPORTED_PDU_TYPE, header, "a cache sends no PDU of type " + code);
        }
        long length = BigEndian.u32(header, 4);
        if (!type.allows(length)) {
            throw new RtrException(
                    ErrorCode.CORRUPT_DATA,
                    header,
                    "the length of a PDU of type " + code + " is " + length + ", not " + type.lengths());
        }
        byte[] pdu = Arrays.copyOf(header, (int) length);
        int body = pdu.length - HEADER;
        if (in.readNBytes(pdu, HEADER, body) < body) {
            throw new EOFException("the cache has closed the connection in the middle of a PDU");
        }
        return pdu;
    }
}
