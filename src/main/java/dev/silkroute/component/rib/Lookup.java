package dev.silkroute.component.rib;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.RibReader;
import dev.silkroute.rib.RibRoute;
import dev.silkroute.rib.RouteCondition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.jspecify.annotations.Nullable;

/**
 * Finds what {@code lookup} of the database finds: of each peer and view the routes, unicast or labelled, with the longest prefix that covers an
 * address, or the whole of a prefix. The body is an address or prefix, or a collection of them; it becomes a list of routes, or a list of such lists.
 */
final class Lookup implements Processor {
    private final Rib rib;
    private final RouteCondition condition;
    private final RibPlaces places;

    Lookup(Rib rib, RouteCondition condition, @Nullable RibPlaces places) {
        this.rib = rib;
        this.condition = condition;
        this.places = places == null ? RibPlaces.NONE : places;
    }

    /** Whose longest prefix is asked for. */
    private record Teller(RibPeer peer, RibView view) {}

    @Override
    public void process(Exchange exchange) {
        if (!places.ready()) {
            throw new RibNotReady();
        }
        Message message = exchange.getMessage();
        Object body = message.getBody();
        RibReader reader = rib.borrowReader();
        try {
            if (body instanceof Collection<?> addresses) {
                List<List<RibRoute>> answers = new ArrayList<>(addresses.size());
                for (Object address : addresses) {
                    answers.add(find(reader, IpPrefix.parse(String.valueOf(address))));
                }
                message.setBody(answers);
            } else {
                message.setBody(find(reader, IpPrefix.parse(String.valueOf(message.getBody(String.class)))));
            }
        } finally {
            rib.release(reader);
        }
    }

    private List<RibRoute> find(RibReader reader, IpPrefix prefix) {
        int unicast = prefix.ipv6() ? Family.IPV6_UNICAST : Family.IPV4_UNICAST;
        int labelled = prefix.ipv6() ? Family.IPV6_LABELED_UNICAST : Family.IPV4_LABELED_UNICAST; // RFC 8277
        List<RibRoute> found = new ArrayList<>();
        Map<Teller, Integer> lengths = new HashMap<>();
        try (RibReader.Section section = reader.enter()) {
            int longest = Math.max(
                    reader.longestPrefix(unicast, 0, prefix.high(), prefix.low()),
                    reader.longestPrefix(labelled, 0, prefix.high(), prefix.low()));
            for (int length = Math.min(longest, prefix.length()); length >= 0; length--) {
                int of = length;
                for (int family : new int[] {unicast, labelled}) {
                    reader.routesOf(family, 0, prefix.high(), prefix.low(), length, route -> {
                        if (condition.test(route)
                                && lengths.computeIfAbsent(new Teller(route.peer(), route.view()), teller -> of)
                                        == of) {
                            found.add(route.toRoute());
                        }
                    });
                }
            }
        }
        return found;
    }
}
