package dev.silkroute.load;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;

/**
 * The next hop of a route in the form that its family and session require. One instance is reused for all routes; not
 * thread-safe.
 */
final class GeneratedNextHop {
    static final long LINK_LOCAL = 0xFE80L << 48;

    /**
     * The address forms; {@code IPV6_LINK_LOCAL} is a global address followed by a link-local one (RFC 2545, Section
     * 3).
     */
    enum Form {
        NONE,
        IPV4,
        IPV6,
        IPV6_LINK_LOCAL
    }

    private Form form = Form.NONE;
    private boolean hasDistinguisher;
    private int address;

    /**
     * @param address an IPv4 address; the IPv6 forms have it as their last four bytes
     * @param isIpv6Session whether IPv4 routes have an IPv6 next hop (RFC 8950)
     * @param isNeighbor whether it is the address of a neighbour on the same link
     */
    void set(int family, int address, boolean isIpv6Session, boolean isNeighbor) {
        this.address = address;
        hasDistinguisher = family == Family.VPNV4 || family == Family.VPNV6;
        form = switch (family) {
            case Family.IPV4_FLOWSPEC, Family.IPV6_FLOWSPEC -> Form.NONE; // RFC 8955, Section 4
            case Family.VPNV6, Family.IPV6_LABELED_UNICAST -> Form.IPV6;
            case Family.IPV6_UNICAST -> isNeighbor && isIpv6Session ? Form.IPV6_LINK_LOCAL : Form.IPV6;
            case Family.IPV4_UNICAST -> isIpv6Session ? Form.IPV6 : Form.IPV4;
            default -> Form.IPV4;
        };
    }

    Form form() {
        return form;
    }

    /** Returns the IPv4 address, or the last four bytes of the IPv6 addresses. */
    int address() {
        return address;
    }

    /** Returns whether a route distinguisher of zero precedes the address (RFC 4364, Section 4.3.2). */
    boolean hasDistinguisher() {
        return hasDistinguisher;
    }

    /** Appends the length and the next hop as in MP_REACH_NLRI. */
    void write(ByteSink out) {
        switch (form) {
            case NONE -> out.u8(0);
            case IPV4 -> {
                if (hasDistinguisher) {
                    out.u8(12).i64(0).u32(address);
                } else {
                    out.u8(4).u32(address);
                }
            }
            case IPV6 -> {
                if (hasDistinguisher) {
                    out.u8(24).i64(0);
                } else {
                    out.u8(16);
                }
                out.i64(LoadPeer.SITE).i64(address);
            }
            case IPV6_LINK_LOCAL ->
                out.u8(32).i64(LoadPeer.SITE).i64(address).i64(LINK_LOCAL).i64(address);
        }
    }
}
