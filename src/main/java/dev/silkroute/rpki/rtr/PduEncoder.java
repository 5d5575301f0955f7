package dev.silkroute.rpki.rtr;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.silkroute.net.BigEndian;

/** Encodes the PDUs that a router sends. */
final class PduEncoder {
    private static final int SERIAL_QUERY = 1;
    private static final int RESET_QUERY = 2;

    private PduEncoder() {}

    /** Encodes the query for the changes since a serial number (RFC 8210, Section 5.3). */
    static byte[] serialQuery(int version, int sessionId, int serial) {
        byte[] pdu = header(version, SERIAL_QUERY, sessionId, 12);
        BigEndian.putU32(pdu, 8, serial);
        return pdu;
    }

    /** Encodes the query for all data (Section 5.4). */
    static byte[] resetQuery(int version) {
        return header(version, RESET_QUERY, 0, PduReader.HEADER);
    }

    /** Encodes an Error Report about a PDU (Section 5.11). */
    static byte[] errorReport(int version, ErrorCode code, byte[] about, String reason) {
        byte[] text = reason.getBytes(UTF_8);
        byte[] pdu = header(version, PduType.ERROR_REPORT.code(), code.code(), 16 + about.length + text.length);
        BigEndian.putU32(pdu, 8, about.length);
        System.arraycopy(about, 0, pdu, 12, about.length);
        BigEndian.putU32(pdu, 12 + about.length, text.length);
        System.arraycopy(text, 0, pdu, 16 + about.length, text.length);
        return pdu;
    }

    private static byte[] header(int version, int type, int field, int length) {
        byte[] pdu = new byte[length];
        pdu[0] = (byte) version;
        pdu[1] = (byte) type;
        BigEndian.putU16(pdu, 2, field);
        BigEndian.putU32(pdu, 4, length);
        return pdu;
    }
}
