package dev.silkroute.bgp.attribute.tlv;

import java.util.Map;

/** Names of tunnel types (IANA "BGP Tunnel Encapsulation Attribute Tunnel Types"; RFC 9012, Section 14). */
public final class TunnelType {
    static final int GRE = 2;
    static final int VXLAN = 8;
    static final int NVGRE = 9;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(1, "l2tpv3"),
            Map.entry(GRE, "gre"),
            Map.entry(3, "transmit-tunnel-endpoint"),
            Map.entry(4, "ipsec-tunnel-mode"),
            Map.entry(5, "ip-in-ip-ipsec"),
            Map.entry(6, "mpls-in-ip-ipsec"),
            Map.entry(7, "ip-in-ip"),
            Map.entry(VXLAN, "vxlan"),
            Map.entry(NVGRE, "nvgre"),
            Map.entry(10, "mpls"),
            Map.entry(11, "mpls-in-gre"),
            Map.entry(12, "vxlan-gpe"),
            Map.entry(13, "mpls-in-udp"),
            Map.entry(14, "ipv6-tunnel"),
            Map.entry(15, "sr-policy"),
            Map.entry(16, "bare"),
            Map.entry(17, "sr-tunnel"),
            Map.entry(18, "cloud-security"),
            Map.entry(19, "geneve"),
            Map.entry(20, "any-encapsulation"),
            Map.entry(21, "gtp"),
            Map.entry(22, "dps"),
            Map.entry(25, "sd-wan-hybrid"));

    private TunnelType() {}

    /** Returns the name of a type, or its number if it has none. */
    public static String text(int type) {
        return NAMES.getOrDefault(type, Integer.toString(type));
    }

    static boolean hasName(int type) {
        return NAMES.containsKey(type);
    }
}
