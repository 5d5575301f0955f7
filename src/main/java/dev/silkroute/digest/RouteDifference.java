package dev.silkroute.digest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The hashes of a route that differs between two copies of a table.
 *
 * @param key the hash of the route's key
 * @param here the hash of the route in one copy, 0 if that does not have it
 * @param there the hash of the route in the other copy, 0 if that does not have it
 */
public record RouteDifference(long key, long here, long there) {
    /**
     * A route of one copy that the other does not have in the same form.
     *
     * @param isHere whether it is in the copy that {@link #here} is about
     */
    record Side(long key, long route, boolean isHere) {}

    /** Joins the two sides of routes that are in both copies. */
    static List<RouteDifference> join(List<Side> sides) {
        Map<Long, RouteDifference> byKey = new LinkedHashMap<>();
        for (Side side : sides) {
            RouteDifference before = byKey.getOrDefault(side.key, new RouteDifference(side.key, 0, 0));
            byKey.put(
                    side.key,
                    side.isHere
                            ? new RouteDifference(side.key, side.route, before.there)
                            : new RouteDifference(side.key, before.here, side.route));
        }
        return new ArrayList<>(byKey.values());
    }
}
