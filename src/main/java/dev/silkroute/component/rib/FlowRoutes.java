package dev.silkroute.component.rib;

import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.NextHop;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibReader;
import dev.silkroute.rib.RouteCondition;
import dev.silkroute.rib.RouteView;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route that a flow's exporter is likely to have used. Of the routes, unicast or labelled, with the longest prefix that covers the address, in
 * this order: the exporter's own with the next hop that it says it used, another's with that next hop, the exporter's own, that of the newest session. What
 * is equal in this is told apart by names and numbers, so that every station says the same of a flow.
 */
final class FlowRoutes {
    private static final int EXPORTER = 1;
    private static final int NEXT_HOP = 2;

    private final Rib rib;
    private final RouteCondition condition;
    private final RibConfiguration fields;

    FlowRoutes(Rib rib, RouteCondition condition, RibConfiguration fields) {
        this.rib = rib;
        this.condition = condition;
        this.fields = fields;
    }

    /** Adds {@code src_…} and {@code dst_…} fields to each flow; nothing where there is no route. */
    void enrich(List<Map<String, Object>> flows) {
        RibReader reader = rib.borrowReader();
        Choice choice = new Choice(reader, condition);
        try (RibReader.Section section = reader.enter()) {
            for (Map<String, Object> flow : flows) {
                String exporter = text(flow, fields.getExporter());
                IpAddress source = address(flow, fields.getSource());
                if (source != null && choice.find(source, exporter, null)) {
                    put(flow, "src_", choice.attributes, choice);
                }
                IpAddress destination = address(flow, fields.getDestination());
                if (destination != null && choice.find(destination, exporter, address(flow, fields.getNextHop()))) {
                    put(flow, "dst_", choice.attributes, choice);
                }
            }
        } finally {
            rib.release(reader);
        }
    }

    /** Why a record can't be enriched as it should: an address that is none; null if nothing is wrong. */
    @Nullable
    String wrong(Map<String, Object> flow) {
        String source = wrong(flow, fields.getSource());
        return source != null ? source : wrong(flow, fields.getDestination());
    }

    private static @Nullable String wrong(Map<String, Object> flow, String field) {
        Object value = flow.get(field);
        if (value == null || value.equals("")) {
            return null;
        }
        if (!(value instanceof String text)) {
            return field + " is no text";
        }
        try {
            IpAddress.parse(text);
            return null;
        } catch (IllegalArgumentException e) {
            return field + ": " + reason(text);
        }
    }

    /** With the place, which reading on the fast way doesn't say. */
    private static String reason(String text) {
        try {
            IpPrefix.parse(text);
            return "'" + text + "' is no address";
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static @Nullable String text(Map<String, Object> flow, String field) {
        return flow.get(field) instanceof String text && !text.isEmpty() ? text : null;
    }

    private static @Nullable IpAddress address(Map<String, Object> flow, String field) {
        return address(text(flow, field));
    }

    private static @Nullable IpAddress address(@Nullable String text) {
        try {
            return text == null ? null : IpAddress.parse(text);
        } catch (IllegalArgumentException e) {
            return null; // no address: nothing to be found for it
        }
    }

    private static @Nullable String canonical(@Nullable String text) {
        IpAddress address = address(text);
        return address == null ? null : address.text();
    }

    private static void put(Map<String, Object> flow, String side, PathAttributes attributes, Choice choice) {
        flow.put(side + "prefix", choice.prefix);
        flow.put(side + "router", choice.router);
        flow.put(side + "peer", choice.peer);
        AsPath path = attributes.asPath();
        if (path != null) {
            path.originAsn().ifPresent(asn -> flow.put(side + "as", asn));
            flow.put(side + "as_path", path.text());
        }
        flow.put(side + "communities", attributes.communities());
        flow.put(side + "large_communities", attributes.largeCommunities());
        NextHop nextHop = attributes.nextHop();
        if (nextHop != null) {
            flow.put(side + "next_hop", nextHop.text());
        }
    }

    /** The best of the routes of one prefix, one lookup after the other. */
    private static final class Choice {
        private final RibReader reader;
        private final RouteCondition condition;
        private final RouteView unicast = new RouteView();
        private final RouteView labelled = new RouteView();
        private final Consumer<RouteView> considered = this::consider;

        private @Nullable String exporter;
        /** The exporter as routers are named, however its address is spelt; null where it is no address. */
        private @Nullable String exporterAddress;

        private @Nullable IpAddress nextHop;
        private FlowCandidate best = FlowCandidate.NONE;
        private String prefix = "";
        private String router = "";
        private String peer = "";
        private PathAttributes attributes = PathAttributes.decode(new byte[0], 0, 0);

        Choice(RibReader reader, RouteCondition condition) {
            this.reader = reader;
            this.condition = condition;
        }

        boolean find(IpAddress address, @Nullable String of, @Nullable IpAddress via) {
            int length = length(address, address.unicast(), unicast);
            int labelledLength = length(address, address.labelled(), labelled);
            if (length < 0 && labelledLength < 0) {
                return false;
            }
            if (!Objects.equals(of, exporter)) {
                exporter = of;
                exporterAddress = canonical(of);
            }
            nextHop = via;
            RouteView longest = length >= labelledLength ? unicast : labelled;
            take(longest, FlowCandidate.of(longest, rank(longest)));
            if (length >= labelledLength) {
                considerAll(address, address.unicast(), length);
            }
            if (labelledLength >= length) {
                considerAll(address, address.labelled(), labelledLength);
            }
            return true;
        }

        /** The length of the longest prefix of a family that covers an address and has a route to be considered, -1 if there is none. */
        private int length(IpAddress address, int family, RouteView route) {
            boolean found = reader.longestMatch(family, 0, address.high(), address.low(), condition, route);
            return found ? route.prefixLength() : -1;
        }

        private void considerAll(IpAddress address, int family, int length) {
            reader.routesOf(family, 0, address.high(), address.low(), length, considered);
        }

        private void consider(RouteView route) {
            if (!condition.test(route)) {
                return;
            }
            int rank = rank(route);
            if (rank < best.rank()) {
                return; // most are, of a flow whose exporter is known: nothing is made for them
            }
            FlowCandidate candidate = FlowCandidate.of(route, rank);
            if (candidate.compareTo(best) < 0) {
                take(route, candidate);
            }
        }

        private int rank(RouteView route) {
            boolean own =
                    isExporter(route.routerAddress()) || isExporter(route.peer().router());
            IpAddress via = nextHop;
            boolean goesThere = via != null && (own || !via.isUnspecified()) && via.isNextHopOf(route);
            return (own ? EXPORTER : 0) + (goesThere ? NEXT_HOP : 0);
        }

        private boolean isExporter(String router) {
            return router.equals(exporter) || router.equals(exporterAddress);
        }

        private void take(RouteView route, FlowCandidate candidate) {
            best = candidate;
            prefix = Addresses.prefix(route.ipv6(), route.addressHigh(), route.addressLow(), route.prefixLength());
            router = route.peer().router();
            peer = route.peer().address();
            attributes = route.attributes();
        }
    }
}
