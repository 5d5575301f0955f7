package dev.silkroute.load;

import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;

/** The NLRI of one family by their number. Immutable. */
final class Nlris {
    private static final int INSTANCES = 8;

    private final int family;
    private final PrefixTable prefixes;

    Nlris(int family, PrefixTable prefixes) {
        this.family = family;
        this.prefixes = prefixes;
    }

    static boolean ipv6(int family) {
        return Family.afi(family) == Family.AFI_IPV6;
    }

    int family() {
        return family;
    }

    /** As users see it: the column {@code nlri}. */
    String text(int i) {
        return switch (family) {
            case Family.VPNV4, Family.VPNV6 -> rd(i) + " " + prefix(i);
            case Family.EVPN -> macIp(i);
            case Family.IPV4_FLOWSPEC, Family.IPV6_FLOWSPEC ->
                "dst=" + prefix(i) + " proto=17 dport=" + (8000 + i % 100);
            default -> prefix(i);
        };
    }

    private String prefix(int i) {
        long address = prefixes.address(i);
        return prefixes.ipv6()
                ? Addresses.prefix(true, address, 0, prefixes.length(i))
                : Addresses.prefix(false, 0, address, prefixes.length(i));
    }

    private static String rd(int i) {
        return "64500:" + (1 + i % INSTANCES);
    }

    private static String macIp(int i) {
        int label = 5000 + i % INSTANCES;
        return "mac-ip rd=%s esi=00:00:00:00:00:00:00:00:00:00 etag=0 mac=02:00:%02x:%02x:%02x:%02x ip=%s label=%d/%d"
                .formatted(
                        rd(i),
                        i >>> 24,
                        i >>> 16 & 0xFF,
                        i >>> 8 & 0xFF,
                        i & 0xFF,
                        Addresses.ipv4(0x0A00_0000 | i & 0xFF_FFFF),
                        label,
                        label << 4 | 1);
    }

    void write(int i, boolean withdrawal, ByteSink out) {
        if (family == Family.IPV4_UNICAST || family == Family.IPV6_UNICAST) {
            int length = prefixes.length(i);
            int width = prefixes.ipv6() ? 64 : 32;
            out.u8(length);
            for (int bits = 0; bits < length; bits += 8) {
                out.u8((int) (prefixes.address(i) >>> width - 8 - bits));
            }
            return;
        }
        byte[] nlri = NlriText.parse(family, labelled() && !withdrawal ? text(i) + " label=" + label(i) : text(i));
        out.bytes(nlri, 0, nlri.length);
    }

    private boolean labelled() {
        int safi = Family.safi(family);
        return safi == Family.safi(Family.VPNV4) || safi == Family.safi(Family.IPV4_LABELED_UNICAST);
    }

    /** 0 to 15 mean something of their own (RFC 3032, Section 2.1). */
    private static int label(int i) {
        return 16 + i % 1_000_000;
    }
}
