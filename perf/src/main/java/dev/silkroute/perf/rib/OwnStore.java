package dev.silkroute.perf.rib;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.RibReader;
import dev.silkroute.rib.RouteCondition;
import dev.silkroute.rib.RouteView;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteBatchBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The station's RIB, fed with records as they come from Kafka. */
final class OwnStore implements Store {
    /** Updates of a record. */
    private static final int PORTION = 1000;

    /** Lookups in one section of a reader, where it is not one each. */
    private static final int SECTION = 1000;

    /** 198.51.100.1. */
    static final long FIRST_PEER = 0xC6336401L;

    private static final int AS_PATH = 2;
    private static final long SESSION = 1;
    private static final long AT = 1_700_000_000_000_000L;

    private final Rib rib;

    OwnStore(RibConfig config) {
        rib = new Rib(config);
    }

    static PeerEntry peer(int number) {
        return new PeerEntry(
                0, 0, false, 0, FIRST_PEER + number, 64_500 + number, 1 + number, RibView.ADJ_RIB_IN_PRE_POLICY);
    }

    @Override
    public Feed feed(Workload work, String routes, boolean read) {
        List<byte[]> records = records(work, work.routes(routes));
        List<RouteBatch> batches = new ArrayList<>();
        if (read) {
            records.forEach(bytes -> batches.add(RouteBatch.read(bytes)));
        }
        return new Feed() {
            @Override
            public int portions() {
                return records.size();
            }

            @Override
            public int apply(int portion) {
                RouteBatch batch = read ? batches.get(portion) : RouteBatch.read(records.get(portion));
                rib.apply(batch);
                return batch.eventCount();
            }
        };
    }

    private static List<byte[]> records(Workload work, int[] routes) {
        RouteBatchBuilder builder = new RouteBatchBuilder();
        List<byte[]> records = new ArrayList<>();
        for (int from = 0; from < routes.length; from += PORTION * Workload.ROUTE) {
            int to = Math.min(routes.length, from + PORTION * Workload.ROUTE);
            builder.begin("perf", "router", "192.0.2.1", SESSION, AT);
            for (int i = from; i < to; i += Workload.ROUTE) {
                add(work, builder, routes[i], routes[i + 1], routes[i + 2], i);
            }
            records.add(builder.build());
        }
        return records;
    }

    private static void add(Workload work, RouteBatchBuilder builder, int peer, int prefix, int set, int sequence) {
        ByteSink nlri = new ByteSink();
        nlri(work.high(prefix), work.low(prefix), work.length(prefix), nlri);
        boolean gone = set == Workload.WITHDRAWAL;
        builder.routes(
                gone ? EventKind.WITHDRAW : EventKind.ANNOUNCE,
                builder.peer(peer(peer)),
                work.six(prefix) ? Family.IPV6_UNICAST : Family.IPV4_UNICAST,
                false,
                !gone,
                false,
                gone ? -1 : builder.attributeSet(work.bytes(), work.setFrom(set), work.setTo(set)),
                sequence,
                0,
                1,
                nlri.array(),
                0,
                nlri.position());
    }

    /** A prefix as BGP writes it. */
    static void nlri(long high, long low, int length, ByteSink out) {
        out.u8(length);
        for (int bit = 0; bit < length; bit += 8) {
            out.u8((int) ((bit < 64 ? high >>> 56 - bit : low >>> 120 - bit) & 0xFF));
        }
    }

    @Override
    public void apply(RouteBatch batch) {
        rib.apply(batch);
    }

    @Override
    public Reader reader() {
        return new OwnReader(rib.reader());
    }

    @Override
    public long routes() {
        return rib.size();
    }

    /** A Peer Down, as the collector tells it; then what it leaves is taken away without pause. */
    @Override
    public Flushed flush(int peer) throws InterruptedException {
        Watcher watcher = new Watcher(rib, peer);
        watcher.start();
        watcher.watching.await();
        RouteBatchBuilder builder = new RouteBatchBuilder();
        builder.begin("perf", "router", "192.0.2.1", SESSION, AT);
        builder.event(EventKind.PEER_DOWN, builder.peer(peer(peer)), 0, true, 0, 0);
        RouteBatch batch = RouteBatch.read(builder.build());
        long start = System.nanoTime();
        rib.apply(batch);
        long returned = System.nanoTime() - start;
        while (rib.sweep(10_000)) {
            // until nothing is left
        }
        long reclaimed = System.nanoTime() - start;
        watcher.join();
        // The watcher may have been waiting for a core: what is asked after the call is right anyhow.
        return new Flushed(Math.min(watcher.gone - start, returned), returned, reclaimed);
    }

    /** Asks for one of a peer's routes until it isn't there. */
    private static final class Watcher extends Thread {
        private final Rib rib;
        private final RouteCondition condition;
        private long high;
        private long low;
        private int family;
        final CountDownLatch watching = new CountDownLatch(1);
        long gone;

        Watcher(Rib rib, int number) {
            this.rib = rib;
            RibPeer peer = RibPeer.of("router", peer(number));
            condition = RouteCondition.of(peer, RibView.ADJ_RIB_IN_PRE_POLICY);
        }

        @Override
        public void run() {
            try (RibReader reader = rib.reader()) {
                reader.forEach(route -> {
                    if (family == 0 && condition.test(route)) {
                        family = route.family();
                        high = route.addressHigh();
                        low = route.addressLow();
                    }
                });
                RouteView route = new RouteView();
                boolean there = true;
                while (there) {
                    try (RibReader.Section _ = reader.enter()) {
                        there = reader.longestMatch(family, 0, high, low, condition, route);
                    }
                    watching.countDown();
                }
                gone = System.nanoTime();
            } finally {
                watching.countDown();
            }
        }
    }

    @Override
    public long reserved() {
        return rib.statistics().reservedBytes();
    }

    @Override
    public void close() {
        rib.close();
    }

    static final class OwnReader implements Reader {
        private final RibReader reader;
        private final RouteView route = new RouteView();
        private final long[] high = new long[SECTION];
        private final long[] low = new long[SECTION];
        private long sum;

        OwnReader(RibReader reader) {
            this.reader = reader;
        }

        private static long number(RouteView route) {
            int path = route.attribute(AS_PATH);
            return route.originAs() << 8 | (path < 0 ? 0 : route.attributeBytes()[path + 1]);
        }

        private long full(int family, long high, long low) {
            try (RibReader.Section _ = reader.enter()) {
                return reader.longestMatch(family, 0, high, low, RouteCondition.ANY, route) ? number(route) : 0;
            }
        }

        @Override
        public long full4(int address) {
            return full(Family.IPV4_UNICAST, 0, address & 0xFFFFFFFFL);
        }

        @Override
        public long full6(long high, long low) {
            return full(Family.IPV6_UNICAST, high, low);
        }

        @Override
        public long match4(int address) {
            try (RibReader.Section _ = reader.enter()) {
                return reader.longestPrefix(Family.IPV4_UNICAST, 0, 0, address & 0xFFFFFFFFL);
            }
        }

        @Override
        public long match6(long high, long low) {
            try (RibReader.Section _ = reader.enter()) {
                return reader.longestPrefix(Family.IPV6_UNICAST, 0, high, low);
            }
        }

        @Override
        public long matches(Workload.Probes probes, int first, int end) {
            long all = 0;
            for (int from = first; from < end; from += SECTION) {
                int to = Math.min(end, from + SECTION);
                try (RibReader.Section _ = reader.enter()) {
                    if (probes.six()) {
                        for (int i = from; i < to; i++) {
                            all += reader.longestPrefix(Family.IPV6_UNICAST, 0, probes.high[i], probes.low[i]);
                        }
                    } else {
                        for (int i = from; i < to; i++) {
                            all += reader.longestPrefix(Family.IPV4_UNICAST, 0, 0, probes.four[i] & 0xFFFFFFFFL);
                        }
                    }
                }
            }
            return all;
        }

        @Override
        public long fulls(Workload.Probes probes, int first, int end) {
            sum = 0;
            for (int from = first; from < end; from += SECTION) {
                int count = Math.min(SECTION, end - from);
                for (int i = 0; i < count; i++) {
                    high[i] = probes.six() ? probes.high[from + i] : 0;
                    low[i] = probes.six() ? probes.low[from + i] : probes.four[from + i] & 0xFFFFFFFFL;
                }
                int family = probes.six() ? Family.IPV6_UNICAST : Family.IPV4_UNICAST;
                reader.longestMatches(
                        family,
                        0,
                        high,
                        low,
                        count,
                        RouteCondition.ANY,
                        (_, found) -> sum += found == null ? 0 : number(found));
            }
            return sum;
        }

        @Override
        public long answer4(int address, boolean whole) {
            return answer(Family.IPV4_UNICAST, 0, address & 0xFFFFFFFFL, whole);
        }

        @Override
        public long answer6(long high, long low, boolean whole) {
            return answer(Family.IPV6_UNICAST, high, low, whole);
        }

        private long answer(int family, long high, long low, boolean whole) {
            try (RibReader.Section _ = reader.enter()) {
                if (!reader.longestMatch(family, 0, high, low, RouteCondition.ANY, route)) {
                    return 0;
                }
                if (reader.longestPrefix(family, 0, high, low) != route.prefixLength()) {
                    throw new IllegalStateException("two answers for the longest prefix");
                }
                long prefix = family == Family.IPV6_UNICAST
                        ? Digest.prefix(route.addressHigh(), route.addressLow(), route.prefixLength())
                        : Digest.prefix(route.addressLow() << 32, 0, route.prefixLength());
                return whole
                        ? Digest.route(prefix, route.attributeBytes(), route.attributesFrom(), route.attributesTo())
                        : prefix;
            }
        }
    }
}
