package dev.silkroute.bgp.attribute;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.io.IOException;

/**
 * A next hop: an address, with a link-local one beside it for some IPv6 routes (RFC 2545, Section 3).
 *
 * @param isAddress false if the bytes have no known form; only {@code raw} is valid then
 * @param high upper 64 bits of the global address, 0 for IPv4
 * @param low lower 64 bits of the global address; IPv4 in the lower 32
 * @param hasLinkLocal whether the link-local address is valid
 * @param raw the bytes as received, including the route distinguishers of VPN next hops
 */
public record NextHop(
        boolean isAddress,
        boolean ipv6,
        long high,
        long low,
        boolean hasLinkLocal,
        long linkLocalHigh,
        long linkLocalLow,
        Bytes raw) {

    /**
     * Decodes a next hop by its length (RFC 4760, RFC 2545, RFC 4364, RFC 4659, RFC 8950).
     *
     * <pre>
     *  4 IPv4        16 IPv6          32 IPv6 | link-local
     * 12 RD | IPv4   24 RD | IPv6     48 RD | IPv6 | RD | link-local
     * </pre>
     */
    static NextHop decode(byte[] b, int from, int to) {
        Bytes raw = Bytes.copyOf(b, from, to);
        return switch (to - from) {
            case 4 -> ipv4(BigEndian.u32(b, from), raw);
            case 12 -> ipv4(BigEndian.u32(b, from + 8), raw);
            case 16 -> ipv6(b, from, -1, raw);
            case 24 -> ipv6(b, from + 8, -1, raw);
            case 32 -> ipv6(b, from, from + 16, raw);
            case 48 -> ipv6(b, from + 8, from + 32, raw);
            default -> new NextHop(false, false, 0, 0, false, 0, 0, raw);
        };
    }

    private static NextHop ipv4(long address, Bytes raw) {
        return new NextHop(true, false, 0, address, false, 0, 0, raw);
    }

    private static NextHop ipv6(byte[] b, int at, int linkLocal, Bytes raw) {
        boolean both = linkLocal >= 0;
        return new NextHop(
                true,
                true,
                BigEndian.i64(b, at),
                BigEndian.i64(b, at + 8),
                both,
                both ? BigEndian.i64(b, linkLocal) : 0,
                both ? BigEndian.i64(b, linkLocal + 8) : 0,
                raw);
    }

    /**
     * Returns whether a next hop of this length is possible in this family, so that the NLRI after it can be located.
     */
    public static boolean lengthFits(int family, int length) {
        int afi = Family.afi(family);
        if (afi != Family.AFI_IPV4 && afi != Family.AFI_IPV6) {
            return true;
        }
        return switch (Family.safi(family)) {
            case 1, 2, 4 -> length == 4 || length == 16 || length == 32;
            // Some senders omit the route distinguisher.
            case 128, 129 ->
                length == 12 || length == 24 || length == 48 || length == 4 || length == 16 || length == 32;
            default -> true;
        };
    }

    /** Writes {@code next_hop} and, if there is one, {@code next_hop_link_local} into an open JSON object. */
    public void write(JsonGenerator json) throws IOException {
        json.writeStringField("next_hop", text());
        if (hasLinkLocal) {
            json.writeStringField("next_hop_link_local", linkLocalText());
        }
    }

    /** Returns the global address, or hex digits if the bytes are not an address. */
    public String text() {
        return isAddress ? Addresses.text(ipv6, high, low) : raw.hex();
    }

    /** Returns the link-local address, empty without one. */
    public String linkLocalText() {
        return hasLinkLocal ? Addresses.ipv6(linkLocalHigh, linkLocalLow) : "";
    }
}
