package dev.silkroute.load;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A route that a station should hold, by the columns of {@code v_rib}. An empty list stands for SQL's null.
 *
 * @param pathId the path identifier, or −1 without ADD-PATH
 * @param originAsn null for an empty path and for one that ends in a set
 * @param attributes the JSON object of the column of that name: strings, numbers, booleans, lists and maps
 */
public record ExpectedRoute(
        String nlri,
        int pathId,
        List<Integer> labels,
        @Nullable Long originAsn,
        Map<String, @Nullable Object> attributes) {
    private static final int NO_PATH_ID = -1;

    /** @param malformation of the message that announced the route */
    static ExpectedRoute of(LoadRib rib, int slot, GeneratedAttributes drawn, @Nullable Malformation malformation) {
        int prefix = rib.prefix(slot);
        return new ExpectedRoute(
                ExpectedNlri.text(rib.nlris(), prefix),
                rib.profile().addPath() ? rib.pathId(slot) : NO_PATH_ID,
                ExpectedNlri.labels(rib.nlris(), prefix),
                ExpectedAttributes.originAsn(drawn),
                ExpectedAttributes.of(rib.peer(), rib.family(), drawn, malformation));
    }

    public @Nullable String nextHop() {
        return (String) attributes.get("next_hop");
    }

    public String origin() {
        return String.valueOf(attributes.get("origin"));
    }

    public String asPath() {
        return String.valueOf(attributes.get("as_path"));
    }

    public @Nullable Long med() {
        return (Long) attributes.get("med");
    }

    public @Nullable Long localPref() {
        return (Long) attributes.get("local_pref");
    }

    public List<String> communities() {
        return strings("communities");
    }

    public List<String> largeCommunities() {
        return strings("large_communities");
    }

    public List<String> extCommunities() {
        return strings("ext_communities");
    }

    @SuppressWarnings("unchecked") // as ExpectedAttributes puts them there
    private List<String> strings(String key) {
        return (List<String>) attributes.getOrDefault(key, List.of());
    }
}
