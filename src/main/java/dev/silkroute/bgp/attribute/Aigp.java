package dev.silkroute.bgp.attribute;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.JsonText;
import java.util.Map;

/** Accumulated IGP metric: TLV 1 is a u64 (RFC 7311, Section 3). */
final class Aigp {
    private static final Map<Integer, TlvKind> KINDS = Map.of(1, new TlvKind("aigp", Aigp::metric));

    private Aigp() {}

    static void write(byte[] b, int from, int to, JsonText json) {
        TlvJson.attribute(TlvFormat.AIGP, KINDS, b, from, to, json);
    }

    private static boolean metric(byte[] b, int from, int to, JsonText json) {
        json.name("metric").json(Long.toUnsignedString(BigEndian.i64(b, from)));
        return true;
    }
}
