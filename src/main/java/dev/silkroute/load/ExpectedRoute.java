package dev.silkroute.load;

import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A route that a station should hold, by the columns of {@code v_rib}; an empty list stands for null there. Made from what was drawn, not
 * from the bytes, so that it tells when encoder and decoder are wrong together.
 *
 * @param pathId {@link ExpectedRib#NO_PATH_ID} without ADD-PATH
 * @param attributes the JSON object of the column of that name: texts, numbers, booleans, lists and maps
 */
public record ExpectedRoute(
        String nlri,
        int pathId,
        List<Integer> labels,
        @Nullable String nextHop,
        String origin,
        String asPath,
        @Nullable Long originAsn,
        @Nullable Long med,
        @Nullable Long localPref,
        List<String> communities,
        List<String> largeCommunities,
        List<String> extCommunities,
        Map<String, @Nullable Object> attributes) {

    /** @param fault of the message that brought the route */
    static ExpectedRoute of(
            String nlri,
            int pathId,
            List<Integer> labels,
            LoadPeer peer,
            int family,
            RouteAttributes drawn,
            @Nullable Malformation fault) {
        Map<String, @Nullable Object> attributes =
                describe(peer, family, drawn, fault == null ? UpdateWriter.NOTHING : fault.omitted());
        if (fault == Malformation.UNRECOGNIZED_WELL_KNOWN) {
            unrecognized(attributes);
        }
        return new ExpectedRoute(
                nlri,
                pathId,
                labels,
                (String) attributes.get("next_hop"),
                drawn.origin.text(),
                drawn.path.text(),
                drawn.path.originAsn(),
                (Long) attributes.get("med"),
                (Long) attributes.get("local_pref"),
                texts(attributes, "communities"),
                texts(attributes, "large_communities"),
                texts(attributes, "ext_communities"),
                attributes);
    }

    @SuppressWarnings("unchecked") // as describe() puts them there
    private static List<String> texts(Map<String, @Nullable Object> attributes, String key) {
        return (List<String>) attributes.getOrDefault(key, List.of());
    }

    /** In front of a type that is higher, and seldom there. */
    private static void unrecognized(Map<String, @Nullable Object> attributes) {
        List<Object> unknown = new ArrayList<>();
        unknown.add(Map.of("type", 254, "flags", 0x50, "value", "07"));
        if (attributes.get("unknown") instanceof List<?> more) {
            unknown.addAll(more);
        }
        attributes.put("unknown", unknown);
    }

    private static Map<String, @Nullable Object> describe(
            LoadPeer peer, int family, RouteAttributes drawn, int omitted) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("origin", drawn.origin.text());
        all.put("as_path", drawn.path.text());
        if (!UpdateWriter.classic(peer, family)) {
            all.put("family", Family.text(family));
        }
        if (omitted != AttributeCode.NEXT_HOP) {
            drawn.nextHop.describe(all);
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
        boolean aggregator = drawn.aggregatorAsn != 0 && omitted != AttributeCode.AGGREGATOR;
        Map<String, Object> aggregatedBy = Map.of(
                "asn", Integer.toUnsignedLong(drawn.aggregatorAsn), "address", Addresses.ipv4(drawn.aggregatorAddress));
        if (aggregator) {
            all.put("aggregator", aggregatedBy);
        }
        if (!peer.fourOctetAs() && drawn.path.wide()) {
            all.put("as4_path", drawn.path.text());
        }
        if (!peer.fourOctetAs() && aggregator && RoutePath.wide(drawn.aggregatorAsn)) {
            all.put("as4_aggregator", aggregatedBy);
        }
        describeLists(drawn, all);
        List<Object> partial = new ArrayList<>();
        for (RareAttribute rare : drawn.rare) {
            if (omitted != rare.type()) {
                all.put(rare.key(), rare.described());
                if (rare.partial()) {
                    partial.add(rare.type());
                }
            }
        }
        if (!partial.isEmpty()) {
            all.put("partial", partial);
        }
        return all;
    }

    private static void describeLists(RouteAttributes drawn, Map<String, @Nullable Object> all) {
        put(
                all,
                "communities",
                Arrays.stream(drawn.communities, 0, drawn.communityCount)
                        .mapToObj(each -> (each >>> 16) + ":" + (each & 0xFFFF))
                        .toList());
        if (drawn.originatorId != 0) {
            all.put("originator_id", Addresses.ipv4(drawn.originatorId));
        }
        put(
                all,
                "cluster_list",
                Arrays.stream(drawn.clusters).mapToObj(Addresses::ipv4).toList());
        put(
                all,
                "ext_communities",
                drawn.extended.stream().map(ExtendedChoice.Choice::text).toList());
        put(
                all,
                "ipv6_ext_communities",
                drawn.ipv6Extended.stream().map(ExtendedChoice.Ipv6Choice::text).toList());
        List<String> large = new ArrayList<>();
        for (int i = 0; i < drawn.largeCount; i += 3) {
            large.add(Integer.toUnsignedString(drawn.largeParts[i]) + ":" + drawn.largeParts[i + 1] + ":"
                    + drawn.largeParts[i + 2]);
        }
        put(all, "large_communities", large);
    }

    private static void put(Map<String, @Nullable Object> all, String key, List<String> texts) {
        if (!texts.isEmpty()) {
            all.put(key, texts);
        }
    }
}
