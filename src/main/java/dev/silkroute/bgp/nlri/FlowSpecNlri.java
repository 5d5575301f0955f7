package dev.silkroute.bgp.nlri;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.net.RouteDistinguisher;

/**
 * NLRI of flow specifications (RFC 8955, Section 4; RFC 8956, Section 3).
 *
 * <pre>
 * u8 or (0xF, u12) bytes | [u64 RD] | component, in increasing order of type
 * component: u8 type | prefix (1, 2) or operators (3 to 13)
 * </pre>
 *
 * Example: {@code 03 03 81 06} matches TCP, {@code proto=6}. From the first component of an unknown type on, and for
 * AFIs other than 1 and 2, the rest is shown in hex.
 */
enum FlowSpecNlri implements NlriCodec {
    IPV4(1, false),
    IPV6(2, false),
    OTHER(0, false),
    VPNV4(1, true),
    VPNV6(2, true),
    OTHER_VPN(0, true);

    /** Mask of the length in its two-byte form. */
    private static final int LENGTH_MASK = 0xFFF;

    /** Lengths from here on take two bytes. */
    private static final int EXTENDED = 0xF0;

    private static final int DESTINATION = 1;
    private static final int SOURCE = 2;
    private static final int FLOW_LABEL = 13;
    /** Prefix of a component that no operator text can express. */
    private static final String RAW = "hex:";

    /** Indexed by component type. */
    private static final String[] NAMES = {
        "",
        "dst",
        "src",
        "proto",
        "port",
        "dport",
        "sport",
        "icmp-type",
        "icmp-code",
        "tcp-flags",
        "length",
        "dscp",
        "fragment",
        "flow-label"
    };

    private final int afi;
    private final boolean distinguisher;

    FlowSpecNlri(int afi, boolean distinguisher) {
        this.afi = afi;
        this.distinguisher = distinguisher;
    }

    static FlowSpecNlri of(int afi, boolean distinguisher) {
        return switch (afi) {
            case Family.AFI_IPV4 -> distinguisher ? VPNV4 : IPV4;
            case Family.AFI_IPV6 -> distinguisher ? VPNV6 : IPV6;
            default -> distinguisher ? OTHER_VPN : OTHER;
        };
    }

    @Override
    public int next(byte[] b, int at, int limit) {
        int start = start(b, at);
        if (start > limit) {
            return NlriFault.FLOWSPEC.asResult();
        }
        int length = start == at + 1 ? b[at] & 0xFF : BigEndian.u16(b, at) & LENGTH_MASK;
        if (length < (distinguisher ? 8 : 1) || length > limit - start) {
            return NlriFault.FLOWSPEC.asResult();
        }
        int end = start + length;
        int last = 0;
        for (int i = distinguisher ? start + 8 : start; i < end; ) {
            int type = b[i] & 0xFF;
            if (!isKnown(type)) {
                return end;
            }
            if (type <= last) {
                return NlriFault.FLOWSPEC_ORDER.asResult();
            }
            last = type;
            i = component(type, b, i + 1, end);
            if (i < 0) {
                return i;
            }
        }
        return end;
    }

    /** Returns the end of the length field. */
    private static int start(byte[] b, int at) {
        return (b[at] & 0xFF) < EXTENDED ? at + 1 : at + 2;
    }

    private boolean isKnown(int type) {
        return afi != 0 && type > 0 && (type < FLOW_LABEL || type == FLOW_LABEL && afi == Family.AFI_IPV6);
    }

    private static boolean isPrefix(int type) {
        return type == DESTINATION || type == SOURCE;
    }

    private int component(int type, byte[] b, int at, int end) {
        if (isPrefix(type)) {
            int next = FlowSpecPrefix.end(afi == Family.AFI_IPV6, b, at, end);
            return next < 0 ? NlriFault.FLOWSPEC_PREFIX.asResult() : next;
        }
        int next = FlowSpecOperators.end(b, at, end);
        return next < 0 ? NlriFault.FLOWSPEC_OPERATORS.asResult() : next;
    }

    @Override
    public void text(byte[] b, int from, int to, StringBuilder out) {
        int start = out.length();
        int at = start(b, from);
        if (distinguisher) {
            out.append("rd=").append(RouteDistinguisher.exactText(BigEndian.i64(b, at)));
            at += 8;
        }
        while (at < to) {
            out.append(out.length() > start ? " " : "");
            int type = b[at] & 0xFF;
            if (!isKnown(type)) {
                out.append("value=0x").append(Hex.of(b, at, to));
                return;
            }
            int end = component(type, b, at + 1, to);
            out.append(NAMES[type]).append('=');
            int mark = out.length();
            boolean plain = isPrefix(type)
                    ? FlowSpecPrefix.text(afi == Family.AFI_IPV6, b, at + 1, end, out)
                    : FlowSpecOperators.of(type).text(b, at + 1, end, out);
            if (!plain) {
                out.setLength(mark);
                out.append(RAW).append(Hex.of(b, at + 1, end));
            }
            at = end;
        }
    }

    /** Writes the short form of the length where it is possible, because both forms identify the same route. */
    @Override
    public void key(byte[] b, int from, int to, ByteSink out) {
        int start = start(b, from);
        if (to - start < EXTENDED) {
            out.u8(to - start).bytes(b, start, to);
        } else {
            out.bytes(b, from, to);
        }
    }
}
