package dev.silkroute.capture.packet;

/** Finds the IP header in a packet by its link type (tcpdump.org/linktypes.html). */
final class LinkLayer {
    static final int NULL = 0;
    static final int ETHERNET = 1;
    static final int RAW = 101;
    static final int LOOP = 108;
    static final int LINUX_SLL = 113;
    static final int IPV4 = 228;
    static final int IPV6 = 229;
    static final int LINUX_SLL2 = 276;

    private static final String KNOWN =
            "Ethernet (1), Linux cooked (113, 276), raw IP (101, 228, 229), null and loopback (0, 108)";

    /** Raw IP as written by BSD systems instead of 101. */
    private static final int DLT_RAW = 12;

    private static final int DLT_RAW_OPENBSD = 14;

    private static final int ETHERTYPE_IPV4 = 0x0800;
    private static final int ETHERTYPE_IPV6 = 0x86dd;
    private static final int ETHERTYPE_VLAN = 0x8100;
    private static final int ETHERTYPE_SERVICE_VLAN = 0x88a8;
    private static final int ETHERTYPE_OLD_SERVICE_VLAN = 0x9100;

    private LinkLayer() {}

    static boolean isKnown(int linkType) {
        return switch (linkType) {
            case NULL, ETHERNET, DLT_RAW, DLT_RAW_OPENBSD, RAW, LOOP, LINUX_SLL, IPV4, IPV6, LINUX_SLL2 -> true;
            default -> false;
        };
    }

    static String unsupported(int linkType) {
        return "link type " + linkType + " is not one that can be read: " + KNOWN;
    }

    /** Returns the offset of the IP header, or −1 if the packet is not IP. */
    static int ipOffset(int linkType, byte[] b, int length) {
        return switch (linkType) {
            case ETHERNET -> afterEtherType(b, 12, 14, length);
            // The cooked header ends with the EtherType; its second version starts with it.
            case LINUX_SLL -> afterEtherType(b, 14, 16, length);
            case LINUX_SLL2 -> afterEtherType(b, 0, 20, length);
            // An address family, whose values differ by system; the IP version is used instead.
            case NULL, LOOP -> 4;
            case DLT_RAW, DLT_RAW_OPENBSD, RAW, IPV4, IPV6 -> 0;
            default -> -1;
        };
    }

    private static int afterEtherType(byte[] b, int typeAt, int payloadAt, int length) {
        int type = typeAt;
        int payload = payloadAt;
        while (payload <= length) {
            switch (u16(b, type)) {
                case ETHERTYPE_IPV4, ETHERTYPE_IPV6 -> {
                    return payload;
                }
                case ETHERTYPE_VLAN, ETHERTYPE_SERVICE_VLAN, ETHERTYPE_OLD_SERVICE_VLAN -> {
                    // tag control u16 | EtherType u16
                    type = payload + 2;
                    payload += 4;
                }
                default -> {
                    return -1;
                }
            }
        }
        return -1;
    }

    private static int u16(byte[] b, int at) {
        return (b[at] & 0xff) << 8 | (b[at + 1] & 0xff);
    }
}
