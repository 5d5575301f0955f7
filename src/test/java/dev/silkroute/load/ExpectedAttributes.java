package dev.silkroute.load;

import dev.silkroute.bgp.attribute.AsPath.Segment;
import dev.silkroute.bgp.attribute.AsPath.SegmentType;
import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The column {@code attributes} of generated routes, computed without the product's attribute code. */
final class ExpectedAttributes {
    private ExpectedAttributes() {}

    /** @param malformation of the message that announced the route */
    static Map<String, @Nullable Object> of(
            LoadPeer peer, int family, GeneratedAttributes drawn, @Nullable Malformation malformation) {
        int omitted = malformation == null ? GeneratedAttributes.NOTHING : malformation.omitted();
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("origin", drawn.origin.text());
        all.put("as_path", asPath(drawn.path));
        if (!UpdateWriter.usesNlriField(peer, family)) {
            all.put("family", Family.text(family));
        }
        if (omitted != AttributeCode.NEXT_HOP) {
            nextHop(drawn.nextHop, all);
        }
        if (drawn.med >= 0) {
            all.put("med", (long) drawn.med);
        }
        if (drawn.localPref >= 0) {
            all.put("local_pref", (long) drawn.localPref);
        }
        if (drawn.atomicAggregate && omitted != AttributeCode.ATOMIC_AGGREGATE) {
            all.put("atomic_aggregate", true);
        }
        boolean hasAggregator = drawn.aggregatorAsn != 0 && omitted != AttributeCode.AGGREGATOR;
        Map<String, Object> aggregator = Map.of(
                "asn", Integer.toUnsignedLong(drawn.aggregatorAsn), "address", Addresses.ipv4(drawn.aggregatorAddress));
        if (hasAggregator) {
            all.put("aggregator", aggregator);
        }
        if (!peer.fourOctetAs() && drawn.path.needsFourOctets()) {
            all.put("as4_path", asPath(drawn.path));
        }
        if (!peer.fourOctetAs() && hasAggregator && GeneratedAsPath.needsFourOctets(drawn.aggregatorAsn)) {
            all.put("as4_aggregator", aggregator);
        }
        lists(drawn, all);
        List<Object> partial = new ArrayList<>();
        for (RareAttribute attribute : drawn.rare) {
            if (omitted != attribute.type()) {
                rare(attribute, all);
                if ((attribute.flags() & AttributeCode.FLAG_PARTIAL) != 0) {
                    partial.add(attribute.type());
                }
            }
        }
        if (!partial.isEmpty()) {
            all.put("partial", partial);
        }
        if (malformation == Malformation.UNRECOGNIZED_WELL_KNOWN) {
            unrecognized(all);
        }
        return all;
    }

    /** Unrecognized attributes are in the order of their types: 254 before 255. */
    private static void unrecognized(Map<String, @Nullable Object> attributes) {
        List<Object> unknown = new ArrayList<>();
        unknown.add(Map.of("type", 254, "flags", 0x50, "value", "07"));
        if (attributes.get("unknown") instanceof List<?> more) {
            unknown.addAll(more);
        }
        attributes.put("unknown", unknown);
    }

    private static String asPath(GeneratedAsPath path) {
        return path.segments().stream()
                .map(segment -> switch (segment.type()) {
                    case SET -> join(segment, ",", "{", "}");
                    case CONFED_SEQUENCE -> join(segment, " ", "(", ")");
                    default -> join(segment, " ", "", "");
                })
                .collect(Collectors.joining(" "));
    }

    private static String join(Segment segment, String delimiter, String prefix, String suffix) {
        return segment.asns().stream().map(Object::toString).collect(Collectors.joining(delimiter, prefix, suffix));
    }

    /** Returns the last AS number of the path, or null if it is empty or ends in a set. */
    static @Nullable Long originAsn(GeneratedAttributes drawn) {
        List<Segment> segments = drawn.path.segments();
        if (segments.isEmpty() || segments.getLast().type() != SegmentType.SEQUENCE) {
            return null;
        }
        return segments.getLast().asns().getLast();
    }

    private static void nextHop(GeneratedNextHop nextHop, Map<String, @Nullable Object> all) {
        int address = nextHop.address();
        all.put(
                "next_hop",
                switch (nextHop.form()) {
                    case NONE -> null;
                    case IPV4 -> Addresses.ipv4(address);
                    case IPV6, IPV6_LINK_LOCAL -> Addresses.ipv6(LoadPeer.SITE, address);
                });
        if (nextHop.form() == GeneratedNextHop.Form.IPV6_LINK_LOCAL) {
            all.put("next_hop_link_local", Addresses.ipv6(GeneratedNextHop.LINK_LOCAL, address));
        }
        if (nextHop.hasDistinguisher()) {
            String bytes = nextHop.form() == GeneratedNextHop.Form.IPV6
                    ? "%016x%016x".formatted(LoadPeer.SITE, address)
                    : "%08x".formatted(address);
            all.put("next_hop_raw", "0".repeat(16) + bytes);
        }
    }

    private static void lists(GeneratedAttributes drawn, Map<String, @Nullable Object> all) {
        putUnlessEmpty(
                "communities",
                Arrays.stream(drawn.communities, 0, drawn.communityCount)
                        .mapToObj(each -> (each >>> 16) + ":" + (each & 0xFFFF))
                        .toList(),
                all);
        if (drawn.originatorId != 0) {
            all.put("originator_id", Addresses.ipv4(drawn.originatorId));
        }
        putUnlessEmpty(
                "cluster_list",
                Arrays.stream(drawn.clusters).mapToObj(Addresses::ipv4).toList(),
                all);
        putUnlessEmpty(
                "ext_communities",
                drawn.extended.stream()
                        .map(ExtendedCommunityChoices.Choice::text)
                        .toList(),
                all);
        putUnlessEmpty(
                "ipv6_ext_communities",
                drawn.ipv6Extended.stream()
                        .map(ExtendedCommunityChoices.Ipv6Choice::text)
                        .toList(),
                all);
        List<String> large = new ArrayList<>();
        for (int i = 0; i < drawn.largeCount; i += 3) {
            large.add(Integer.toUnsignedString(drawn.largeParts[i]) + ":" + drawn.largeParts[i + 1] + ":"
                    + drawn.largeParts[i + 2]);
        }
        putUnlessEmpty("large_communities", large, all);
    }

    private static void putUnlessEmpty(String key, List<String> values, Map<String, @Nullable Object> all) {
        if (!values.isEmpty()) {
            all.put(key, values);
        }
    }

    private static void rare(RareAttribute attribute, Map<String, @Nullable Object> all) {
        switch (attribute) {
            case RareAttribute.Aigp(long metric) ->
                all.put(
                        "aigp",
                        List.of(Map.of(
                                "type", 1, "name", "aigp", "value", "%016x".formatted(metric), "metric", metric)));
            case RareAttribute.OnlyToCustomer(int asn) -> all.put("otc", Integer.toUnsignedLong(asn));
            case RareAttribute.LabelIndex label ->
                all.put(
                        "prefix_sid",
                        List.of(Map.of(
                                "type",
                                1,
                                "name",
                                "label-index",
                                "value",
                                hex(label.tlv()),
                                "flags",
                                0,
                                "label_index",
                                label.index())));
            case RareAttribute.Srv6Service service -> all.put("prefix_sid", List.of(srv6(service)));
            case RareAttribute.VxlanTunnel tunnel -> all.put("tunnel_encapsulation", List.of(vxlan(tunnel)));
            case RareAttribute.IngressReplication tunnel -> all.put("pmsi_tunnel", pmsi(tunnel));
            case RareAttribute.CustomerAttributes customer ->
                all.put(
                        "attr_set",
                        Map.of(
                                "origin_asn",
                                Integer.toUnsignedLong(customer.originAsn()),
                                "value",
                                hex(customer.attributes()),
                                "attributes",
                                Map.of(
                                        "origin",
                                        "igp",
                                        "as_path",
                                        Integer.toUnsignedString(customer.asn()),
                                        "med",
                                        Integer.toUnsignedLong(customer.med()))));
            case RareAttribute.Unknown unknown ->
                all.put(
                        "unknown",
                        List.of(Map.of(
                                "type",
                                unknown.type(),
                                "flags",
                                unknown.flags() | AttributeCode.FLAG_EXTENDED_LENGTH,
                                "value",
                                "%08x".formatted(unknown.content()))));
        }
    }

    private static Map<String, Object> srv6(RareAttribute.Srv6Service service) {
        Map<String, Object> structure = new LinkedHashMap<>(Map.of("type", 1, "name", "srv6-sid-structure"));
        structure.putAll(Map.of("locator_block_length", 48, "locator_node_length", 16, "function_length", 16));
        structure.putAll(Map.of("argument_length", 0, "transposition_length", 0, "transposition_offset", 0));
        Map<String, Object> information = new LinkedHashMap<>(Map.of("type", 1, "name", "srv6-sid-information"));
        information.put("sid", Addresses.ipv6(RareAttribute.Srv6Service.LOCATOR, service.sidLow()));
        information.put("flags", 0);
        information.put("behavior", service.behavior());
        information.put("behavior_name", service.isIpv6() ? "End.DT6" : "End.DT4");
        information.put("sub_tlvs", List.of(structure));
        return Map.of(
                "type",
                5,
                "name",
                "srv6-l3-service",
                "value",
                hex(service.service()),
                "sub_tlvs",
                List.of(information));
    }

    private static Map<String, Object> vxlan(RareAttribute.VxlanTunnel tunnel) {
        Map<String, Object> encapsulation = Map.of(
                "type", 1, "name", "encapsulation", "flags", RareAttribute.VxlanTunnel.VNI_VALID, "vni", tunnel.vni());
        Map<String, Object> egress = Map.of(
                "type", 6, "name", "tunnel-egress-endpoint", "afi", 1, "address", Addresses.ipv4(tunnel.endpoint()));
        return Map.of(
                "type",
                RareAttribute.VxlanTunnel.VXLAN,
                "name",
                "vxlan",
                "value",
                hex(tunnel.subTlvs()),
                "sub_tlvs",
                List.of(encapsulation, egress));
    }

    private static Map<String, Object> pmsi(RareAttribute.IngressReplication tunnel) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("flags", 0);
        all.put("leaf_information_required", false);
        all.put("tunnel_type", RareAttribute.IngressReplication.TUNNEL_TYPE);
        all.put("tunnel_type_name", "ingress-replication");
        all.put("label", tunnel.vni() >>> 4);
        all.put("label_raw", "%06x".formatted(tunnel.vni()));
        all.put("identifier", "%08x".formatted(tunnel.endpoint()));
        all.put("endpoint", Addresses.ipv4(tunnel.endpoint()));
        return all;
    }

    private static String hex(ByteSink bytes) {
        return Bytes.of(bytes.toByteArray()).hex();
    }
}
