package dev.silkroute.component.rib;

import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.NextHop;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.names.AsNameSource;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibReader;
import dev.silkroute.rib.RouteCondition;
import dev.silkroute.rib.RouteView;
import dev.silkroute.rpki.RouteValidity;
import dev.silkroute.rpki.Validity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds to flow records the route that a flow's exporter has probably used. Candidates are the unicast and labelled
 * routes with the longest prefix that covers the address. The best one is, in this order: the exporter's own with the
 * next hop that the record contains, another router's with that next hop, the exporter's own, that of the newest
 * session. Remaining ties are broken by {@link FlowCandidate}'s order, so that every station chooses the same.
 *
 * <p>The longest prefixes of all addresses of an exchange are looked up in one batched call per family ({@link
 * RibReader#longestMatches}); then the routes of each prefix are compared. Thread-safe.
 */
final class FlowRoutes {
    private static final int EXPORTER = 1;
    private static final int NEXT_HOP = 2;

    private final Rib rib;
    private final RouteCondition condition;
    private final FlowField source;
    private final FlowField destination;
    private final FlowField exporter;
    private final FlowField nextHop;
    private final RouteValidity validity;
    private final AsNameSource names;

    FlowRoutes(Rib rib, RouteCondition condition, RibConfiguration configuration) {
        this.rib = rib;
        this.condition = condition;
        source = FlowField.of(configuration.getSource());
        destination = FlowField.of(configuration.getDestination());
        exporter = FlowField.of(configuration.getExporter());
        nextHop = FlowField.of(configuration.getNextHop());
        validity = Objects.requireNonNullElse(configuration.getValidity(), RouteValidity.NONE);
        names = Objects.requireNonNullElse(configuration.getNames(), AsNameSource.NONE);
    }

    /** Adds the fields {@code src_…} and {@code dst_…} to each flow; none where there is no route. */
    void enrich(List<Map<String, Object>> flows) {
        PrefixLengths lengths = new PrefixLengths(condition);
        List<Endpoint> endpoints = new ArrayList<>(2 * flows.size());
        for (Map<String, Object> flow : flows) {
            String router = exporter.textIn(flow);
            add(endpoints, lengths, flow, "src_", source, router, null);
            add(endpoints, lengths, flow, "dst_", destination, router, nextHop);
        }
        RibReader reader = rib.borrowReader();
        try (RibReader.Section section = reader.enter()) {
            lengths.find(reader);
            BestRoute best = new BestRoute(reader, condition);
            for (Endpoint endpoint : endpoints) {
                int unicast = lengths.unicast(endpoint);
                int labelled = lengths.labelled(endpoint);
                if ((unicast >= 0 || labelled >= 0) && best.find(endpoint, unicast, labelled)) {
                    add(best, endpoint);
                }
            }
        } finally {
            rib.release(reader);
        }
    }

    private static void add(
            List<Endpoint> endpoints,
            PrefixLengths lengths,
            Map<String, Object> flow,
            String side,
            FlowField field,
            @Nullable String exporter,
            @Nullable FlowField nextHopField) {
        IpAddress address = address(field.textIn(flow));
        if (address != null) {
            IpAddress nextHop = nextHopField == null ? null : address(nextHopField.textIn(flow));
            endpoints.add(new Endpoint(flow, side, address, lengths.add(address), exporter, nextHop));
        }
    }

    /** Adds the fields of the best route to the record of an endpoint. */
    private void add(BestRoute best, Endpoint endpoint) {
        Map<String, Object> flow = endpoint.flow;
        String side = endpoint.side;
        flow.put(side + "prefix", best.prefix.toString());
        flow.put(side + "router", best.router);
        flow.put(side + "peer", best.peer);
        AsPath path = best.attributes.asPath();
        OptionalLong origin = AsPath.validatedOrigin(path, best.peerAsn);
        origin.ifPresent(asn -> {
            flow.put(side + "as", asn);
            names.nameOf(asn).ifPresent(name -> flow.put(side + "as_name", name));
        });
        if (path != null) {
            flow.put(side + "as_path", path.text());
        }
        flow.put(side + "communities", best.attributes.communities());
        flow.put(side + "large_communities", best.attributes.largeCommunities());
        NextHop via = best.attributes.nextHop();
        if (via != null) {
            flow.put(side + "next_hop", via.text());
        }
        validity.of(best.prefix, origin).ifPresent(state -> flow.put(side + Validity.HEADER, state.text()));
    }

    /**
     * One address of a flow.
     *
     * @param side prefix of the fields to add
     * @param index of the address among those of its IP version
     * @param nextHop the next hop that the exporter used, if the record contains it
     */
    private record Endpoint(
            Map<String, Object> flow,
            String side,
            IpAddress address,
            int index,
            @Nullable String exporter,
            @Nullable IpAddress nextHop) {}

    /** Returns why a record cannot be enriched completely: an address that is not valid; null if there is no reason. */
    @Nullable
    String invalidField(Map<String, Object> flow) {
        String reason = invalid(flow, source);
        return reason != null ? reason : invalid(flow, destination);
    }

    private static @Nullable String invalid(Map<String, Object> flow, FlowField named) {
        String field = named.nameIn(flow);
        if (field == null) {
            return null;
        }
        if (!(flow.get(field) instanceof String text)) {
            return field + " is not a string";
        }
        try {
            IpAddress.parse(text);
            return null;
        } catch (IllegalArgumentException e) {
            return field + ": " + reason(text);
        }
    }

    /** The message of the slower parser, which names the error. */
    private static String reason(String text) {
        try {
            IpPrefix.parse(text);
            return "'" + text + "' is not an address";
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static @Nullable IpAddress address(@Nullable String text) {
        try {
            return text == null ? null : IpAddress.parse(text);
        } catch (IllegalArgumentException e) {
            return null; // not an address: there is no route for it
        }
    }

    /**
     * The addresses of an exchange, and for each the lengths of the longest prefixes with a route that meets the
     * condition.
     */
    private static final class PrefixLengths {
        private final RouteCondition condition;
        private final List<IpAddress> ipv4 = new ArrayList<>();
        private final List<IpAddress> ipv6 = new ArrayList<>();
        private int[] unicast4 = {};
        private int[] labelled4 = {};
        private int[] unicast6 = {};
        private int[] labelled6 = {};

        PrefixLengths(RouteCondition condition) {
            this.condition = condition;
        }

        /** Adds an address and returns its index among those of its IP version. */
        int add(IpAddress address) {
            List<IpAddress> addresses = address.ipv6() ? ipv6 : ipv4;
            addresses.add(address);
            return addresses.size() - 1;
        }

        void find(RibReader reader) {
            if (!ipv4.isEmpty()) {
                unicast4 = find(reader, ipv4, ipv4.getFirst().unicast());
                labelled4 = find(reader, ipv4, ipv4.getFirst().labelled());
            }
            if (!ipv6.isEmpty()) {
                unicast6 = find(reader, ipv6, ipv6.getFirst().unicast());
                labelled6 = find(reader, ipv6, ipv6.getFirst().labelled());
            }
        }

        private int[] find(RibReader reader, List<IpAddress> addresses, int family) {
            int count = addresses.size();
            long[] highs = new long[count];
            long[] lows = new long[count];
            for (int i = 0; i < count; i++) {
                highs[i] = addresses.get(i).high();
                lows[i] = addresses.get(i).low();
            }
            int[] lengths = new int[count];
            reader.longestMatches(
                    family,
                    0,
                    highs,
                    lows,
                    count,
                    condition,
                    (i, route) -> lengths[i] = route == null ? -1 : route.prefixLength());
            return lengths;
        }

        /** The length of the longest unicast prefix, -1 if there is none. */
        int unicast(Endpoint endpoint) {
            return (endpoint.address.ipv6() ? unicast6 : unicast4)[endpoint.index];
        }

        /** The length of the longest labelled prefix, -1 if there is none. */
        int labelled(Endpoint endpoint) {
            return (endpoint.address.ipv6() ? labelled6 : labelled4)[endpoint.index];
        }
    }

    /** Finds the best of the routes of one prefix, for one endpoint after the other. */
    private static final class BestRoute {
        private final RibReader reader;
        private final RouteCondition condition;
        private final RouteView view = new RouteView();
        private final Consumer<RouteView> considered = this::consider;

        private @Nullable String exporter;
        /** The exporter's address in canonical form, as routers are named; null if the exporter is not an address. */
        private @Nullable String exporterAddress;

        private @Nullable IpAddress nextHop;
        private FlowCandidate best = FlowCandidate.NONE;
        private IpPrefix prefix = new IpPrefix(false, 0, 0, 0);
        private String router = "";
        private String peer = "";
        private int peerAsn;
        private PathAttributes attributes = PathAttributes.decode(new byte[0], 0, 0);

        BestRoute(RibReader reader, RouteCondition condition) {
            this.reader = reader;
            this.condition = condition;
        }

        /**
         * Finds the best route.
         *
         * @param unicast length of the longest unicast prefix when it was looked up, -1 if there is none
         * @param labelled the same for labelled unicast
         * @return whether there is a route
         */
        boolean find(Endpoint endpoint, int unicast, int labelled) {
            if (!Objects.equals(endpoint.exporter, exporter)) {
                exporter = endpoint.exporter;
                IpAddress parsed = address(exporter);
                exporterAddress = parsed == null ? null : parsed.text();
            }
            nextHop = endpoint.nextHop;
            best = FlowCandidate.NONE;
            IpAddress address = endpoint.address;
            considerLongest(address, unicast, labelled);
            if (best == FlowCandidate.NONE) {
                takeLongest(address); // the routes were withdrawn after the prefix was looked up
            }
            return best != FlowCandidate.NONE;
        }

        private void takeLongest(IpAddress address) {
            int length = -1;
            for (int family : new int[] {address.unicast(), address.labelled()}) {
                if (reader.longestMatch(family, 0, address.high(), address.low(), condition, view)
                        && view.prefixLength() > length) {
                    length = view.prefixLength();
                    take(view, FlowCandidate.of(view, rank(view)));
                }
            }
        }

        private void considerLongest(IpAddress address, int unicast, int labelled) {
            if (unicast >= 0 && unicast >= labelled) {
                considerAll(address, address.unicast(), unicast);
            }
            if (labelled >= 0 && labelled >= unicast) {
                considerAll(address, address.labelled(), labelled);
            }
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
                return; // the usual case if the exporter is known; allocates nothing
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
            boolean hasNextHop = via != null && (own || !via.isUnspecified()) && via.isNextHopOf(route);
            return (own ? EXPORTER : 0) + (hasNextHop ? NEXT_HOP : 0);
        }

        private boolean isExporter(String name) {
            return name.equals(exporter) || name.equals(exporterAddress);
        }

        private void take(RouteView route, FlowCandidate candidate) {
            best = candidate;
            prefix = new IpPrefix(route.ipv6(), route.addressHigh(), route.addressLow(), route.prefixLength());
            router = route.peer().router();
            peer = route.peer().address();
            peerAsn = route.peerAsn();
            attributes = route.attributes();
        }
    }
}
