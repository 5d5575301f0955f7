package dev.silkroute.component.rib;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.query.RouteFields;
import dev.silkroute.rib.query.RoutePredicate;
import dev.silkroute.rib.query.RouteQuery;
import dev.silkroute.rib.query.RouteStream;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.jspecify.annotations.Nullable;

/**
 * Finds the routes that meet all conditions of a map, in the order of prefixes. The names and meanings are those of
 * {@code /api/v1/routes}.
 */
final class Find implements Processor {
    private static final String PREFIX = "prefix";
    private static final String MATCH = "match";
    private static final String LIMIT = "limit";

    /** Conditions by name, but for {@value #PREFIX}, whose meaning depends on {@value #MATCH}. */
    private static final Map<String, Function<String, RoutePredicate>> CONDITIONS = new TreeMap<>(Map.of(
            "router",
            RouteFields.ROUTER::equal,
            "peer",
            address -> RouteFields.PEER_ADDRESS.equal(Addresses.canonical(address)),
            "view",
            view -> RouteFields.VIEW.equal(RibView.of(view)),
            "family",
            family -> RouteFields.FAMILY.equal(Family.of(family)),
            "rd",
            RouteFields.RD::equal,
            "next_hop",
            RouteFields.NEXT_HOP::equal,
            "origin_asn",
            asn -> RouteFields.ORIGIN_AS.equal(asn(asn)),
            "as_path_contains",
            asn -> RouteFields.AS_PATH.contains(asn(asn)),
            "community",
            RouteFields.COMMUNITY::contains,
            "large_community",
            RouteFields.LARGE_COMMUNITY::contains));

    private static final Map<String, Function<String, RoutePredicate>> MATCHES = new TreeMap<>(Map.of(
            "exact", RouteFields.PREFIX::equal,
            "longest", RouteFields.PREFIX::longestMatch,
            "covering", RouteFields.PREFIX::covers,
            "covered", RouteFields.PREFIX::coveredBy));

    private final RouteQuery query;
    private final RibState state;
    private final @Nullable RibView view;
    private final int limit;

    /**
     * @param view the view that routes are restricted to, or null
     * @param limit the maximum number of routes
     */
    Find(Rib rib, @Nullable RibView view, @Nullable RibOffsets offsets, int limit) {
        query = new RouteQuery(rib);
        state = new RibState(rib, offsets);
        this.view = view;
        this.limit = limit;
    }

    @Override
    public void process(Exchange exchange) {
        OptionalLong lastUpdated = state.requireReady();
        Message message = exchange.getMessage();
        Map<String, String> conditions = conditions(message.getBody());
        RouteStream routes = query.routes();
        if (view != null) {
            routes = routes.filter(RouteFields.VIEW.equal(view));
        }
        int most = limit;
        var match = of(MATCHES, MATCH, conditions.getOrDefault(MATCH, "exact"));
        for (Map.Entry<String, String> entry : conditions.entrySet()) {
            String name = entry.getKey();
            String value = entry.getValue();
            switch (name) {
                case LIMIT -> most = Math.min(limit, limit(value));
                case MATCH -> {}
                case PREFIX -> routes = routes.filter(condition(name, value, match));
                default -> routes = routes.filter(condition(name, value, of(CONDITIONS, "condition", name)));
            }
        }
        message.setBody(routes.sortedByPrefix().limit(most).toList());
        state.describe(message, lastUpdated);
    }

    private static Map<String, String> conditions(Object body) {
        if (!(body instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("the body must be a map of conditions, such as {origin_asn: 64500}");
        }
        Map<String, String> conditions = new TreeMap<>();
        map.forEach((name, value) -> conditions.put(String.valueOf(name), String.valueOf(value)));
        return conditions;
    }

    private static RoutePredicate condition(String name, String value, Function<String, RoutePredicate> of) {
        try {
            return of.apply(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
    }

    private static Function<String, RoutePredicate> of(
            Map<String, Function<String, RoutePredicate>> all, String name, String value) {
        Function<String, RoutePredicate> of = all.get(value);
        if (of == null) {
            throw new IllegalArgumentException(
                    name + " must be one of " + String.join(", ", all.keySet()) + ", not '" + value + "'");
        }
        return of;
    }

    private static int limit(String text) {
        int limit;
        try {
            limit = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(LIMIT + " must be a number, not '" + text + "'", e);
        }
        if (limit < 0) {
            throw new IllegalArgumentException(LIMIT + " must not be negative: " + text);
        }
        return limit;
    }

    private static long asn(String text) {
        long asn = Long.parseLong(text);
        if (asn < 0 || asn > 0xFFFF_FFFFL) {
            throw new IllegalArgumentException("an AS number is between 0 and 4294967295, not " + text);
        }
        return asn;
    }
}
