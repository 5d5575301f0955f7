package dev.silkroute.bgp.nlri;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.net.RouteDistinguisher;

/** IP prefixes, with labels and route distinguisher where the family has them. Layouts: {@link NlriFormat}. */
enum PrefixNlri implements NlriCodec {
    IPV4(32, false, false),
    IPV6(128, false, false),
    LABELED_IPV4(32, true, false),
    LABELED_IPV6(128, true, false),
    VPNV4(32, true, true),
    VPNV6(128, true, true),
    VPNV4_MULTICAST(32, false, true),
    VPNV6_MULTICAST(128, false, true);

    /** The label field of a route that is withdrawn: RFC 8277, Section 2.4. */
    private static final int WITHDRAWN_LABEL = 0x80_0000;

    private final int addressBits;
    private final boolean labels;
    private final boolean distinguisher;

    PrefixNlri(int addressBits, boolean labels, boolean distinguisher) {
        this.addressBits = addressBits;
        this.labels = labels;
        this.distinguisher = distinguisher;
    }

    /** Of a family that {@link NlriFormat#isPrefix is one}. */
    static PrefixNlri of(int family) {
        return switch (family) {
            case Family.IPV4_UNICAST, Family.IPV4_MULTICAST -> IPV4;
            case Family.IPV6_UNICAST, Family.IPV6_MULTICAST -> IPV6;
            case Family.IPV4_LABELED_UNICAST -> LABELED_IPV4;
            case Family.IPV6_LABELED_UNICAST -> LABELED_IPV6;
            case Family.VPNV4 -> VPNV4;
            case Family.VPNV6 -> VPNV6;
            case Family.VPNV4_MULTICAST -> VPNV4_MULTICAST;
            default -> VPNV6_MULTICAST;
        };
    }

    @Override
    public int next(byte[] b, int at, int limit) {
        return next(b, at, limit, false);
    }

    /** {@link #next} of a prefix and nothing else. */
    static int plain(byte[] b, int at, int limit, int addressBits) {
        int bits = b[at] & 0xFF;
        if (bits > addressBits) {
            return NlriFault.TOO_LONG.asResult();
        }
        int end = at + 1 + (bits + 7 >>> 3);
        return end <= limit ? end : NlriFault.RUNS_OVER.asResult();
    }

    int next(byte[] b, int at, int limit, boolean withdrawal) {
        if (!labels && !distinguisher) {
            return plain(b, at, limit, addressBits);
        }
        int bits = b[at] & 0xFF;
        int end = at + 1 + (bits + 7 >>> 3);
        if (end > limit) {
            return NlriFault.RUNS_OVER.asResult();
        }
        if (labels) {
            int field = at + 1;
            int label;
            do {
                if (bits < 24) {
                    return NlriFault.LABELS.asResult();
                }
                label = BigEndian.u24(b, field);
                field += 3;
                bits -= 24;
            } while (!withdrawal && !NlriFormat.endsStack(label));
        }
        if (distinguisher) {
            if (bits < 64) {
                return NlriFault.NO_ROUTE_DISTINGUISHER.asResult();
            }
            bits -= 64;
        }
        return bits <= addressBits ? end : NlriFault.TOO_LONG.asResult();
    }

    /** {@code 192.0.2.0/24}, {@code 64500:1 192.0.2.0/24}: labels are attributes of the route. */
    @Override
    public void text(byte[] b, int from, int to, StringBuilder out) {
        text(b, from, to, false, out);
    }

    /** @param exact with labels, and with a route distinguisher that tells its type */
    void text(byte[] b, int from, int to, boolean exact, StringBuilder out) {
        int at = labels ? stackEnd(b, from + 1) : from + 1;
        int bits = (b[from] & 0xFF) - 8 * (at - from - 1);
        if (distinguisher) {
            long rd = BigEndian.i64(b, at);
            out.append(exact ? RouteDistinguisher.exactText(rd) : RouteDistinguisher.text(rd))
                    .append(' ');
            at += 8;
            bits -= 64;
        }
        AddressText.prefix(addressBits == 128, b, at, bits, out);
        if (exact && labels) {
            LabelText.stack(b, from + 1, stackEnd(b, from + 1), out.append(" label="));
        }
    }

    private static int stackEnd(byte[] b, int from) {
        int at = from;
        while (!NlriFormat.endsStack(BigEndian.u24(b, at))) {
            at += 3;
        }
        return at + 3;
    }

    @Override
    public void parse(NlriTokens in, ByteSink out) {
        int start = out.position();
        out.u8(0);
        long rd = distinguisher ? RouteDistinguisher.parse(in.word()) : 0;
        String prefix = in.word();
        if (labels) {
            if (in.atEnd()) {
                out.u8(WITHDRAWN_LABEL >>> 16).u16(WITHDRAWN_LABEL);
            } else {
                LabelText.parseStack(in.value("label"), out);
            }
        }
        int stackTo = out.position();
        if (distinguisher) {
            out.i64(rd);
        }
        int bits = 8 * (out.position() - start - 1) + AddressText.parsePrefix(addressBits == 128, prefix, out);
        out.patchU8(start, bits);
        // A label that ends the stack early, or a last one that doesn't end it, would be read as something else.
        if (bits > 255
                || next(out.array(), start, out.position()) != out.position()
                || labels && stackEnd(out.array(), start + 1) != stackTo) {
            throw in.fault("labels do not fit");
        }
    }
}
