package dev.silkroute.bgp.attribute.community;

import static dev.silkroute.bgp.attribute.community.CommunityText.AS2_NUMBER;
import static dev.silkroute.bgp.attribute.community.CommunityText.AS2_RATE;
import static dev.silkroute.bgp.attribute.community.CommunityText.AS4_NUMBER;
import static dev.silkroute.bgp.attribute.community.CommunityText.EMPTY;
import static dev.silkroute.bgp.attribute.community.CommunityText.IPV4_NUMBER;
import static dev.silkroute.bgp.attribute.community.CommunityText.MAC;
import static dev.silkroute.bgp.attribute.community.CommunityText.number;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The extended communities that have a name (IANA "BGP Extended Communities"). A new one is one row.
 *
 * @param code type and sub-type
 * @param text formats the other six bytes
 */
record ExtendedCommunityKind(int code, String name, CommunityText text) {
    private static final Map<Integer, ExtendedCommunityKind> BY_CODE = new HashMap<>();

    static {
        // RFC 4360, RFC 5668. A sub-type has the same meaning for all three kinds of administrator.
        administrators("rt", 0x02);
        administrators("soo", 0x03);
        administrators("ospf-domain-id", 0x05); // RFC 4577
        administrators("bgp-data-collection", 0x08); // RFC 4384
        administrators("source-as", 0x09); // RFC 6514
        administrators("l2vpn-id", 0x0a); // RFC 6074
        administrators("vpn-distinguisher", 0x10);
        kind(0x0107, "ospf-router-id", IPV4_NUMBER);
        kind(0x010b, "vrf-route-import", IPV4_NUMBER); // RFC 6514
        kind(0x0004, "link-bandwidth-transitive", AS2_RATE);
        kind(0x4004, "link-bandwidth", AS2_RATE);
        opaque();
        evpn();
        flowSpec();
    }

    /**
     * RFC 4360, Section 3.3; OSPF RFC 4577, colour and encapsulation RFC 9012, validation state RFC 8097, transport
     * class RFC 9832.
     */
    private static void opaque() {
        kind(0x0306, "ospf-route-type", OpaqueCommunities.OSPF_ROUTE_TYPE);
        kind(0x030b, "color", OpaqueCommunities.COLOR);
        kind(0x030c, "encap", OpaqueCommunities.ENCAPSULATION);
        kind(0x030d, "default-gateway", EMPTY); // RFC 7432
        kind(0x4300, "validation-state", OpaqueCommunities.VALIDATION_STATE);
        kind(0x0a02, "transport-class", number(32));
    }

    /** RFC 7432, Section 7; RFC 9135, 8214, 8317, 8584, 9047, 9251, 9722. */
    private static void evpn() {
        kind(0x0600, "mac-mobility", EvpnCommunities.MAC_MOBILITY);
        kind(0x0601, "esi-label", EvpnCommunities.ESI_LABEL);
        kind(0x0602, "es-import", MAC);
        kind(0x0603, "router-mac", MAC);
        kind(0x0604, "l2-attributes", EvpnCommunities.LAYER2_ATTRIBUTES);
        kind(0x0605, "e-tree", EvpnCommunities.E_TREE);
        kind(0x0606, "df-election", EvpnCommunities.DF_ELECTION);
        kind(0x0607, "i-sid", number(24));
        kind(0x0608, "arp-nd", EvpnCommunities.ARP_ND);
        kind(0x0609, "multicast-flags", EvpnCommunities.MULTICAST_FLAGS);
        kind(0x060a, "evi-rt", AS2_NUMBER);
        kind(0x060b, "evi-rt", IPV4_NUMBER);
        kind(0x060c, "evi-rt", AS4_NUMBER);
    }

    /** RFC 8955, Section 7; VPLS RFC 4761. */
    private static void flowSpec() {
        kind(0x8006, "traffic-rate", AS2_RATE);
        kind(0x800c, "traffic-rate-packets", AS2_RATE);
        kind(0x8007, "traffic-action", FlowSpecCommunities.ACTION);
        kind(0x8008, "redirect", AS2_NUMBER);
        kind(0x8108, "redirect", IPV4_NUMBER);
        kind(0x8208, "redirect", AS4_NUMBER);
        kind(0x8009, "traffic-marking", number(6));
        kind(0x0800, "redirect-to-next-hop", FlowSpecCommunities.NEXT_HOP);
        kind(0x010c, "redirect-to-ip", FlowSpecCommunities.ADDRESS);
        kind(0x800a, "l2-info", FlowSpecCommunities.LAYER2_INFO);
    }

    /** Adds the three forms of a community: two-octet AS number, IPv4 address and four-octet AS number. */
    private static void administrators(String name, int subType) {
        kind(subType, name, AS2_NUMBER);
        kind(0x0100 | subType, name, IPV4_NUMBER);
        kind(0x0200 | subType, name, AS4_NUMBER);
    }

    private static void kind(int code, String name, CommunityText text) {
        BY_CODE.put(code, new ExtendedCommunityKind(code, name, text));
    }

    /** Returns the row of a type and sub-type; null if it has no name. */
    static @Nullable ExtendedCommunityKind of(int code) {
        return BY_CODE.get(code);
    }

    static List<String> names() {
        return BY_CODE.values().stream()
                .map(ExtendedCommunityKind::name)
                .distinct()
                .sorted()
                .toList();
    }
}
