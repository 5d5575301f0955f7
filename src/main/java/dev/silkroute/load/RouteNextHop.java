package dev.silkroute.load;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a route leads, in the form that its family and session ask for. Drawn into again and again; not thread-safe. */
final class RouteNextHop {
    private static final long LINK_LOCAL = 0xFE80L << 48;

    /** The forms of a next hop: with an IPv4 address, with an IPv6 address, with a link-local one beside it (RFC 2545, Section 3), or none. */
    private enum Form {
        NONE,
        IPV4,
        IPV6,
        IPV6_LINK_LOCAL
    }

    private Form form = Form.NONE;
    private boolean distinguisher;

    /** The IPv4 address, or the end of the IPv6 addresses. */
    private int address;

    /**
     * @param ipv6Session whether IPv4 routes have an IPv6 next hop (RFC 8950)
     * @param neighbour whether it is the neighbour's own address, on a link
     */
    void set(int family, int address, boolean ipv6Session, boolean neighbour) {
        this.address = address;
        distinguisher = family == Family.VPNV4 || family == Family.VPNV6;
        form = switch (family) {
            case Family.IPV4_FLOWSPEC, Family.IPV6_FLOWSPEC -> Form.NONE; // RFC 8955, Section 4
            case Family.VPNV6, Family.IPV6_LABELED_UNICAST -> Form.IPV6;
            case Family.IPV6_UNICAST -> neighbour && ipv6Session ? Form.IPV6_LINK_LOCAL : Form.IPV6;
            case Family.IPV4_UNICAST -> ipv6Session ? Form.IPV6 : Form.IPV4;
            default -> Form.IPV4;
        };
    }

    int address() {
        return address;
    }

    /** Appends the length and the next hop, as in MP_REACH_NLRI. */
    void write(ByteSink out) {
        switch (form) {
            case NONE -> out.u8(0);
            case IPV4 -> {
                if (distinguisher) {
                    out.u8(12).i64(0).u32(address);
                } else {
                    out.u8(4).u32(address);
                }
            }
            case IPV6 -> {
                if (distinguisher) {
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

    /** The column {@code next_hop}. */
    @Nullable
    String text() {
        return switch (form) {
            case NONE -> null;
            case IPV4 -> Addresses.ipv4(address);
            default -> Addresses.ipv6(LoadPeer.SITE, address);
        };
    }

    /** As in the column {@code attributes}. */
    void describe(Map<String, @Nullable Object> attributes) {
        attributes.put("next_hop", text());
        if (form == Form.IPV6_LINK_LOCAL) {
            attributes.put("next_hop_link_local", Addresses.ipv6(LINK_LOCAL, address));
        }
        if (distinguisher) {
            String site =
                    form == Form.IPV6 ? "%016x%016x".formatted(LoadPeer.SITE, address) : "%08x".formatted(address);
            attributes.put("next_hop_raw", "0".repeat(16) + site);
        }
    }
}
