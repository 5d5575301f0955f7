package dev.silkroute.bgp.nlri;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Family;
import dev.silkroute.net.RouteDistinguisher;

/**
 * NLRI that are IP prefixes, with labels and a route distinguisher if the family has them. {@link NlriFormat} has the
 * layouts.
 */
enum PrefixNlri implements NlriCodec {
    IPV4(32, false, false),
    IPV6(128, false, false),
    LABELED_IPV4(32, true, false),
    LABELED_IPV6(128, true, false),
    VPNV4(32, true, true),
    VPNV6(128, true, true),
    VPNV4_MULTICAST(32, false, true),
    VPNV6_MULTICAST(128, false, true);

    private final int addressBits;
    private final boolean labels;
    private final boolean distinguisher;

    PrefixNlri(int addressBits, boolean labels, boolean distinguisher) {
        this.addressBits = addressBits;
        this.labels = labels;
        this.distinguisher = distinguisher;
    }

    /** Returns the codec of a family of prefixes; see {@link NlriFormat#isPrefix}. */
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

    /** Returns the end of a prefix without labels and route distinguisher, or a {@link NlriFault#asResult fault}. */
    static int plain(byte[] b, int at, int limit, int addressBits) {
        int bits = b[at] & 0xFF;
        if (bits > addressBits) {
            return NlriFault.TOO_LONG.asResult();
        }
        int end = at + 1 + (bits + 7 >>> 3);
        return end <= limit ? end : NlriFault.RUNS_OVER.asResult();
    }

    /**
     * Returns the same as {@link #next(byte[], int, int)}; in a withdrawal the label field is three bytes whatever it
     * contains.
     */
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

    /**
     * Appends {@code 192.0.2.0/24} or {@code 64500:1 192.0.2.0/24}. Labels are attributes of the route and not part of
     * its text.
     */
    @Override
    public void text(byte[] b, int from, int to, StringBuilder out) {
        int at = labels ? stackEnd(b, from + 1) : from + 1;
        int bits = (b[from] & 0xFF) - 8 * (at - from - 1);
        if (distinguisher) {
            out.append(RouteDistinguisher.text(BigEndian.i64(b, at))).append(' ');
            at += 8;
            bits -= 64;
        }
        AddressText.prefix(addressBits == 128, b, at, bits, out);
    }

    private static int stackEnd(byte[] b, int from) {
        int at = from;
        while (!NlriFormat.endsStack(BigEndian.u24(b, at))) {
            at += 3;
        }
        return at + 3;
    }
}
