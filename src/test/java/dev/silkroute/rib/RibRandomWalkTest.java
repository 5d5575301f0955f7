package dev.silkroute.rib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Everything that can happen to routes, at random, against {@link RibModel}, with readers beside. */
class RibRandomWalkTest {
    private static final int[] FAMILIES = {
        Family.IPV4_UNICAST,
        Family.IPV4_UNICAST,
        Family.IPV6_UNICAST,
        Family.IPV4_MULTICAST,
        Family.IPV6_LABELED_UNICAST,
        Family.VPNV4,
        Family.VPNV6,
        Family.EVPN,
        Family.IPV4_FLOWSPEC,
        7 << 8 | 99
    };
    private static final String[] ROUTERS = {"r1", "r2"};
    private static final int PEERS = 4;

    private final RibFeed feed = new RibFeed();
    private final RibModel model = new RibModel();
    private final long[] sessions = {1000, 1001};
    private Random random = new Random();
    private long clock = 1_000_000;

    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "3,3", "4,2", "5,1", "6,1"})
    void isWhatTheModelSays(long seed, int shards) throws Exception {
        // Given
        random = new Random(seed);
        String about = "seed " + seed + ", " + shards + " shards";
        try (Rib rib = new Rib(new RibConfig(shards, 64L << 20, 1000, 1 + random.nextInt(50)))) {
            Readers readers = new Readers(rib);
            // When
            Outcomes outcomes = new Outcomes();
            try {
                for (int step = 0; step < 250; step++) {
                    boolean sweepFirst = random.nextBoolean();
                    while (sweepFirst && rib.sweep(1 + random.nextInt(100))) {}
                    RouteBatch batch = batch();
                    rib.apply(batch, outcomes);
                    List<RouteOutcome> expected = model.apply(batch);
                    if (sweepFirst && batch.eventCount() == 1) {
                        assertThat(outcomes.of(0))
                                .as(about + " at step " + step)
                                .isEqualTo(expected.getFirst());
                    }
                    if (random.nextInt(40) == 0) {
                        clock += 2_000;
                        rib.expire(clock, 10_000, 4_000);
                        model.expire(clock, 10_000, 4_000);
                    }
                    if (step % 10 == 9) {
                        while (rib.sweep(1000)) {}
                        compare(rib, about + " after step " + step);
                    }
                }
            } finally {
                readers.stop(about);
            }
            // Then everything goes, and nothing is left
            for (int r = 0; r < ROUTERS.length; r++) {
                sessions[r] += 100;
                feed.begin(ROUTERS[r], sessions[r]);
                for (int p = 0; p < PEERS; p++) {
                    feed.peerDown(RibFeed.peer(p, RibView.ADJ_RIB_IN_PRE_POLICY), true);
                    feed.peerDown(RibFeed.peer(p, RibView.LOC_RIB), true);
                }
                rib.apply(feed.build());
            }
            assertThat(rib.size()).as(about).isZero();
            while (rib.sweep(1000)) {}
            rib.sweep(1);
            rib.sweep(1);
            RibStatistics end = rib.statistics();
            assertThat(end.prefixes()).as(about).isZero();
            assertThat(end.attributeSets()).as(about).isZero();
            assertThat(end.hidden()).as(about).isZero();
            assertThat(end.waiting()).as(about).isZero();
            for (Shard shard : rib.shards()) {
                assertThat(shard.stores.slab.usedBytes()).as(about).isZero();
                assertThat(shard.stores.nodes.wide.used()).as(about).isZero();
                assertThat(shard.stores.nodes.narrow.used()).as(about).isZero();
                assertThat(shard.stores.attributes.records.used()).as(about).isZero();
            }
        }
    }

    private RouteBatch batch() {
        int r = random.nextInt(ROUTERS.length);
        clock += random.nextInt(20);
        switch (random.nextInt(40)) {
            case 0 -> sessions[r] += 1 + random.nextInt(3);
            case 1 -> {
                return feed.begin("c" + r, "", sessions[r] + 1, clock)
                        .event(EventKind.COLLECTOR_START)
                        .build();
            }
            default -> {}
        }
        long session = sessions[r] - (random.nextInt(50) == 0 ? 1 : 0);
        feed.begin("c" + r, ROUTERS[r], session, clock);
        int events = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(120);
        for (int i = 0; i < events; i++) {
            event();
        }
        RouteBatch batch = feed.build();
        return random.nextInt(50) == 0 ? RouteBatch.read(RouteBatch.asRedecoded(batch.bytes())) : batch;
    }

    private void event() {
        RibView view = RibView.of(random.nextInt(5));
        PeerEntry peer = RibFeed.peer(random.nextInt(PEERS), view);
        int family = FAMILIES[random.nextInt(FAMILIES.length)];
        switch (random.nextInt(400)) {
            case 0 -> feed.event(EventKind.SESSION_UP);
            case 1 -> feed.event(EventKind.SESSION_DOWN);
            case 2 -> feed.peerDown(peer, random.nextBoolean());
            case 3, 4 -> feed.peerUp(peer);
            case 5, 6, 7 -> feed.endOfRib(peer, family);
            case 8 -> feed.endOfRib(peer, 0);
            default -> route(peer, family, random.nextInt(3) == 0);
        }
    }

    private void route(PeerEntry peer, int family, boolean withdraw) {
        Integer pathId = random.nextInt(4) == 0 ? Integer.valueOf(random.nextInt(3) - 1) : null;
        byte[] nlri = nlri(family, withdraw);
        if (withdraw) {
            feed.withdraw(peer, family, pathId, nlri);
        } else {
            long marking = random.nextInt(10) == 0 ? PathMarking.of(random.nextInt(4)) : PathMarking.NONE;
            byte[] attributes = RibFeed.attributes(1 + random.nextInt(30), random.nextInt(4));
            feed.announce(peer, family, pathId, nlri, attributes, marking);
        }
    }

    private byte[] nlri(int family, boolean withdraw) {
        boolean ipv6 = Family.afi(family) == Family.AFI_IPV6;
        int length = ipv6 ? random.nextInt(random.nextBoolean() ? 49 : 129) : random.nextInt(33);
        long bits = ((long) random.nextInt(4) << 62)
                | ((long) random.nextInt(2) << 47)
                | (random.nextLong(4) << 38)
                | random.nextLong(4);
        long high = Lengths.maskHigh(bits, length);
        long low = ipv6 ? Lengths.maskLow(random.nextLong(3) << random.nextInt(62), length) : 0;
        long rd = 64500L << 32 | random.nextInt(3);
        return switch (family) {
            case Family.EVPN -> RibFeed.macRoute(rd, random.nextInt(20), random.nextInt(2), random.nextInt(3));
            case Family.IPV4_FLOWSPEC -> RibFeed.flow(random.nextInt(20) << 8);
            case 7 << 8 | 99 -> new byte[] {1, 2, (byte) random.nextInt(20)};
            case Family.VPNV4, Family.VPNV6, Family.IPV6_LABELED_UNICAST ->
                RibFeed.labeled(family, 16 + random.nextInt(3), rd, high, low, length, withdraw);
            default -> RibFeed.prefix(high, low, length);
        };
    }

    private void compare(Rib rib, String about) {
        TreeMap<String, String> expected = new TreeMap<>();
        model.routes.forEach((key, route) -> expected.put(
                key.peer() + " " + key.view() + " " + key.family() + " " + key.rd() + " " + key.nlri() + " "
                        + key.pathId(),
                route.attributes() + " " + route.labels() + route.marking() + " " + model.stale(key)));
        TreeMap<String, String> actual = new TreeMap<>();
        try (RibReader reader = rib.reader()) {
            reader.forEach(route -> actual.put(text(route), value(route)));
            assertThat(differences(expected, actual))
                    .as(about + ": expected, actual")
                    .isEmpty();
            assertThat(rib.size()).as(about).isEqualTo(expected.size());
            for (int view = 0; view < 5; view++) {
                RibView of = RibView.of(view);
                for (int family : rib.families()) {
                    long routes = model.routes.keySet().stream()
                            .filter(k -> k.view() == of && k.family() == family)
                            .count();
                    assertThat(rib.size(of, family)).as(about).isEqualTo(routes);
                }
            }
            for (Shard shard : rib.shards()) {
                for (int i = 1; i <= shard.stores.tables.count(); i++) {
                    stale(shard, shard.stores.tables.get(i), about);
                }
            }
            for (int i = 0; i < 100; i++) {
                lookup(reader, about);
            }
        }
    }

    private static Map<String, String> differences(Map<String, String> expected, Map<String, String> actual) {
        Map<String, String> differences = new TreeMap<>();
        Set<String> keys = new TreeSet<>(expected.keySet());
        keys.addAll(actual.keySet());
        for (String key : keys) {
            if (!Objects.equals(expected.get(key), actual.get(key)) && differences.size() < 5) {
                differences.put(key, expected.get(key) + " | " + actual.get(key));
            }
        }
        return differences;
    }

    private void stale(Shard shard, Table table, String about) {
        long[] stale = new long[1];
        RouteView view = new RouteView();
        for (int page : table.pages()) {
            for (int slot = 0; page > 0 && slot < 64; slot++) {
                if ((shard.stores.routes.live(page, slot >>> 5) >>> (slot & 31) & 1) != 0) {
                    Keys keys = Tries.holds(table.family) ? shard.stores.tries.keys(table.family) : shard.stores.exact;
                    view.moveTo(shard, keys, page << 6 | slot, table);
                    stale[0] += view.stale() ? 1 : 0;
                }
            }
        }
        assertThat(table.stale()).as(about).isEqualTo(stale[0]);
    }

    private static String text(RouteView route) {
        String nlri = route.isPrefix()
                ? "%016x%016x/%d".formatted(route.addressHigh(), route.addressLow(), route.prefixLength())
                : keyText(route);
        return route.peer() + " " + route.view() + " " + route.family() + " " + route.rd() + " " + nlri + " "
                + (route.hasPathId() ? Integer.toUnsignedString(route.pathId()) : null);
    }

    private static String keyText(RouteView route) {
        return route.keyHex();
    }

    private static String value(RouteView route) {
        StringBuilder labels = new StringBuilder();
        for (int i = 0; i < route.labelCount(); i++) {
            labels.append(route.label(i)).append(' ');
        }
        return Hex.of(route.attributeBytes(), route.attributesFrom(), route.attributesTo()) + " " + labels
                + route.marking() + " " + route.stale();
    }

    private void lookup(RibReader reader, String about) {
        int family =
                new int[] {Family.IPV4_UNICAST, Family.IPV6_UNICAST, Family.VPNV4, Family.VPNV6}[random.nextInt(4)];
        boolean ipv6 = Family.afi(family) == Family.AFI_IPV6;
        long rd = Family.safi(family) == 128 ? 64500L << 32 | random.nextInt(3) : 0;
        long bits = ((long) random.nextInt(4) << 62)
                | ((long) random.nextInt(2) << 47)
                | (random.nextLong(4) << 38)
                | random.nextLong(4);
        long high = ipv6 ? bits : 0;
        long low = ipv6 ? random.nextLong(3) << random.nextInt(62) : bits >>> 32;
        RibPeer peer = RibPeer.of(
                ROUTERS[random.nextInt(2)], RibFeed.peer(random.nextInt(PEERS), RibView.of(random.nextInt(4))));
        RibView view = RibView.of(random.nextInt(4));
        int expected = model.longest(peer, view, family, rd, high, low, ipv6);
        RouteView route = new RouteView();
        try (RibReader.Section section = reader.enter()) {
            boolean found = reader.longestMatch(family, rd, high, low, RouteCondition.of(peer, view), route);
            assertThat(found ? route.prefixLength() : -1).as(about + ", lookup").isEqualTo(expected);
            int any = model.routes.keySet().stream()
                    .filter(k -> k.family() == family && k.rd() == rd && RibModel.covers(k, high, low, ipv6))
                    .mapToInt(RibModel.Key::length)
                    .max()
                    .orElse(-1);
            assertThat(reader.longestPrefix(family, rd, high, low))
                    .as(about + ", any")
                    .isEqualTo(any);
            reader.longestMatches(
                    family,
                    rd,
                    new long[] {high},
                    new long[] {low},
                    1,
                    RouteCondition.of(peer, view),
                    (i, match) -> assertThat(match == null ? -1 : match.prefixLength())
                            .as(about + ", batch")
                            .isEqualTo(expected));
        }
    }

    /** Two threads that look around while the RIB changes, and fail at anything that can't be. */
    private static final class Readers {
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        private final AtomicLong found = new AtomicLong();
        private final List<Thread> threads = new ArrayList<>();

        Readers(Rib rib) {
            for (int i = 0; i < 2; i++) {
                int seed = i;
                threads.add(Thread.ofPlatform().start(() -> {
                    try (RibReader reader = rib.reader()) {
                        Random random = new Random(seed);
                        while (!stopped.get()) {
                            lookAt(reader, random);
                            reader.forEach(Readers::check);
                        }
                    } catch (Throwable e) {
                        failure.set(e);
                    }
                }));
            }
        }

        private void lookAt(RibReader reader, Random random) {
            RouteView route = new RouteView();
            for (int i = 0; i < 100; i++) {
                long address =
                        (random.nextLong(4) << 30 | random.nextLong(2) << 15 | random.nextLong(4) << 6) & 0xFFFFFFFFL;
                RibView view = RibView.of(random.nextInt(5));
                try (RibReader.Section section = reader.enter()) {
                    if (reader.longestMatch(Family.IPV4_UNICAST, 0, 0, address, RouteCondition.in(view), route)) {
                        found.incrementAndGet();
                        check(route);
                        if (route.view() != view
                                || !Lengths.covers(
                                        route.addressLow() << 32, 0, route.prefixLength(), address << 32, 0)) {
                            throw new AssertionError("wrong route " + route.toRoute());
                        }
                    }
                }
            }
        }

        private static void check(RouteView route) {
            int med = route.attribute(AttributeCode.MULTI_EXIT_DISC);
            int nextHop = route.attribute(AttributeCode.NEXT_HOP);
            int variant = BigEndian.i32(route.attributeBytes(), nextHop) - 0xC0000200;
            if (BigEndian.i32(route.attributeBytes(), med) != (int) route.originAs() * 31 + variant) {
                throw new AssertionError("torn attributes " + route.toRoute());
            }
        }

        void stop(String about) throws InterruptedException {
            stopped.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            if (failure.get() != null) {
                fail(about + ": a reader failed", failure.get());
            }
            assertThat(found.get()).as(about + ": readers found nothing").isPositive();
        }
    }
}
