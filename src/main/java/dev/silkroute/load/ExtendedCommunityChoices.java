package dev.silkroute.load;

import dev.silkroute.bgp.attribute.ExtendedCommunity;
import dev.silkroute.bgp.attribute.Ipv6ExtendedCommunity;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.util.Arrays;
import java.util.List;

/** The extended communities that routes may have, grouped by use. */
final class ExtendedCommunityChoices {
    /** An extended community as text and in its eight bytes. */
    record Choice(String text, long value) {}

    /** An IPv6-address-specific extended community of twenty bytes (RFC 5701). */
    record Ipv6Choice(String text, Bytes value) {}

    private static final Choice[] ROUTE_TARGETS = choices(
            "rt:64500:1", "rt:64500:2", "rt:64500:3", "rt:64500:4", "rt:64500:5", "rt:4200000011:6", "rt:192.0.2.7:7");
    private static final Choice[] VPN = choices(
            "soo:64500:1",
            "soo:192.0.2.1:7",
            "ospf-domain-id:64500:1",
            "ospf-route-type:0.0.0.0:5:1",
            "source-as:64500:0",
            "vrf-route-import:192.0.2.1:1");
    private static final Choice[] FLOWSPEC = choices(
            "traffic-rate:64500:0",
            "traffic-rate:64500:1000000",
            "traffic-marking:46",
            "redirect:64500:1",
            "redirect:4200000011:1");
    private static final Choice[] UNICAST = choices(
            "validation-state:valid",
            "validation-state:not-found",
            "validation-state:invalid",
            "link-bandwidth:64500:125000000");
    private static final Choice[] COLORS = choices("color:100", "color:200", "color:300");
    private static final Choice[] MOBILITY = choices("mac-mobility:0:sticky", "mac-mobility:1", "mac-mobility:7");
    private static final Choice[] VXLAN = choices("encap:vxlan");
    private static final Choice[] ROUTER_MACS = choices("router-mac:02:00:0a:01:00:01", "router-mac:02:00:0a:01:00:02");
    private static final Choice[] ESI_LABEL = choices("esi-label:100:all-active", "esi-label:101:single-active");
    private static final Choice[] ES_IMPORT = choices("es-import:02:00:00:00:00:01", "es-import:02:00:00:00:00:02");
    private static final Ipv6Choice[] IPV6_TARGETS = ipv6("rt:[2001:db8::1]:7", "rt:[2001:db8::2]:8");
    private static final Ipv6Choice[] IPV6_ACTIONS = ipv6("redirect-to-ip:[2001:db8::3]:0", "redirect:[2001:db8::4]:9");

    private ExtendedCommunityChoices() {}

    private static Choice[] choices(String... texts) {
        return Arrays.stream(texts)
                .map(text -> new Choice(text, ExtendedCommunity.parse(text)))
                .toArray(Choice[]::new);
    }

    private static Ipv6Choice[] ipv6(String... texts) {
        return Arrays.stream(texts)
                .map(text -> new Ipv6Choice(text, Ipv6ExtendedCommunity.parse(text)))
                .toArray(Ipv6Choice[]::new);
    }

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
