package dev.silkroute.net;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An address family as one {@code int}: {@code afi << 8 | safi}. IPv4 unicast is {@code 0x101}, BGP-LS is
 * {@code 0x400447}.
 *
 * <p>Registries: IANA "Address Family Numbers" and "Subsequent Address Family Identifiers (SAFI) Parameters".
 */
public final class Family {
    public static final int AFI_IPV4 = 1;
    public static final int AFI_IPV6 = 2;
    public static final int AFI_L2VPN = 25;
    public static final int AFI_BGP_LS = 16388;

    public static final int IPV4_UNICAST = 1 << 8 | 1;
    public static final int IPV4_MULTICAST = 1 << 8 | 2;
    public static final int IPV4_LABELED_UNICAST = 1 << 8 | 4;
    public static final int VPNV4 = 1 << 8 | 128;
    public static final int VPNV4_MULTICAST = 1 << 8 | 129;
    public static final int RT_CONSTRAINT = 1 << 8 | 132;
    public static final int IPV4_FLOWSPEC = 1 << 8 | 133;
    public static final int VPNV4_FLOWSPEC = 1 << 8 | 134;
    public static final int IPV6_UNICAST = 2 << 8 | 1;
    public static final int IPV6_MULTICAST = 2 << 8 | 2;
    public static final int IPV6_LABELED_UNICAST = 2 << 8 | 4;
    public static final int VPNV6 = 2 << 8 | 128;
    public static final int VPNV6_MULTICAST = 2 << 8 | 129;
    public static final int IPV6_FLOWSPEC = 2 << 8 | 133;
    public static final int VPNV6_FLOWSPEC = 2 << 8 | 134;
    public static final int VPLS = 25 << 8 | 65;
    public static final int EVPN = 25 << 8 | 70;
    public static final int BGP_LS = 16388 << 8 | 71;
    public static final int BGP_LS_VPN = 16388 << 8 | 72;

    private static final int MAX_AFI = 0xFFFF;
    private static final int MAX_SAFI = 0xFF;
    private static final Pattern UNNAMED = Pattern.compile("afi-(\\d{1,5})/safi-(\\d{1,3})");

    /** Families by name. */
    private static final Map<String, Integer> NAMED = IntStream.of(AFI_IPV4, AFI_IPV6, AFI_L2VPN, AFI_BGP_LS)
            .flatMap(afi -> IntStream.rangeClosed(0, MAX_SAFI).map(safi -> of(afi, safi)))
            .boxed()
            .filter(family -> !UNNAMED.matcher(text(family)).matches())
            .collect(Collectors.toMap(Family::text, family -> family, (one, _) -> one, TreeMap::new));

    private Family() {}

    public static int of(int afi, int safi) {
        return afi << 8 | safi;
    }

    /**
     * Returns the family with a name, the inverse of {@link #text}.
     *
     * @throws IllegalArgumentException if there is no such family
     */
    public static int of(String name) {
        Integer named = NAMED.get(name);
        if (named != null) {
            return named;
        }
        Matcher unnamed = UNNAMED.matcher(name);
        if (!unnamed.matches()) {
            throw new IllegalArgumentException(
                    "must be one of " + String.join(", ", NAMED.keySet()) + " or afi-N/safi-N, not '" + name + "'");
        }
        int afi = Integer.parseInt(unnamed.group(1));
        int safi = Integer.parseInt(unnamed.group(2));
        if (afi > MAX_AFI || safi > MAX_SAFI) {
            throw new IllegalArgumentException("AFI and SAFI have 16 and 8 bits: '" + name + "'");
        }
        return of(afi, safi);
    }

    public static int afi(int family) {
        return family >>> 8;
    }

    public static int safi(int family) {
        return family & 0xFF;
    }

    /** Returns whether routes of a family are those of the global table: unicast or labelled unicast, not of a VPN. */
    public static boolean isUnicast(int family) {
        return switch (family) {
            case IPV4_UNICAST, IPV4_LABELED_UNICAST, IPV6_UNICAST, IPV6_LABELED_UNICAST -> true;
            default -> false;
        };
    }

    /** Returns the name of a family, such as {@code ipv4-unicast}, or {@code afi-7/safi-99} for one without a name. */
    public static String text(int family) {
        return switch (family) {
            case IPV4_UNICAST -> "ipv4-unicast";
            case IPV4_MULTICAST -> "ipv4-multicast";
            case IPV4_LABELED_UNICAST -> "ipv4-labeled-unicast";
            case 1 << 8 | 5 -> "ipv4-mcast-vpn";
            case 1 << 8 | 66 -> "ipv4-mdt";
            case 1 << 8 | 73 -> "ipv4-sr-policy";
            case VPNV4 -> "vpnv4";
            case VPNV4_MULTICAST -> "vpnv4-multicast";
            case RT_CONSTRAINT -> "rt-constraint";
            case IPV4_FLOWSPEC -> "ipv4-flowspec";
            case VPNV4_FLOWSPEC -> "vpnv4-flowspec";
            case IPV6_UNICAST -> "ipv6-unicast";
            case IPV6_MULTICAST -> "ipv6-multicast";
            case IPV6_LABELED_UNICAST -> "ipv6-labeled-unicast";
            case 2 << 8 | 5 -> "ipv6-mcast-vpn";
            case 2 << 8 | 73 -> "ipv6-sr-policy";
            case VPNV6 -> "vpnv6";
            case VPNV6_MULTICAST -> "vpnv6-multicast";
            case 2 << 8 | 132 -> "ipv6-rt-constraint";
            case IPV6_FLOWSPEC -> "ipv6-flowspec";
            case VPNV6_FLOWSPEC -> "vpnv6-flowspec";
            case VPLS -> "vpls";
            case EVPN -> "evpn";
            case 25 << 8 | 133 -> "l2vpn-flowspec";
            case 25 << 8 | 134 -> "l2vpn-vpn-flowspec";
            case BGP_LS -> "bgp-ls";
            case BGP_LS_VPN -> "bgp-ls-vpn";
            default -> "afi-" + afi(family) + "/safi-" + safi(family);
        };
    }
}
