package dev.silkroute.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.silkroute.bgp.attribute.NextHop;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Formats the attributes of a route as one line, so that expected, decoded and stored routes can be compared. The
 * columns are those of {@link #COLUMNS}; null is {@code -}, lists are joined with commas, and JSON has its keys sorted.
 */
public final class RouteRow {
    /** The columns as expressions on {@code v_rib}. */
    public static final String COLUMNS =
            "array_to_string(labels, ','), host(next_hop), origin, as_path, origin_asn, med,"
                    + " local_pref, array_to_string(communities, ','), array_to_string(large_communities, ','),"
                    + " array_to_string(ext_communities, ','), attributes";

    private static final ObjectMapper JSON =
            new ObjectMapper().configure(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS, true);

    private RouteRow() {}

    public static String of(ExpectedRoute route) {
        try {
            return row(
                    route.labels(),
                    route.nextHop(),
                    route.origin(),
                    route.asPath(),
                    route.originAsn(),
                    route.med(),
                    route.localPref(),
                    route.communities(),
                    route.largeCommunities(),
                    route.extCommunities(),
                    JSON.writeValueAsString(route.attributes()));
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    static String of(NlriReader nlri, PathAttributes set) {
        NextHop nextHop = set.nextHop();
        List<Integer> labels = new ArrayList<>();
        for (int i = 0; i < nlri.labelCount(); i++) {
            labels.add(nlri.label(i));
        }
        return row(
                labels,
                nextHop == null ? null : nextHop.text(),
                set.origin() == null ? null : set.origin().text(),
                set.asPath() == null ? null : set.asPath().text(),
                set.asPath() == null ? null : number(set.asPath().originAsn()),
                number(set.med()),
                number(set.localPref()),
                set.communities(),
                set.largeCommunities(),
                set.extendedCommunities(),
                sorted(set.toJson()));
    }

    private static @Nullable Long number(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }

    private static String row(@Nullable Object... values) {
        return Arrays.stream(values)
                .map(value -> value instanceof List<?> list
                        ? list.stream().map(Object::toString).collect(Collectors.joining(","))
                        : value)
                .map(value -> value == null || value.equals("") ? "-" : value.toString())
                .collect(Collectors.joining("|"));
    }

    /** Converts a line of the {@code sql} command that ends with {@link #COLUMNS} to the format of this class. */
    public static String stored(String line) {
        int json = line.indexOf("|{\"") + 1;
        return line.substring(0, json).replace("||", "|-|").replace("||", "|-|") + sorted(line.substring(json));
    }

    private static String sorted(String json) {
        try {
            return JSON.writeValueAsString(JSON.readValue(json, Object.class));
        } catch (JsonProcessingException e) {
            throw new AssertionError(json, e);
        }
    }
}
