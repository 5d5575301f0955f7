package dev.silkroute.bgp.open;

import dev.silkroute.net.Bytes;

/**
 * The lengths that capabilities must have. What is not here may have any.
 *
 * <pre>
 *  1 u16 AFI | u8 reserved | u8 SAFI                            64 u16 flags and time | (u16 AFI | u8 SAFI | u8 flags)*
 *  3 (u16 AFI | u8 reserved | u8 SAFI | u8 n | (u8 type | u8 send and receive) n times)*
 *  5 (u16 AFI | u16 SAFI | u16 next-hop AFI)*                   65 u32 AS number
 *  7 u8 version and direction | u16 AFI                         69 (u16 AFI | u8 SAFI | u8 mode)*
 *  8 (u16 AFI | u8 SAFI | u8 count)*                            71 (u16 AFI | u8 SAFI | u8 flags | u24 seconds)*
 *  9 u8 role                                                    73 u8 length | host name | u8 length | domain name
 * 75 u8 length | text                                           76 (u16 AFI | u8 SAFI | u16 limit)*
 * </pre>
 */
final class CapabilityForm {
    private CapabilityForm() {}

    static boolean fits(int code, Bytes value) {
        int length = value.length();
        return switch (code) {
            case Capability.MULTIPROTOCOL, Capability.FOUR_OCTET_AS -> length == 4;
            case Capability.OUTBOUND_ROUTE_FILTERING -> isFilterList(value);
            case Capability.EXTENDED_NEXT_HOP -> length % 6 == 0;
            case Capability.BGPSEC -> length == 3;
            case Capability.MULTIPLE_LABELS, Capability.ADD_PATH -> length % 4 == 0;
            case Capability.BGP_ROLE -> length == 1;
            case Capability.GRACEFUL_RESTART -> length % 4 == 2;
            case Capability.LONG_LIVED_GRACEFUL_RESTART -> length % 7 == 0;
            case Capability.FQDN -> isNames(value);
            case Capability.SOFTWARE_VERSION -> length >= 1 && value.u8(0) == length - 1;
            case Capability.PATHS_LIMIT -> length % 5 == 0;
            default -> true;
        };
    }

    private static boolean isFilterList(Bytes value) {
        int at = 0;
        while (value.length() - at >= 5) {
            at += 5 + 2 * value.u8(at + 4);
        }
        return at == value.length();
    }

    /** The domain name may be left out, as some senders do. */
    private static boolean isNames(Bytes value) {
        if (value.isEmpty()) {
            return false;
        }
        int domain = 1 + value.u8(0);
        return domain == value.length() || domain < value.length() && domain + 1 + value.u8(domain) == value.length();
    }
}
