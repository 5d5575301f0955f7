package dev.silkroute.bgp.attribute.tlv;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.net.BigEndian;
import java.io.IOException;

/** The Accumulated IGP Metric attribute: TLV 1 is a u64 (RFC 7311, Section 3). */
public final class Aigp {
    private static final int METRIC = 1;
    /** Bytes of TLV 1 with its header. */
    private static final int METRIC_TLV_LENGTH = 11;

    private static final TlvRegistry TLVS =
            new TlvRegistry(TlvFormat.AIGP).add(METRIC, "aigp", Long.BYTES, Aigp::metric);

    private Aigp() {}

    /**
     * Returns whether the TLVs are whole. Repeated TLVs and unknown types are permitted (RFC 7311, Sections 3 and 3.2).
     */
    public static boolean fits(byte[] b, int from, int to) {
        int at = from;
        while (at < to) {
            int end = TlvFormat.AIGP.end(b, at, to);
            if (end < 0 || b[at] == METRIC && end - at != METRIC_TLV_LENGTH) {
                return false;
            }
            at = end;
        }
        return true;
    }

    /** Writes an attribute that fits as a JSON array. */
    public static void write(byte[] b, int from, int to, JsonGenerator json) throws IOException {
        TLVS.write(b, from, to, json);
    }

    private static void metric(byte[] b, int at, JsonGenerator json) throws IOException {
        json.writeFieldName("metric");
        json.writeNumber(Long.toUnsignedString(BigEndian.i64(b, at)));
    }
}
