package dev.silkroute.load;

import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.util.List;

/** The extended communities that routes may have, grouped by use. */
final class ExtendedCommunityChoices {
    /** An extended community as text and in its eight bytes. */
    record Choice(String text, long value) {}

    /** An IPv6-address-specific extended community of twenty bytes (RFC 5701). */
    record Ipv6Choice(String text, Bytes value) {}

    private static final Choice[] ROUTE_TARGETS = {
        new Choice("rt:64500:1", 0x0002_fbf4_0000_0001L),
        new Choice("rt:64500:2", 0x0002_fbf4_0000_0002L),
        new Choice("rt:64500:3", 0x0002_fbf4_0000_0003L),
        new Choice("rt:64500:4", 0x0002_fbf4_0000_0004L),
        new Choice("rt:64500:5", 0x0002_fbf4_0000_0005L),
        new Choice("rt:4200000011:6", 0x0202_fa56_ea0b_0006L),
        new Choice("rt:192.0.2.7:7", 0x0102_c000_0207_0007L)
    };
    private static final Choice[] VPN = {
        new Choice("soo:64500:1", 0x0003_fbf4_0000_0001L),
        new Choice("soo:192.0.2.1:7", 0x0103_c000_0201_0007L),
        new Choice("ospf-domain-id:64500:1", 0x0005_fbf4_0000_0001L),
        new Choice("ospf-route-type:0.0.0.0:5:1", 0x0306_0000_0000_0501L),
        new Choice("source-as:64500:0", 0x0009_fbf4_0000_0000L),
        new Choice("vrf-route-import:192.0.2.1:1", 0x010b_c000_0201_0001L)
    };
    private static final Choice[] FLOWSPEC = {
        new Choice("traffic-rate:64500:0", 0x8006_fbf4_0000_0000L),
        new Choice("traffic-rate:64500:1000000", 0x8006_fbf4_4974_2400L),
        new Choice("traffic-marking:46", 0x8009_0000_0000_002eL),
        new Choice("redirect:64500:1", 0x8008_fbf4_0000_0001L),
        new Choice("redirect:4200000011:1", 0x8208_fa56_ea0b_0001L)
    };
    private static final Choice[] UNICAST = {
        new Choice("validation-state:valid", 0x4300_0000_0000_0000L),
        new Choice("validation-state:not-found", 0x4300_0000_0000_0001L),
        new Choice("validation-state:invalid", 0x4300_0000_0000_0002L),
        new Choice("link-bandwidth:64500:125000000", 0x4004_fbf4_4cee_6b28L)
    };
    private static final Choice[] COLORS = {
        new Choice("color:100", 0x030b_0000_0000_0064L),
        new Choice("color:200", 0x030b_0000_0000_00c8L),
        new Choice("color:300", 0x030b_0000_0000_012cL)
    };
    private static final Choice[] MOBILITY = {
        new Choice("mac-mobility:0:sticky", 0x0600_0100_0000_0000L),
        new Choice("mac-mobility:1", 0x0600_0000_0000_0001L),
        new Choice("mac-mobility:7", 0x0600_0000_0000_0007L)
    };
    private static final Choice[] VXLAN = {new Choice("encap:vxlan", 0x030c_0000_0000_0008L)};
    private static final Choice[] ROUTER_MACS = {
        new Choice("router-mac:02:00:0a:01:00:01", 0x0603_0200_0a01_0001L),
        new Choice("router-mac:02:00:0a:01:00:02", 0x0603_0200_0a01_0002L)
    };
    private static final Choice[] ESI_LABEL = {
        new Choice("esi-label:100:all-active", 0x0601_0000_0000_0640L),
        new Choice("esi-label:101:single-active", 0x0601_0100_0000_0650L)
    };
    private static final Choice[] ES_IMPORT = {
        new Choice("es-import:02:00:00:00:00:01", 0x0602_0200_0000_0001L),
        new Choice("es-import:02:00:00:00:00:02", 0x0602_0200_0000_0002L)
    };
    private static final Ipv6Choice[] IPV6_TARGETS = {
        new Ipv6Choice("rt:[2001:db8::1]:7", Bytes.ofHex("000220010db80000000000000000000000010007")),
        new Ipv6Choice("rt:[2001:db8::2]:8", Bytes.ofHex("000220010db80000000000000000000000020008"))
    };
    private static final Ipv6Choice[] IPV6_ACTIONS = {
        new Ipv6Choice("redirect-to-ip:[2001:db8::3]:0", Bytes.ofHex("000c20010db80000000000000000000000030000")),
        new Ipv6Choice("redirect:[2001:db8::4]:9", Bytes.ofHex("000d20010db80000000000000000000000040009"))
    };

    private ExtendedCommunityChoices() {}

    /**
     * Appends the communities of one route.
     *
     * @param kind see {@link NlriSeries#kind}
     * @param inside whether the route comes from the router's own AS and is monitored inside it
     */
    static void draw(KeyedRandom random, int family, int kind, boolean inside, List<Choice> into) {
        switch (family) {
            case Family.VPNV4, Family.VPNV6 -> {
                addOne(random, ROUTE_TARGETS, 1, into);
                addOne(random, ROUTE_TARGETS, 5, into);
                addOne(random, VPN, 5, into);
            }
            case Family.EVPN -> evpn(random, kind, into);
            case Family.IPV4_FLOWSPEC, Family.IPV6_FLOWSPEC -> addOne(random, FLOWSPEC, 1, into);
            case Family.IPV4_LABELED_UNICAST, Family.IPV6_LABELED_UNICAST -> addOne(random, COLORS, 4, into);
            default -> addOne(random, UNICAST, inside ? 10 : 200, into);
        }
    }

    private static void evpn(KeyedRandom random, int kind, List<Choice> into) {
        if (kind == EvpnNlriSeries.ETHERNET_SEGMENT) {
            addOne(random, ES_IMPORT, 1, into);
            return;
        }
        addOne(random, ROUTE_TARGETS, 1, into);
        addOne(random, VXLAN, 1, into);
        switch (kind) {
            case EvpnNlriSeries.MAC_IP -> addOne(random, MOBILITY, 10, into);
            case EvpnNlriSeries.IP_PREFIX -> addOne(random, ROUTER_MACS, 1, into);
            case EvpnNlriSeries.ETHERNET_AD -> addOne(random, ESI_LABEL, 1, into);
            default -> {}
        }
    }

    /** Appends the IPv6 extended communities of one route; most routes have none. */
    static void drawIpv6(KeyedRandom random, int family, List<Ipv6Choice> into) {
        if (family == Family.VPNV6 && random.oneIn(20)) {
            into.add(IPV6_TARGETS[random.nextInt(IPV6_TARGETS.length)]);
        } else if (family == Family.IPV6_FLOWSPEC && random.oneIn(5)) {
            into.add(IPV6_ACTIONS[random.nextInt(IPV6_ACTIONS.length)]);
        }
    }

    /** Appends one of the choices with a probability of 1 in {@code oneIn}. */
    private static void addOne(KeyedRandom random, Choice[] choices, int oneIn, List<Choice> into) {
        if (oneIn > 1 && !random.oneIn(oneIn)) {
            return;
        }
        Choice choice = choices[random.nextInt(choices.length)];
        if (!into.contains(choice)) {
            into.add(choice);
        }
    }
}
