package dev.silkroute.component.rib;

import static java.util.Comparator.comparingInt;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.RibRoute;
import dev.silkroute.rib.query.RouteFields;
import dev.silkroute.rib.query.RoutePredicate;
import dev.silkroute.rib.query.RouteQuery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.jspecify.annotations.Nullable;

/**
 * Answers what the database function {@code lookup} answers: for each peer and view the unicast and labelled routes
 * with the longest prefix that covers an address, or the whole of a prefix. The body is an address or prefix, or a
 * collection of them; it becomes a list of {@link RibRoute}, or a list of such lists.
 */
final class Lookup implements Processor {
    private static final RoutePredicate UNICAST4 =
            RouteFields.FAMILY.in(Family.IPV4_UNICAST, Family.IPV4_LABELED_UNICAST);
    private static final RoutePredicate UNICAST6 =
            RouteFields.FAMILY.in(Family.IPV6_UNICAST, Family.IPV6_LABELED_UNICAST);

    private final RouteQuery query;
    private final RibState state;
    private final @Nullable RibView view;

    /** @param view the view that routes are restricted to, or null */
    Lookup(Rib rib, @Nullable RibView view, @Nullable RibOffsets offsets) {
        query = new RouteQuery(rib);
        state = new RibState(rib, offsets);
        this.view = view;
    }

    private record PeerAndView(RibPeer peer, RibView view) {}

    @Override
    public void process(Exchange exchange) {
        OptionalLong lastUpdated = state.requireReady();
        Message message = exchange.getMessage();
        if (message.getBody() instanceof Collection<?> addresses) {
            List<List<RibRoute>> answers = new ArrayList<>(addresses.size());
            for (Object address : addresses) {
                answers.add(find(IpPrefix.parse(String.valueOf(address))));
            }
            message.setBody(answers);
        } else {
            message.setBody(find(IpPrefix.parse(String.valueOf(message.getBody(String.class)))));
        }
        state.describe(message, lastUpdated);
    }

    private List<RibRoute> find(IpPrefix prefix) {
        RoutePredicate condition = RouteFields.PREFIX.covers(prefix).and(prefix.ipv6() ? UNICAST6 : UNICAST4);
        if (view != null) {
            condition = condition.and(RouteFields.VIEW.equal(view));
        }
        List<RibRoute> routes = new ArrayList<>(query.routes().filter(condition).toList());
        routes.sort(comparingInt(RibRoute::prefixLength).reversed().thenComparingInt(RibRoute::family));
        Map<PeerAndView, Integer> longest = new HashMap<>();
        routes.removeIf(route -> route.prefixLength()
                < longest.computeIfAbsent(new PeerAndView(route.peer(), route.view()), _ -> route.prefixLength()));
        return routes;
    }
}
