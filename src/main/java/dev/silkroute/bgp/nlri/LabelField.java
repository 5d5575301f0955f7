package dev.silkroute.bgp.nlri;

import dev.silkroute.net.BigEndian;

/**
 * A three-byte field of EVPN and VPLS that holds an MPLS label or a VNI.
 *
 * <pre>
 * u20 label | u3 traffic class | u1 bottom of stack    RFC 3032, Section 2.1
 * u24 VNI                                              RFC 8365, Section 5.1.3
 * </pre>
 */
final class LabelField {
    private LabelField() {}

    /**
     * Appends both readings, because the NLRI does not indicate which one holds: {@code 00271a} is {@code 625/10010}.
     */
    static void text(byte[] b, int at, StringBuilder out) {
        int field = BigEndian.u24(b, at);
        out.append(field >>> 4).append('/').append(field);
    }
}
