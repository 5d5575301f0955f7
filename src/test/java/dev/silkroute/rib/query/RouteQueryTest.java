package dev.silkroute.rib.query;

import static dev.silkroute.rib.query.RouteFields.AS_PATH;
import static dev.silkroute.rib.query.RouteFields.COMMUNITY;
import static dev.silkroute.rib.query.RouteFields.FAMILY;
import static dev.silkroute.rib.query.RouteFields.LARGE_COMMUNITY;
import static dev.silkroute.rib.query.RouteFields.LENGTH;
import static dev.silkroute.rib.query.RouteFields.LOCAL_PREF;
import static dev.silkroute.rib.query.RouteFields.MED;
import static dev.silkroute.rib.query.RouteFields.NEXT_HOP;
import static dev.silkroute.rib.query.RouteFields.ORIGIN_AS;
import static dev.silkroute.rib.query.RouteFields.PEER;
import static dev.silkroute.rib.query.RouteFields.PREFIX;
import static dev.silkroute.rib.query.RouteFields.RD;
import static dev.silkroute.rib.query.RouteFields.ROUTER;
import static dev.silkroute.rib.query.RouteFields.STALE;
import static dev.silkroute.rib.query.RouteFields.VIEW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.rib.BatchFeed;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.RibReader;
import dev.silkroute.rib.RibRoute;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import inet.ipaddr.IPAddressString;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares every predicate with a filter over a list of routes and the text of their attributes. */
class RouteQueryTest {
    private static final PeerEntry PEER_1 = BatchFeed.peer(1, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final RibPeer PEER_2 = RibPeer.of("r1", BatchFeed.peer(2, RibView.ADJ_RIB_IN_PRE_POLICY));

    /** A predicate and its meaning. */
    private record Case(RoutePredicate predicate, Predicate<RibRoute> meaning) {
        Case and(Case other) {
            return new Case(predicate.and(other.predicate), meaning.and(other.meaning));
        }

        Case or(Case other) {
            return new Case(predicate.or(other.predicate), meaning.or(other.meaning));
        }

        Case negate() {
            return new Case(predicate.negate(), meaning.negate());
        }
    }

    private static final List<Case> CASES = List.of(
            new Case(PEER.equal(PEER_2), r -> r.peer().equals(PEER_2)),
            new Case(
                    PEER.in(PEER_2, RibPeer.of("r2", PEER_1)),
                    r -> r.peer().equals(PEER_2) || r.peer().equals(RibPeer.of("r2", PEER_1))),
            new Case(ROUTER.equal("r2"), r -> r.peer().router().equals("r2")),
            new Case(VIEW.equal(RibView.LOC_RIB), r -> r.view() == RibView.LOC_RIB),
            new Case(
                    VIEW.in(RibView.ADJ_RIB_IN_PRE_POLICY, RibView.ADJ_RIB_IN_POST_POLICY),
                    r -> r.view().code() < 2),
            new Case(FAMILY.equal(Family.VPNV4), r -> r.family() == Family.VPNV4),
            new Case(
                    FAMILY.in(Family.IPV4_UNICAST, Family.EVPN),
                    r -> r.family() == Family.IPV4_UNICAST || r.family() == Family.EVPN),
            new Case(ORIGIN_AS.equal(7), r -> origin(r) == 7),
            new Case(ORIGIN_AS.in(3, 4, 5), r -> origin(r) >= 3 && origin(r) <= 5),
            new Case(ORIGIN_AS.between(3, 9), r -> origin(r) >= 3 && origin(r) <= 9),
            new Case(MED.between(100, 300), r -> within(r.attributes().med(), 100, 300)),
            new Case(MED.equal(31), r -> within(r.attributes().med(), 31, 31)),
            new Case(LOCAL_PREF.equal(103), r -> within(r.attributes().localPref(), 103, 103)),
            new Case(
                    LOCAL_PREF.in(100, 103, 106),
                    r -> r.attributes().localPref().isPresent()),
            new Case(LENGTH.between(8, 24), r -> r.isPrefix() && r.prefixLength() >= 8 && r.prefixLength() <= 24),
            new Case(LENGTH.equal(0), r -> r.isPrefix() && r.prefixLength() == 0),
            new Case(
                    NEXT_HOP.equal("192.0.2.1"),
                    r -> r.attributes().nextHop().text().equals("192.0.2.1")),
            new Case(
                    NEXT_HOP.in("192.0.2.1", "192.0.2.3", "2001:db8::1"),
                    r -> List.of("192.0.2.1", "192.0.2.3")
                            .contains(r.attributes().nextHop().text())),
            new Case(AS_PATH.contains(65002), r -> r.attributes().asns().contains(65002L)),
            new Case(
                    COMMUNITY.contains("7:1"), r -> r.attributes().communities().contains("7:1")),
            new Case(
                    LARGE_COMMUNITY.contains("9:1:7"),
                    r -> r.attributes().largeCommunities().contains("9:1:7")),
            new Case(RD.equal("64500:1"), r -> r.nlri().startsWith("64500:1 ")),
            new Case(
                    RD.in("64500:0", "64500:2"),
                    r -> r.nlri().startsWith("64500:0 ") || r.nlri().startsWith("64500:2 ")),
            new Case(STALE, RibRoute::stale),
            prefix(PREFIX.coveredBy("64.0.0.0/3"), "64.0.0.0/3", true),
            prefix(PREFIX.coveredBy("0.0.0.0/0"), "0.0.0.0/0", true),
            prefix(PREFIX.coveredBy("4000::/2"), "4000::/2", true),
            prefix(PREFIX.covers("64.128.128.0/24"), "64.128.128.0/24", false),
            prefix(PREFIX.covers("192.0.0.1"), "192.0.0.1/32", false),
            prefix(PREFIX.covers("4001:8080::1"), "4001:8080::1/128", false),
            new Case(PREFIX.equal("0.0.0.0/0"), r -> r.isPrefix() && text(r).equals("0.0.0.0/0")),
            new Case(PREFIX.equal("128.0.0.0/4"), r -> r.isPrefix() && text(r).equals("128.0.0.0/4")));

    private Rib rib = new Rib(RibConfig.ofBytes(64 << 20));
    private RouteQuery query = new RouteQuery(rib);
    private List<RibRoute> all = List.of();

    private static Case prefix(RoutePredicate predicate, String other, boolean within) {
        var of = new IPAddressString(other).getAddress().toPrefixBlock();
        return new Case(predicate, r -> {
            if (!r.isPrefix()) {
                return false;
            }
            var its = new IPAddressString(text(r)).getAddress().toPrefixBlock();
            return within ? of.contains(its) : its.contains(of);
        });
    }

    private static String text(RibRoute r) {
        return Addresses.prefix(r.ipv6(), r.addressHigh(), r.addressLow(), r.prefixLength());
    }

    private static long origin(RibRoute r) {
        return r.attributes().asPath().originAsn().orElse(-1);
    }

    private static boolean within(OptionalLong value, long first, long last) {
        return value.isPresent() && value.getAsLong() >= first && value.getAsLong() <= last;
    }

    @BeforeEach
    void fill() {
        fill(2, 1);
    }

    private void fill(int shards, long seed) {
        rib.close();
        rib = new Rib(new RibConfig(shards, 64 << 20, 1000, 100));
        query = new RouteQuery(rib);
        Random random = new Random(seed);
        BatchFeed feed = new BatchFeed();
        int[] families = {Family.IPV4_UNICAST, Family.IPV6_UNICAST, Family.VPNV4, Family.VPNV6, Family.EVPN};
        for (int i = 0; i < 40; i++) {
            feed.begin("r" + (1 + i % 2), 1);
            for (int j = 0; j < 60; j++) {
                PeerEntry peer = BatchFeed.peer(1 + random.nextInt(3), RibView.of(random.nextInt(5)));
                int family = families[random.nextInt(families.length)];
                feed.announce(
                        peer,
                        family,
                        null,
                        nlri(random, family),
                        BatchFeed.attributes(1 + random.nextInt(12), random.nextInt(8)));
            }
            rib.apply(feed.build());
        }
        rib.apply(feed.begin("r2", 1).event(EventKind.SESSION_DOWN).build());
        List<RibRoute> routes = new ArrayList<>();
        try (RibReader reader = rib.reader()) {
            reader.forEach(route -> routes.add(route.toRoute()));
        }
        all = routes;
    }

    private static byte[] nlri(Random random, int family) {
        boolean ipv6 = Family.afi(family) == Family.AFI_IPV6;
        long rd = 64500L << 32 | random.nextInt(3);
        int length = random.nextInt(ipv6 ? 129 : 33);
        long mask = length == 0 ? 0 : length >= 64 ? -1L : -1L << 64 - length;
        long high = random.nextLong() & 0xC001_8181_0000_0001L & mask;
        return switch (family) {
            case Family.EVPN -> BatchFeed.macRoute(rd, random.nextInt(50), 0, 1);
            case Family.VPNV4, Family.VPNV6 -> BatchFeed.labeled(family, 16, rd, high, 0, length, false);
            default -> BatchFeed.prefix(high, 0, length);
        };
    }

    @AfterEach
    void close() {
        rib.close();
    }

    @Test
    void everyPredicateSelectsItsRoutes() {
        assertThat(all).hasSizeGreaterThan(1500);
        for (Case one : CASES) {
            check(one, one.predicate.toString());
            check(one.negate(), one.predicate.negate().toString());
            assertThat(all.stream().anyMatch(one.meaning))
                    .as("%s is tested by no route", one.predicate)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyCombinationSelectsItsRoutes(long seed) {
        // Given
        fill(1 + (int) seed % 3, seed);
        Random random = new Random(seed);
        for (int i = 0; i < 150; i++) {
            // When, then
            Case combined = combine(random, 3);
            check(combined, "seed " + seed + ": " + combined.predicate);
        }
    }

    private static Case combine(Random random, int depth) {
        if (depth == 0 || random.nextInt(4) == 0) {
            return CASES.get(random.nextInt(CASES.size()));
        }
        Case one = combine(random, depth - 1);
        return switch (random.nextInt(5)) {
            case 0 -> one.negate();
            case 1, 2 -> one.or(combine(random, depth - 1));
            default -> one.and(combine(random, depth - 1));
        };
    }

    private void check(Case one, String about) {
        List<RibRoute> expected = all.stream().filter(one.meaning).toList();
        same(query.routes().filter(one.predicate).toList(), expected, about);
        assertThat(query.routes().filter(one.predicate).count())
                .as("count: " + about)
                .isEqualTo(expected.size());
        List<RibRoute> sorted =
                query.routes().filter(one.predicate).sorted(PREFIX.comparator()).toList();
        same(sorted, expected, "sorted: " + about);
        assertThat(sorted).as(about).isSortedAccordingTo(PREFIX.comparator());
        int skip = expected.size() / 3;
        assertThat(query.routes()
                        .filter(one.predicate)
                        .sortedByPrefix()
                        .skip(skip)
                        .limit(5)
                        .map(r -> key(r))
                        .toList())
                .as("page: " + about)
                .isEqualTo(sorted.stream().skip(skip).limit(5).map(r -> key(r)).toList());
        assertThat(query.routes().filter(one.predicate).skip(skip).toList())
                .as("skip: " + about)
                .hasSize(expected.size() - skip);
        same(
                query.routes().filter(one.predicate).parallel().collect(Collectors.toList()),
                expected,
                "parallel: " + about);
        assertThat(query.routes().filter(one.predicate).explain()).as(about).contains("count: ");
    }

    private static String key(RibRoute route) {
        return route.family() + " " + route.nlri();
    }

    private static void same(Collection<RibRoute> actual, Collection<RibRoute> expected, String about) {
        assertThat(count(actual)).as(about).isEqualTo(count(expected));
    }

    private static Map<RibRoute, Integer> count(Collection<RibRoute> routes) {
        Map<RibRoute, Integer> counts = new HashMap<>();
        routes.forEach(route -> counts.merge(route, 1, Integer::sum));
        return counts;
    }

    @Test
    void longestMatchConsidersOnlyRoutesThatMeetTheOtherConditions() {
        for (String address : List.of("64.128.128.1", "192.0.0.1", "1.1.1.1", "4001:8080::1", "c000::1")) {
            for (Case rest : CASES) {
                // When
                List<RibRoute> found = query.routes()
                        .filter(PREFIX.longestMatch(address))
                        .filter(rest.predicate)
                        .toList();
                // Then
                Case covers = prefix(PREFIX.covers(address), address + (address.contains(":") ? "/128" : "/32"), false);
                Map<String, Integer> longest = new HashMap<>();
                all.stream()
                        .filter(covers.meaning)
                        .filter(rest.meaning)
                        .forEach(r -> longest.merge(r.family() + " " + r.rd(), r.prefixLength(), Math::max));
                same(
                        found,
                        all.stream()
                                .filter(covers.meaning)
                                .filter(rest.meaning)
                                .filter(r -> longest.get(r.family() + " " + r.rd()) == r.prefixLength())
                                .toList(),
                        address + " and " + rest.predicate);
            }
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> query.routes()
                        .filter(PREFIX.longestMatch("1.1.1.1").negate())
                        .count());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void prefixConditionsReturnTheSameRoutesSortedAndUnsorted(int shards) {
        // Given
        fill(shards, 4);
        for (RoutePredicate named : List.of(
                PREFIX.longestMatch("64.128.128.1"),
                PREFIX.longestMatch("4001:8080::1").and(STALE.negate()),
                PREFIX.equal("128.0.0.0/4"),
                PREFIX.covers("192.0.0.1").and(ROUTER.equal("r1")))) {
            RouteStream routes = query.routes().filter(named);
            List<RibRoute> expected = routes.toList();
            assertThat(expected).as(named.toString()).isNotEmpty();
            // When
            List<RibRoute> sorted = routes.sorted(PREFIX.comparator()).toList();
            // Then
            same(sorted, expected, "sorted: " + named);
            assertThat(sorted).isSortedAccordingTo(PREFIX.comparator());
            same(routes.sortedByPrefix().snapshot(), expected, "snapshot: " + named);
            assertThat(routes.sortedByPrefix().skip(1).limit(2).toList())
                    .isEqualTo(sorted.stream().skip(1).limit(2).toList());
            assertThat(routes.sortedByPrefix().count()).isEqualTo(expected.size());
            assertThat(routes.sortedByPrefix().explain()).contains("keys, ").contains("sorted after that");
        }
    }

    @Test
    void aLongestMatchIsRejectedWhereRoutesAreTestedOneByOne() {
        RoutePredicate longest = PREFIX.longestMatch("64.128.128.1");
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        query.routes().filter(r -> r.isPrefix()).filter(longest).count())
                .withMessageContaining(
                        "apply it before lambdas, skip and limit: prefix longest match of 64.128.128.1/32");
        Predicate<? super RibRoute> late = longest;
        assertThatIllegalStateException()
                .isThrownBy(() -> query.routes().limit(2000).filter(late).count());
        assertThatIllegalArgumentException().isThrownBy(() -> query.join(STALE, longest));
        assertThatIllegalArgumentException().isThrownBy(() -> query.without(STALE, longest));
        // The left side may have one
        assertThat(query.without(longest, STALE).toList())
                .allMatch(route -> !route.stale())
                .hasSize((int) query.routes().filter(longest).count()
                        - (int) query.join(longest, STALE)
                                .map(RouteQuery.Pair::left)
                                .distinct()
                                .count());
    }

    @Test
    void countersAnswerCountsWherePossible() {
        assertThat(query.routes().explain()).contains("count: a counter");
        assertThat(query.routes().filter(PEER.equal(PEER_2)).explain()).contains("count: a counter");
        assertThat(query.routes()
                        .filter(VIEW.equal(RibView.LOC_RIB).and(FAMILY.equal(Family.EVPN)))
                        .explain())
                .contains("count: a counter");
        assertThat(query.routes().filter(ORIGIN_AS.equal(7)).explain()).contains("count: a counter");
        assertThat(query.routes().filter(ROUTER.equal("r1")).explain()).contains("count: the tables' counters");
        assertThat(query.routes().filter(AS_PATH.contains(65002)).explain()).contains("each attribute set once");
        assertThat(query.routes().filter(PREFIX.coveredBy("10.0.0.0/8")).explain())
                .contains("range of tries");
        assertThat(query.routes().filter(STALE).explain()).contains("count: the routes");
    }

    @Test
    void countsAreExactWhileEndedTablesArePurged() {
        // Given
        long before = query.routes().filter(ORIGIN_AS.equal(7)).count();
        long ofPeer = all.stream()
                .filter(r -> r.peer().equals(PEER_2) && origin(r) == 7)
                .count();
        assertThat(ofPeer).isPositive();
        try (Rib slow = new Rib(new RibConfig(1, 64 << 20, 1000, 1))) {
            RouteQuery of = new RouteQuery(slow);
            BatchFeed feed = new BatchFeed().begin("r", 1);
            for (int i = 0; i < 500; i++) {
                feed.announce(
                        PEER_1, Family.IPV4_UNICAST, null, BatchFeed.ipv4(i << 12, 24), BatchFeed.attributes(7, 0));
            }
            slow.apply(feed.build());
            assertThat(of.routes().filter(ORIGIN_AS.equal(7)).count()).isEqualTo(500);
            // When
            slow.apply(new BatchFeed().begin("r", 1).peerDown(PEER_1, true).build());
            // Then
            assertThat(slow.statistics().hidden()).isPositive();
            assertThat(of.routes().filter(ORIGIN_AS.equal(7)).count()).isZero();
            assertThat(of.routes().filter(AS_PATH.contains(7)).count()).isZero();
        }
        assertThat(before).isPositive();
    }

    @Test
    void groups() {
        assertThat(query.routes().countBy(VIEW))
                .isEqualTo(all.stream().collect(Collectors.groupingBy(RibRoute::view, Collectors.counting())));
        assertThat(query.routes().filter(STALE).countBy(PEER))
                .isEqualTo(all.stream()
                        .filter(RibRoute::stale)
                        .collect(Collectors.groupingBy(RibRoute::peer, Collectors.counting())));
        assertThat(query.routes().filter(LENGTH.between(0, 128)).countBy(r -> r.prefixLength()))
                .isEqualTo(all.stream()
                        .filter(RibRoute::isPrefix)
                        .collect(Collectors.groupingBy(RibRoute::prefixLength, Collectors.counting())));
    }

    @Test
    void joinsRoutesOfTheSameNlri() {
        // Given
        RoutePredicate left = PEER.equal(PEER_2);
        RoutePredicate right = ROUTER.equal("r2").and(VIEW.equal(RibView.LOC_RIB));
        // When
        List<RibRoute> without = query.without(left, right).toList();
        long pairs = query.join(left, right).count();
        // Then
        Map<String, Long> rights =
                all.stream().filter(right).collect(Collectors.groupingBy(r -> key(r), Collectors.counting()));
        assertThat(pairs)
                .isPositive()
                .isEqualTo(all.stream()
                        .filter(left)
                        .mapToLong(r -> rights.getOrDefault(key(r), 0L))
                        .sum());
        same(
                without,
                all.stream()
                        .filter(left)
                        .filter(r -> !rights.containsKey(key(r)))
                        .toList(),
                "without");
    }

    @Test
    void joinsPeersAndTheirRoutes() {
        fill(3, 11);
        assertThat(query.peerRibs().map(rib -> List.of(rib.peer(), rib.view(), rib.family())))
                .doesNotHaveDuplicates();
        List<RibRoute> joined = query.peerRibs()
                .flatMap(rib -> {
                    List<RibRoute> routes = query.routes(rib).toList();
                    assertThat(routes)
                            .as(rib.toString())
                            .hasSize(Math.toIntExact(rib.routes()))
                            .allMatch(route -> Integer.toUnsignedLong(route.peerAsn()) == rib.peerAsn());
                    assertThat(routes.stream().filter(RibRoute::stale)).hasSize(Math.toIntExact(rib.stale()));
                    return routes.stream();
                })
                .toList();
        same(joined, all, "peers and their routes");
    }

    @Test
    void numbersBeyond32BitsMatchNoRoute() {
        long beyond = (1L << 32) + 65002;
        assertThat(query.routes().filter(AS_PATH.contains(65002)).count()).isPositive();
        for (long number : new long[] {beyond, -1, -2, Long.MIN_VALUE, -1L << 32 | 65002}) {
            for (RoutePredicate predicate : List.of(
                    AS_PATH.contains(number),
                    ORIGIN_AS.equal(number),
                    ORIGIN_AS.in(number, number - 1),
                    MED.equal(number),
                    LENGTH.equal(number))) {
                assertThat(query.routes().filter(predicate).count())
                        .as(predicate.toString())
                        .isZero();
                assertThat(query.routes().filter(predicate).toList()).isEmpty();
            }
        }
        assertThatIllegalArgumentException().isThrownBy(() -> COMMUNITY.contains("65536:1"));
        assertThatIllegalArgumentException().isThrownBy(() -> LARGE_COMMUNITY.contains("4294967296:1:1"));
    }

    @Test
    void sortingAfterSkipAndLimitIsRejected() {
        assertThatIllegalStateException()
                .isThrownBy(() -> query.routes().limit(2).sortedByPrefix())
                .withMessage("the order must be applied before skip and limit");
        assertThatIllegalStateException()
                .isThrownBy(() -> query.routes().skip(2).sortedByPrefix());
    }

    @Test
    void joinsInParallel() {
        RoutePredicate left = FAMILY.in(Family.IPV4_UNICAST, Family.VPNV4, Family.EVPN);
        long pairs = query.join(left, STALE).count();
        List<RibRoute> without = query.without(left, STALE).toList();
        assertThat(pairs).isPositive();
        for (int i = 0; i < 50; i++) {
            assertThat(query.join(left, STALE).parallel().mapToLong(_ -> 1).sum())
                    .isEqualTo(pairs);
            same(query.without(left, STALE).parallel().toList(), without, "without");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void skipsWithoutVisitingRoutes(int shards) {
        // Given
        fill(shards, 9);
        for (RouteStream routes : List.of(
                query.routes().filter(FAMILY.equal(Family.IPV4_UNICAST)),
                query.routes().filter(FAMILY.in(Family.IPV4_UNICAST, Family.IPV6_UNICAST)),
                query.routes().filter(FAMILY.in(Family.IPV4_UNICAST, Family.VPNV4)))) {
            List<String> sorted = routes.sortedByPrefix().map(r -> key(r)).toList();
            assertThat(sorted).hasSizeGreaterThan(300);
            for (int skip = 0; skip < sorted.size() + 20; skip += 13) {
                // When
                List<String> page = routes.sortedByPrefix()
                        .skip(skip)
                        .limit(4)
                        .map(r -> key(r))
                        .toList();
                // Then
                assertThat(page)
                        .as(skip + " of " + routes.explain())
                        .isEqualTo(sorted.stream().skip(skip).limit(4).toList());
                assertThat(routes.skip(skip).count()).isEqualTo(Math.max(0, sorted.size() - skip));
                assertThat(routes.skip(skip).toList()).hasSize(Math.max(0, sorted.size() - skip));
            }
        }
    }

    @Test
    void otherOperationsAreTheJdks() {
        assertThat(query.routes()
                        .filter(r -> r.prefixLength() == 24)
                        .filter(VIEW.equal(RibView.LOC_RIB))
                        .count())
                .isEqualTo(all.stream()
                        .filter(r -> r.prefixLength() == 24 && r.view() == RibView.LOC_RIB)
                        .count());
        assertThat(query.routes().map(RibRoute::nlri).distinct().count())
                .isEqualTo(all.stream().map(RibRoute::nlri).distinct().count());
        assertThat(query.routes().limit(10).toArray(RibRoute[]::new)).hasSize(10);
        assertThat(query.routes().skip(all.size() - 3).count()).isEqualTo(3);
        same(query.routes().snapshot(), all, "snapshot");
    }
}
