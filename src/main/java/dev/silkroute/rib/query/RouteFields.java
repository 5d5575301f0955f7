package dev.silkroute.rib.query;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Family;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.RouteDistinguisher;
import dev.silkroute.rib.AttributeValue;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.RibTable;
import dev.silkroute.rib.Route;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The fields that a {@link RouteQuery} can filter by. Values are written as in the database and in REST: {@code
 * 192.0.2.0/24}, {@code 64500:1}.
 */
public final class RouteFields {
    public static final PrefixField PREFIX = new PrefixField();
    public static final TableField<String> ROUTER = new TableField<>(
            OfTable.What.ROUTER, "router", t -> t.peer().router(), r -> r.peer().router(), name -> name);
    public static final TableField<RibPeer> PEER = new TableField<>(
            OfTable.What.PEER, "peer", RibTable::peer, Route::peer, peer -> peer.router() + " " + peer.address());
    /** The address of the peer, of any router. */
    public static final TableField<String> PEER_ADDRESS = new TableField<>(
            OfTable.What.PEER_ADDRESS,
            "peer address",
            t -> t.peer().address(),
            r -> r.peer().address(),
            address -> address);

    public static final TableField<RibView> VIEW =
            new TableField<>(OfTable.What.VIEW, "view", RibTable::view, Route::view, RibView::text);
    /** AFI and SAFI as one number, see {@link Family}. */
    public static final TableField<Integer> FAMILY =
            new TableField<>(OfTable.What.FAMILY, "family", RibTable::family, Route::family, Family::text);

    /** 0 to 4,294,967,295. A route whose path has no origin AS does not have the field. */
    public static final NumberField ORIGIN_AS = new NumberField("origin AS", Route::originAs, true, r -> true);

    public static final NumberField MED = new NumberField("MED", Route::med, true, r -> true);
    public static final NumberField LOCAL_PREF = new NumberField("LOCAL_PREF", Route::localPref, true, r -> true);
    /** The length of a prefix, without labels and RD. */
    public static final NumberField LENGTH =
            new NumberField("length", r -> r.isPrefix() ? r.prefixLength() : -1, false, Route::isPrefix);

    public static final NextHopField NEXT_HOP = new NextHopField();
    public static final AsPathField AS_PATH = new AsPathField();
    public static final CommunityField COMMUNITY = new CommunityField();
    public static final LargeCommunityField LARGE_COMMUNITY = new LargeCommunityField();
    public static final RdField RD = new RdField();

    /** Routes that the router's live session has not announced. */
    public static final RoutePredicate STALE = new OfRoute(Route::stale, () -> "stale", null);

    private RouteFields() {}

    /** The relation of a route's prefix to another one. */
    public static final class PrefixField {
        private PrefixField() {}

        /**
         * Routes of the longest prefix that covers an address and has routes that meet all other conditions, for each
         * family and RD separately. Can only be combined by {@code and}.
         */
        public RoutePredicate longestMatch(String address) {
            return parse(OfPrefix.How.LONGEST_MATCH, address);
        }

        public RoutePredicate equal(String prefix) {
            return parse(OfPrefix.How.EQUAL, prefix);
        }

        /** Prefixes that cover a prefix or address, including itself. */
        public RoutePredicate covers(String prefix) {
            return parse(OfPrefix.How.COVERS, prefix);
        }

        /** Prefixes that cover a prefix, including itself. */
        public RoutePredicate covers(IpPrefix prefix) {
            return of(OfPrefix.How.COVERS, prefix);
        }

        /** Prefixes covered by a prefix, including itself. */
        public RoutePredicate coveredBy(String prefix) {
            return parse(OfPrefix.How.COVERED_BY, prefix);
        }

        /**
         * Orders IPv4 before IPv6 before NLRI that are not prefixes, then by address, the shorter first. The order of
         * the tries.
         */
        public Comparator<Route> comparator() {
            return PrefixOrder.INSTANCE;
        }

        private static RoutePredicate parse(OfPrefix.How how, String text) {
            return of(how, IpPrefix.parse(text));
        }

        private static RoutePredicate of(OfPrefix.How how, IpPrefix prefix) {
            return new OfPrefix(how, prefix.ipv6(), prefix.high(), prefix.low(), prefix.length());
        }
    }

    /**
     * A field that all routes of a table share. As the key of {@link RouteStream#countBy} it is answered by counters.
     */
    public static final class TableField<T> implements Function<Route, T> {
        private final OfTable.What what;
        private final String name;
        private final Function<RibTable, T> ofTable;
        private final Function<Route, T> ofRoute;
        private final Function<T, String> text;

        private TableField(
                OfTable.What what,
                String name,
                Function<RibTable, T> ofTable,
                Function<Route, T> ofRoute,
                Function<T, String> text) {
            this.what = what;
            this.name = name;
            this.ofTable = ofTable;
            this.ofRoute = ofRoute;
            this.text = text;
        }

        public RoutePredicate equal(T value) {
            return of(Set.of(value));
        }

        @SafeVarargs
        @SuppressWarnings("varargs")
        public final RoutePredicate in(T... values) {
            return of(Set.copyOf(Arrays.asList(values)));
        }

        private RoutePredicate of(Set<T> values) {
            return new OfTable(what, values, ofTable::apply, ofRoute::apply, () -> text(values));
        }

        private String text(Set<T> values) {
            String texts = values.stream().map(text).sorted().collect(Collectors.joining(", "));
            return name + (values.size() == 1 ? " = " : " in ") + texts;
        }

        @Override
        public T apply(Route route) {
            return ofRoute.apply(route);
        }

        T of(RibTable table) {
            return ofTable.apply(table);
        }
    }

    /** A number of 32 bits, read unsigned. A route without one meets only negated conditions on it. */
    public static final class NumberField {
        private final String name;
        private final ToLongFunction<Route> value;
        private final boolean attribute;
        private final Predicate<Route> has;

        private NumberField(String name, ToLongFunction<Route> value, boolean attribute, Predicate<Route> has) {
            this.name = name;
            this.value = value;
            this.attribute = attribute;
            this.has = has;
        }

        public RoutePredicate equal(long number) {
            OfRoute equal = of(n -> n == number, () -> " = " + number);
            return this == ORIGIN_AS ? equal.withOrigin(number) : equal;
        }

        public RoutePredicate in(long... numbers) {
            long[] sorted = Arrays.stream(numbers).sorted().toArray();
            return of(n -> Arrays.binarySearch(sorted, n) >= 0, () -> " in " + Arrays.toString(sorted));
        }

        /** Accepts numbers from {@code first} to {@code last}, both included. */
        public RoutePredicate between(long first, long last) {
            return of(n -> n >= first && n <= last, () -> " between " + first + " and " + last);
        }

        private OfRoute of(LongPredicate condition, Supplier<String> text) {
            Predicate<Route> of = route -> {
                long number = value.applyAsLong(route);
                return number >= 0 && condition.test(number);
            };
            return attribute
                    ? OfRoute.attributes(of, () -> name + text.get())
                    : new OfRoute(route -> has.test(route) && of.test(route), () -> name + text.get(), null);
        }
    }

    /** The global address of NEXT_HOP or MP_REACH_NLRI. */
    public static final class NextHopField {
        private NextHopField() {}

        public RoutePredicate equal(String address) {
            boolean ipv6 = address.indexOf(':') >= 0;
            byte[] bytes = ipv6 ? Addresses.parseIpv6(address) : new byte[16];
            long high = BigEndian.i64(bytes, 0);
            long low = ipv6 ? BigEndian.i64(bytes, 8) : Addresses.parseIpv4(address);
            return OfRoute.attributes(route -> route.nextHopIs(ipv6, high, low), () -> "next hop = " + address);
        }

        public RoutePredicate in(String... addresses) {
            return new RoutePredicate.Any(
                    Arrays.stream(addresses).map(this::equal).toList());
        }
    }

    /** The AS path, including sets and confederation segments. */
    public static final class AsPathField {
        private AsPathField() {}

        /**
         * Accepts routes whose path contains an AS number.
         *
         * @param asn a number beyond 32 bits matches no route
         */
        public RoutePredicate contains(long asn) {
            if (!OfRoute.isAsn(asn)) {
                return OfRoute.attributes(route -> false, () -> "AS path contains " + asn);
            }
            return OfRoute.attributes(route -> route.asPathContains((int) asn), () -> "AS path contains " + asn)
                    .withValue(AttributeValue.inAsPath((int) asn));
        }
    }

    /** Communities, {@code 64500:1}. */
    public static final class CommunityField {
        private CommunityField() {}

        public RoutePredicate contains(String community) {
            long[] parts = parts(community, 2, 0xFFFF);
            int value = (int) (parts[0] << 16 | parts[1]);
            return OfRoute.attributes(route -> route.hasCommunity(value), () -> "community " + community)
                    .withValue(AttributeValue.community(value));
        }
    }

    /** Large communities, {@code 64500:1:2}. */
    public static final class LargeCommunityField {
        private LargeCommunityField() {}

        public RoutePredicate contains(String community) {
            long[] parts = parts(community, 3, 0xFFFF_FFFFL);
            int global = (int) parts[0];
            int local1 = (int) parts[1];
            int local2 = (int) parts[2];
            return OfRoute.attributes(
                            route -> route.hasLargeCommunity(global, local1, local2),
                            () -> "large community " + community)
                    .withValue(AttributeValue.largeCommunity(global, local1, local2));
        }
    }

    /** Route distinguishers of VPN prefixes, {@code 64500:1}. */
    public static final class RdField {
        private RdField() {}

        public RoutePredicate equal(String rd) {
            return in(rd);
        }

        public RoutePredicate in(String... rds) {
            long[] wanted = Arrays.stream(rds)
                    .mapToLong(RouteDistinguisher::parse)
                    .sorted()
                    .toArray();
            LongPredicate of = rd -> Arrays.binarySearch(wanted, rd) >= 0;
            return new OfRoute(
                    route -> route.hasRd() && of.test(route.rd()), () -> "RD in " + String.join(", ", rds), of);
        }
    }

    private static long[] parts(String text, int count, long most) {
        long[] parts = Arrays.stream(text.split(":", -1))
                .mapToLong(Long::parseUnsignedLong)
                .toArray();
        if (parts.length != count || Arrays.stream(parts).anyMatch(p -> p < 0 || p > most)) {
            throw new IllegalArgumentException("'" + text + "' is not a community");
        }
        return parts;
    }
}
