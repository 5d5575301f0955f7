package dev.silkroute.load;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;

/**
 * EVPN routes of types 1 to 5 (RFC 7432, Section 7; RFC 9136, Section 3.1). Types come in runs; most routes are hosts,
 * as in a data centre.
 */
final class EvpnNlriSeries extends NlriSeries {
    static final int ETHERNET_AD = 1;
    static final int MAC_IP = 2;
    static final int INCLUSIVE_MULTICAST = 3;
    static final int ETHERNET_SEGMENT = 4;
    static final int IP_PREFIX = 5;

    /** The number of routes in every 64 that have each of the {@link #TYPES}, cumulative. */
    private static final int[] RUN = KeyedRandom.cumulative(44, 8, 6, 4, 2);

    private static final int[] TYPES = {MAC_IP, IP_PREFIX, INCLUSIVE_MULTICAST, ETHERNET_AD, ETHERNET_SEGMENT};
    private static final int RUN_LENGTH = 64;

    /** The first four bytes of an ESI of type 0, whose value is arbitrary. */
    private static final int ESI = 0x0001_0203;

    /** Stands for the all-zero ESI of a single-homed segment. */
    private static final int SINGLE_HOMED = -1;

    private static final int MAC_PREFIX = 0x0200;

    EvpnNlriSeries() {
        super(Family.EVPN);
    }

    @Override
    int kind(int i) {
        int position = i % RUN_LENGTH;
        int at = 0;
        while (position >= RUN[at]) {
            at++;
        }
        return TYPES[at];
    }

    static int vni(int i) {
        return 5000 + i % 8;
    }

    static int address(int i) {
        return 0x0A00_0000 | i & 0xFF_FFFF;
    }

    /** Returns whether the MAC/IP route has an IP address; one in four has none. */
    static boolean hasAddress(int i) {
        return i % 4 != 3;
    }

    @Override
    void write(int i, boolean withdrawal, ByteSink out) {
        int start = out.position();
        int kind = kind(i);
        out.u8(kind).u8(0);
        rd(i, out);
        switch (kind) {
            case ETHERNET_AD -> {
                esi(i, out);
                out.u32(0);
                label(i, out);
            }
            case INCLUSIVE_MULTICAST -> out.u32(0).u8(32).u32(address(i));
            case ETHERNET_SEGMENT -> {
                esi(i, out);
                out.u8(32).u32(address(i));
            }
            case IP_PREFIX -> {
                esi(SINGLE_HOMED, out);
                out.u32(0).u8(32).u32(address(i)).u32(0);
                label(i, out);
            }
            default -> {
                esi(SINGLE_HOMED, out);
                out.u32(0).u8(48).u16(MAC_PREFIX).u32(i);
                out.u8(hasAddress(i) ? 32 : 0);
                if (hasAddress(i)) {
                    out.u32(address(i));
                }
                label(i, out);
            }
        }
        out.patchU8(start + 1, out.position() - start - 2);
    }

    private static void esi(int i, ByteSink out) {
        boolean isMultihomed = i != SINGLE_HOMED;
        out.u32(isMultihomed ? ESI : 0).u16(isMultihomed ? MAC_PREFIX : 0).u32(isMultihomed ? i : 0);
    }

    private static void label(int i, ByteSink out) {
        out.u8(vni(i) >>> 16).u16(vni(i));
    }
}
