package dev.silkroute.bgp.nlri;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Hex;
import dev.silkroute.net.RouteDistinguisher;
import org.jspecify.annotations.Nullable;

/**
 * NLRI of BGP-LS (RFC 9552, Section 5.2; type 5 RFC 9857, type 6 RFC 9514).
 *
 * <pre>
 * u16 type | u16 bytes | [u64 RD] | u8 protocol | u64 identifier | TLV, any number
 * TLV: u16 type | u16 bytes | value; the value of a node descriptor (256, 257) is TLVs
 * </pre>
 *
 * NLRI of an unknown type are shown in hex, and so are TLVs that are unknown or malformed. Texts keep the order of the
 * TLVs.
 */
enum LinkStateNlri implements NlriCodec {
    PLAIN(0),
    VPN(8);

    private static final int LOCAL_NODE = 256;
    private static final int REMOTE_NODE = 257;
    private static final int IPV6_PREFIX = 4;

    /** Indexed by type. */
    private static final String[] TYPES = {"", "node", "link", "ipv4-prefix", "ipv6-prefix", "sr-policy", "srv6-sid"};

    /** Indexed by protocol: RFC 9552, Section 5.2; RFC 9086; RFC 9857. */
    private static final String[] PROTOCOLS = {
        "", "isis-l1", "isis-l2", "ospfv2", "direct", "static", "ospfv3", "bgp", "rsvp-te", "sr"
    };

    /** Bytes of the route distinguisher: 0 or 8. */
    private final int distinguisher;

    LinkStateNlri(int distinguisher) {
        this.distinguisher = distinguisher;
    }

    @Override
    public int next(byte[] b, int at, int limit) {
        if (limit - at < 4) {
            return NlriFault.BGP_LS.asResult();
        }
        int end = at + 4 + BigEndian.u16(b, at + 2);
        if (end > limit || end - at - 4 < distinguisher) {
            return NlriFault.BGP_LS.asResult();
        }
        if (!isKnown(BigEndian.u16(b, at))) {
            return end;
        }
        int from = at + 4 + distinguisher + 9;
        if (from > end) {
            return NlriFault.BGP_LS_DESCRIPTORS.asResult();
        }
        int tlv = from;
        while (tlv < end) {
            int next = tlvEnd(b, tlv, end);
            if (next < 0 || isNode(BigEndian.u16(b, tlv)) && !tlvsFill(b, tlv + 4, next)) {
                return NlriFault.BGP_LS_DESCRIPTORS.asResult();
            }
            tlv = next;
        }
        return end;
    }

    private static boolean tlvsFill(byte[] b, int from, int to) {
        int at = from;
        while (at >= 0 && at < to) {
            at = tlvEnd(b, at, to);
        }
        return at == to;
    }

    private static int tlvEnd(byte[] b, int at, int limit) {
        if (limit - at < 4) {
            return -1;
        }
        int end = at + 4 + BigEndian.u16(b, at + 2);
        return end <= limit ? end : -1;
    }

    private static boolean isKnown(int type) {
        return type > 0 && type < TYPES.length;
    }

    private static boolean isNode(int tlv) {
        return tlv == LOCAL_NODE || tlv == REMOTE_NODE;
    }

    @Override
    public void text(byte[] b, int from, int to, StringBuilder out) {
        int type = BigEndian.u16(b, from);
        int at = from + 4;
        out.append(isKnown(type) ? TYPES[type] : "type-" + type);
        if (distinguisher > 0) {
            out.append(" rd=").append(RouteDistinguisher.exactText(BigEndian.i64(b, at)));
            at += distinguisher;
        }
        if (!isKnown(type)) {
            out.append(" value=0x").append(Hex.of(b, at, to));
            return;
        }
        int protocol = b[at] & 0xFF;
        out.append(" protocol=");
        if (protocol > 0 && protocol < PROTOCOLS.length) {
            out.append(PROTOCOLS[protocol]);
        } else {
            out.append(protocol);
        }
        out.append(" id=").append(Long.toUnsignedString(BigEndian.i64(b, at + 1)));
        descriptors(type == IPV6_PREFIX, b, at + 9, to, out);
    }

    private static void descriptors(boolean ipv6, byte[] b, int from, int to, StringBuilder out) {
        int before = 0;
        int end;
        for (int at = from; at < to; at = end) {
            int type = BigEndian.u16(b, at);
            end = at + 4 + BigEndian.u16(b, at + 2);
            if (isNode(type)) {
                String name = type == LOCAL_NODE ? " local" : " remote";
                // The names of sub-TLVs alone show neither an empty descriptor nor a second one in a row.
                if (before == type || end == at + 4) {
                    out.append(name).append('=');
                }
                node(name, b, at + 4, end, out);
            } else {
                tlv(LinkStateTlv.of(type, false), type, ipv6, b, at + 4, end, out.append(' '));
            }
            before = type;
        }
    }

    private static void node(String name, byte[] b, int from, int to, StringBuilder out) {
        int end;
        for (int at = from; at < to; at = end) {
            int type = BigEndian.u16(b, at);
            end = at + 4 + BigEndian.u16(b, at + 2);
            out.append(name).append('.');
            tlv(LinkStateTlv.of(type, true), type, false, b, at + 4, end, out);
        }
    }

    /** Appends {@code as=64500}, or {@code tlv512=0x0000} if the TLV is unknown or its value malformed. */
    private static void tlv(
            @Nullable LinkStateTlv tlv, int type, boolean ipv6, byte[] b, int from, int to, StringBuilder out) {
        if (tlv != null && tlv.fits(b, from, to, ipv6)) {
            tlv.text(b, from, to, ipv6, out.append(tlv.label()).append('='));
        } else {
            out.append("tlv").append(type).append("=0x").append(Hex.of(b, from, to));
        }
    }
}
