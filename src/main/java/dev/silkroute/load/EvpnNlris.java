package dev.silkroute.load;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.util.Locale;

/** EVPN routes of types 1 to 5 (RFC 7432, Section 7; RFC 9136, Section 3.1) in runs: hosts mostly, as in a data centre. */
final class EvpnNlris extends Nlris {
    static final int ETHERNET_AD = 1;
    static final int MAC_IP = 2;
    static final int INCLUSIVE_MULTICAST = 3;
    static final int ETHERNET_SEGMENT = 4;
    static final int IP_PREFIX = 5;

    /** Route types of 64 in a row: this many of each, in this order. */
    private static final int[] RUN = Dice.cumulative(44, 8, 6, 4, 2);

    private static final int[] TYPES = {MAC_IP, IP_PREFIX, INCLUSIVE_MULTICAST, ETHERNET_AD, ETHERNET_SEGMENT};
    private static final int RUN_LENGTH = 64;

    /** ESI of type 0: arbitrary bytes. */
    private static final int ESI = 0x0001_0203;

    EvpnNlris() {
        super(Family.EVPN);
    }

    @Override
    int kind(int i) {
        int place = i % RUN_LENGTH;
        int at = 0;
        while (place >= RUN[at]) {
            at++;
        }
        return TYPES[at];
    }

    static int vni(int i) {
        return 5000 + i % 8;
    }

    private static int address(int i) {
        return 0x0A00_0000 | i & 0xFF_FFFF;
    }

    /** One host in four is known by its MAC address only. */
    private static boolean hasAddress(int i) {
        return i % 4 != 3;
    }

    @Override
    String text(int i) {
        String rd = " rd=" + rd(i);
        String label = " label=" + (vni(i) >>> 4) + "/" + vni(i);
        String address = Addresses.ipv4(address(i));
        return switch (kind(i)) {
            case ETHERNET_AD -> "ethernet-ad" + rd + " esi=" + esi(i) + " etag=0" + label;
            case INCLUSIVE_MULTICAST -> "inclusive-multicast" + rd + " etag=0 originator=" + address;
            case ETHERNET_SEGMENT -> "ethernet-segment" + rd + " esi=" + esi(i) + " originator=" + address;
            case IP_PREFIX ->
                "ip-prefix" + rd + " esi=" + esi(-1) + " etag=0 prefix=" + address + "/32 gateway=0.0.0.0" + label;
            default ->
                "mac-ip" + rd + " esi=" + esi(-1) + " etag=0 mac=" + mac(i) + (hasAddress(i) ? " ip=" + address : "")
                        + label;
        };
    }

    private static String mac(int i) {
        return String.format(
                Locale.ROOT, "02:00:%02x:%02x:%02x:%02x", i >>> 24, i >>> 16 & 0xFF, i >>> 8 & 0xFF, i & 0xFF);
    }

    /** All zero for -1, which is a segment with a single way to it. */
    private static String esi(int i) {
        return i < 0 ? "00:00:00:00:00:00:00:00:00:00" : "00:01:02:03:" + mac(i);
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
                esi(-1, out);
                out.u32(0).u8(32).u32(address(i)).u32(0);
                label(i, out);
            }
            default -> {
                esi(-1, out);
                out.u32(0).u8(48).u16(0x0200).u32(i);
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
        out.u32(i < 0 ? 0 : ESI).u16(i < 0 ? 0 : 0x0200).u32(i < 0 ? 0 : i);
    }

    private static void label(int i, ByteSink out) {
        out.u8(vni(i) >>> 16).u16(vni(i));
    }
}
