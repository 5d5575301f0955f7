package dev.silkroute.rib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.rib.apply.Shard;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.trie.Keys;
import dev.silkroute.rib.trie.PrefixBits;
import dev.silkroute.rib.trie.Tries;
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

/** Random events of all kinds, compared with {@link RibModel}, while other threads read. */
class RibRandomWalkTest {
    private final BatchFeed feed = new BatchFeed();
    private final RibModel model = new RibModel();
    private Random random = new Random();

    @ParameterizedTest
    @CsvSource({"1,1", "2,1", "3,3", "4,2", "5,1", "6,1"})
    void equalsTheModel(long seed, int shards) throws Exception {
        // Given
        random = new Random(seed);
        RandomEvents events = new RandomEvents(random, 1_000_000);
        String about = "seed " + seed + ", " + shards + " shards";
        try (Rib rib = new Rib(new RibConfig(shards, 64L << 20, 1000, 1 + random.nextInt(50)))) {
            Readers readers = new Readers(rib);
            // When
            BatchOutcomes outcomes = new BatchOutcomes();
            try {
                for (int step = 0; step < 250; step++) {
                    boolean purgeFirst = random.nextBoolean();
                    while (purgeFirst && rib.purge(1 + random.nextInt(100))) {}
                    RouteBatch batch = events.next();
                    rib.apply(batch, outcomes);
                    List<RouteOutcome> expected = model.apply(batch);
                    if (purgeFirst && batch.eventCount() == 1) {
                        assertThat(outcomes.of(0))
                                .as(about + " at step " + step)
                                .isEqualTo(expected.getFirst());
                    }
                    if (random.nextInt(40) == 0) {
                        events.wait(2_000);
                        rib.expire(events.now(), 10_000, 4_000);
                        model.expire(events.now(), 10_000, 4_000);
                    }
                    if (step % 4 == 3) {
                        rib.withoutWrites(() -> {
                            for (Shard shard : rib.shards()) {
                                shard.stores.nodes.slab.coalesce();
                                shard.stores.slab.coalesce();
                            }
                            return 0;
                        });
                    }
                    if (step % 10 == 9) {
                        while (rib.purge(1000)) {}
                        compare(rib, about + " after step " + step);
                    }
                }
            } finally {
                readers.stop(about);
            }
            // Then, after everything is withdrawn, nothing is left
            for (String router : RandomEvents.ROUTERS) {
                feed.begin(router, 1_000_000);
                for (int p = 0; p < RandomEvents.PEERS; p++) {
                    feed.peerDown(BatchFeed.peer(p, RibView.ADJ_RIB_IN_PRE_POLICY), true);
                    feed.peerDown(BatchFeed.peer(p, RibView.LOC_RIB), true);
                }
                rib.apply(feed.build());
            }
            assertThat(rib.size()).as(about).isZero();
            while (rib.purge(1000)) {}
            rib.purge(1);
            rib.purge(1);
            RibStatistics end = rib.statistics();
            assertThat(end.prefixes()).as(about).isZero();
            assertThat(end.attributeSets()).as(about).isZero();
            assertThat(end.hidden()).as(about).isZero();
            assertThat(end.pendingReclaim()).as(about).isZero();
            for (Shard shard : rib.shards()) {
                assertThat(shard.stores.slab.usedBytes()).as(about).isZero();
                assertThat(shard.stores.nodes.slab.used()).as(about).isZero();
                assertThat(shard.stores.longLists.used()).as(about).isZero();
                assertThat(shard.stores.routes.used()).as(about).isZero();
            }
        }
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
                lookup(reader, actual, about);
            }
        }
    }

    static Map<String, String> differences(Map<String, String> expected, Map<String, String> actual) {
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
                    Keys keys = Tries.isPrefixFamily(table.family)
                            ? shard.stores.tries.keys(table.family)
                            : shard.stores.exactKeys;
                    view.moveTo(shard, keys, page << 6 | slot, table);
                    stale[0] += view.stale() ? 1 : 0;
                }
            }
        }
        assertThat(table.stale()).as(about).isEqualTo(stale[0]);
    }

    static String text(RouteView route) {
        String nlri = route.isPrefix()
                ? "%016x%016x/%d".formatted(route.addressHigh(), route.addressLow(), route.prefixLength())
                : keyText(route);
        return route.peer() + " " + route.view() + " " + route.family() + " " + route.rd() + " " + nlri + " "
                + (route.hasPathId() ? Integer.toUnsignedString(route.pathId()) : null);
    }

    private static String keyText(RouteView route) {
        return route.keyHex();
    }

    static String value(RouteView route) {
        StringBuilder labels = new StringBuilder();
        for (int i = 0; i < route.labelCount(); i++) {
            labels.append(route.label(i)).append(' ');
        }
        return Hex.of(route.attributeBytes(), route.attributesFrom(), route.attributesTo()) + " " + labels
                + route.marking() + " " + route.stale();
    }

    /** @param actual every route as {@link RibReader#forEach} finds it */
    private void lookup(RibReader reader, Map<String, String> actual, String about) {
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
                RandomEvents.ROUTERS[random.nextInt(2)],
                BatchFeed.peer(random.nextInt(RandomEvents.PEERS), RibView.of(random.nextInt(4))));
        RibView view = RibView.of(random.nextInt(4));
        int expected = model.longest(peer, view, family, rd, high, low, ipv6);
        RouteView route = new RouteView();
        try (RibReader.Section section = reader.enter()) {
            boolean found = reader.longestMatch(family, rd, high, low, RouteCondition.of(peer, view), route);
            assertThat(found ? route.prefixLength() : -1).as(about + ", lookup").isEqualTo(expected);
            if (found) {
                assertThat(value(route)).as(about + ", route").isEqualTo(actual.get(text(route)));
            }
            int any = model.routes.keySet().stream()
                    .filter(k -> k.family() == family && k.rd() == rd && RibModel.covers(k, high, low, ipv6))
                    .mapToInt(RibModel.Key::length)
                    .max()
                    .orElse(-1);
            assertThat(reader.longestPrefix(family, rd, high, low))
                    .as(about + ", any")
                    .isEqualTo(any);
            int[] lengths = new int[1];
            reader.longestPrefixes(family, rd, new long[] {high}, new long[] {low}, 1, lengths);
            assertThat(lengths[0]).as(about + ", batch of any").isEqualTo(any);
            reader.longestMatches(
                    family, rd, new long[] {high}, new long[] {low}, 1, RouteCondition.of(peer, view), (i, match) -> {
                        assertThat(match == null ? -1 : match.prefixLength())
                                .as(about + ", batch")
                                .isEqualTo(expected);
                        if (match != null) {
                            assertThat(value(match))
                                    .as(about + ", route of batch")
                                    .isEqualTo(actual.get(text(match)));
                        }
                    });
        }
    }

    /** Two threads that read while the RIB changes and fail at anything inconsistent. */
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
                                || !PrefixBits.covers(
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
