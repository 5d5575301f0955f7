package dev.silkroute.mrt;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Family;

/**
 * The address families of an UPDATE. Only lengths are read, and reading stops where they are invalid: the station has
 * to judge the message. Reused from message to message; not thread-safe.
 */
final class UpdateFamilies {
    private static final int HEADER = 19;
    private static final int MP_REACH = 14;
    private static final int MP_UNREACH = 15;
    private static final int FLAG_EXTENDED_LENGTH = 0x10;
    private static final int ROUTES = 1;
    private static final int EXTENDED_NEXT_HOP = 2;

    /** IPv4 unicast of the NLRI fields, MP_REACH_NLRI and MP_UNREACH_NLRI; a message with more of them is malformed. */
    private static final int MAX = 3;

    private final int[] families = new int[MAX];
    private final int[] flags = new int[MAX];
    private int size;

    int size() {
        return size;
    }

    int family(int at) {
        return families[at];
    }

    /** Returns whether the family has NLRI; without it the message is an End-of-RIB. */
    boolean hasRoutes(int at) {
        return (flags[at] & ROUTES) != 0;
    }

    /** Returns whether IPv4 routes have an IPv6 next hop (RFC 8950). */
    boolean hasExtendedNextHop(int at) {
        return (flags[at] & EXTENDED_NEXT_HOP) != 0;
    }

    /** Sets a single family with routes. */
    UpdateFamilies only(int family, boolean extendedNextHop) {
        size = 0;
        add(family, ROUTES | (extendedNextHop ? EXTENDED_NEXT_HOP : 0));
        return this;
    }

    /** Sets the families of an UPDATE, BGP header included. */
    UpdateFamilies of(byte[] b, int from, int to) {
        size = 0;
        int at = from + HEADER;
        if (at + 4 > to) {
            return this;
        }
        int withdrawn = BigEndian.u16(b, at);
        at += 2 + withdrawn;
        if (at + 2 > to) {
            return this;
        }
        int attributes = at + 2;
        int end = attributes + BigEndian.u16(b, at);
        if (withdrawn > 0 || end < to) {
            add(Family.IPV4_UNICAST, ROUTES);
        }
        attributes(b, attributes, Math.min(end, to));
        if (size == 0 && withdrawn == 0 && attributes == end && end == to) {
            add(Family.IPV4_UNICAST, 0);
        }
        return this;
    }

    private void attributes(byte[] b, int from, int to) {
        int at = from;
        while (at + 3 <= to) {
            boolean extended = (b[at] & FLAG_EXTENDED_LENGTH) != 0;
            int value = at + (extended ? 4 : 3);
            if (value > to) {
                return;
            }
            int length = extended ? BigEndian.u16(b, at + 2) : BigEndian.u8(b, at + 2);
            int end = value + length;
            if (end > to) {
                return;
            }
            int type = BigEndian.u8(b, at + 1);
            if (type == MP_REACH && length >= 5) {
                int nextHop = BigEndian.u8(b, value + 3);
                int nlri = value + 4 + nextHop + 1;
                add(family(b, value), (nlri < end ? ROUTES : 0) | extended(family(b, value), nextHop));
            } else if (type == MP_UNREACH && length >= 3) {
                add(family(b, value), value + 3 < end ? ROUTES : 0);
            }
            at = end;
        }
    }

    private static int family(byte[] b, int at) {
        return Family.of(BigEndian.u16(b, at), BigEndian.u8(b, at + 2));
    }

    static int extended(int family, int nextHopLength) {
        // 24 and 48 bytes with a route distinguisher.
        boolean ipv6 = nextHopLength == 16 || nextHopLength == 24 || nextHopLength == 32 || nextHopLength == 48;
        return ipv6 && Family.afi(family) == Family.AFI_IPV4 ? EXTENDED_NEXT_HOP : 0;
    }

    private void add(int family, int flag) {
        for (int i = 0; i < size; i++) {
            if (families[i] == family) {
                flags[i] |= flag;
                return;
            }
        }
        if (size < MAX) {
            families[size] = family;
            flags[size++] = flag;
        }
    }
}
