package dev.silkroute.perf.rib;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteBatchBuilder;
import dev.silkroute.route.RouteGroupBuilder;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A million IPv4 and 200,000 IPv6 prefixes of five peers in this JVM, the real ones and some more, six to an attribute
 * set; then changes without pause, each record a copy as a consumer gets it, while another thread reads. Prints what it
 * found as {@code name=value}.
 */
final class FullTableProcess {
    private static final int FOUR = 1_000_000;
    private static final int SIX = 200_000;
    private static final int PEERS = 5;

    /** On the average. */
    private static final int ROUTES_OF_A_SET = 6;

    private static final int RECORD = 1000;
    private static final int RECORDS_OF_CHANGES = 300;

    private final AttributeDraw attributes = new AttributeDraw();
    private final SplittableRandom random = new SplittableRandom(7);
    private final RouteBatchBuilder builder = new RouteBatchBuilder();
    private final ByteSink nlris = new ByteSink();
    private final ByteSink set = new ByteSink();
    private final Store store;
    private final List<RealTable.Prefix> four = new ArrayList<>();
    private final List<RealTable.Prefix> six = new ArrayList<>();
    private long sequence;

    private FullTableProcess(Store store) {
        this.store = store;
    }

    /** {@code own} or {@code plain}, the workload's file, its scale, and the seconds of changes. */
    public static void main(String[] arguments) throws Exception {
        boolean own = arguments[0].equals("own");
        FullTableProcess process =
                new FullTableProcess(own ? new OwnStore(RibConfig.ofBytes(4L << 30)) : new PlainStore());
        process.prefixes(new Workload(Path.of(arguments[1])), Double.parseDouble(arguments[2]));
        long before = Memory.inUse();
        process.fill();
        long bytes = Memory.inUse() - before;
        long routes = process.store.routes();
        print("routes", routes);
        print("bytes/route", (double) bytes / routes);
        print("reserved bytes/route", (double) process.store.reserved() / routes);
        process.churn(Double.parseDouble(arguments[3]));
        System.exit(0);
    }

    private static void print(String name, double value) {
        System.out.println(name + "=" + value);
    }

    private void prefixes(Workload work, double scale) {
        int[] real = work.routes("real");
        Set<RealTable.Prefix> known = new HashSet<>();
        for (int i = 0; i < real.length; i += Workload.ROUTE) {
            int p = real[i + 1];
            RealTable.Prefix prefix = new RealTable.Prefix(work.high(p), work.low(p), work.length(p), work.six(p));
            known.add(prefix);
            (prefix.six() ? six : four).add(prefix);
        }
        SyntheticTable more = new SyntheticTable(new GoRandom(77));
        while (four.size() < FOUR * scale) {
            RealTable.Prefix prefix = more.next();
            if (known.add(prefix)) {
                four.add(prefix);
            }
        }
        while (six.size() < SIX * scale) {
            RealTable.Prefix within = six.get(random.nextInt(six.size()));
            long high = within.high() | random.nextLong() & ~Oracle.mask(within.length()) & Oracle.mask(48);
            RealTable.Prefix prefix = new RealTable.Prefix(high, 0, 48, true);
            if (within.length() < 48 && known.add(prefix)) {
                six.add(prefix);
            }
        }
    }

    private void fill() {
        long nanos = 0;
        long routes = 0;
        for (int peer = 0; peer < PEERS; peer++) {
            GoRandom drawing = new GoRandom(peer + 1L);
            for (List<RealTable.Prefix> prefixes : List.of(four, six)) {
                boolean sixth = prefixes == six;
                java.util.Collections.shuffle(prefixes, new java.util.Random(peer));
                int at = 0;
                while (at < prefixes.size()) {
                    begin();
                    while (at < prefixes.size() && builder.eventCount() < RECORD) {
                        int count = Math.min(1 + random.nextInt(2 * ROUTES_OF_A_SET - 1), prefixes.size() - at);
                        announce(peer, prefixes.subList(at, at + count), sixth, drawing);
                        at += count;
                    }
                    byte[] record = builder.build();
                    long start = System.nanoTime();
                    RouteBatch batch = RouteBatch.read(record);
                    store.apply(batch);
                    nanos += System.nanoTime() - start;
                    routes += batch.eventCount();
                }
            }
        }
        print("routes/s, filling", routes / (nanos / 1e9));
    }

    private void begin() {
        builder.begin("perf", "router", "192.0.2.1", 1, 1_700_000_000_000_000L);
    }

    private void announce(int peer, List<RealTable.Prefix> prefixes, boolean sixth, GoRandom drawing) {
        set.reset();
        AttributeDraw.write(attributes.draw(drawing), peer, sixth, set);
        int index = builder.attributeSet(set.array(), 0, set.position());
        routes(EventKind.ANNOUNCE, peer, prefixes, sixth, index);
    }

    private void routes(EventKind kind, int peer, List<RealTable.Prefix> prefixes, boolean sixth, int index) {
        nlris.reset();
        for (RealTable.Prefix prefix : prefixes) {
            RecordFeed.nlri(prefix.high(), prefix.low(), prefix.length(), nlris);
        }
        RouteGroupBuilder routes = builder.group(
                        builder.peer(RecordFeed.peer(peer)), sixth ? Family.IPV6_UNICAST : Family.IPV4_UNICAST)
                .at(sequence, 0);
        if (kind == EventKind.ANNOUNCE) {
            routes.announce(index, prefixes.size(), nlris.array(), 0, nlris.position());
        } else {
            routes.withdraw(prefixes.size(), nlris.array(), 0, nlris.position());
        }
        sequence += prefixes.size();
    }

    /** One in ten withdraws; what was withdrawn comes again, for each route has changes to come. */
    private List<byte[]> changes() {
        GoRandom drawing = new GoRandom(99);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < RECORDS_OF_CHANGES; i++) {
            begin();
            while (builder.eventCount() < RECORD) {
                int peer = random.nextInt(PEERS);
                boolean sixth = random.nextInt(6) == 0;
                List<RealTable.Prefix> among = sixth ? six : four;
                int at = random.nextInt(among.size() - 2);
                if (random.nextInt(10) == 0) {
                    routes(EventKind.WITHDRAW, peer, among.subList(at, at + 1), sixth, -1);
                } else {
                    announce(peer, among.subList(at, at + 1 + random.nextInt(2)), sixth, drawing);
                }
            }
            records.add(builder.build());
        }
        return records;
    }

    private void churn(double seconds) throws InterruptedException {
        List<byte[]> records = changes();
        int[] addresses = random.ints(10_000).toArray();
        ChurnWriter writer = new ChurnWriter(new Store.Feed() {
            @Override
            public int portions() {
                return records.size();
            }

            @Override
            public int apply(int portion) {
                RouteBatch batch = RouteBatch.read(records.get(portion).clone());
                store.apply(batch);
                return batch.eventCount();
            }
        });
        Store.Reader reader = store.reader();
        print("churn from", uptime());
        writer.start();
        long sink = 0;
        long start = System.nanoTime();
        Latencies latencies = new Latencies();
        while (System.nanoTime() - start < seconds * 1e9) {
            for (int address : addresses) {
                long asked = System.nanoTime();
                sink += reader.full4(address);
                latencies.add(System.nanoTime() - asked);
            }
        }
        long updates = writer.updates();
        print("updates/s", updates / ((System.nanoTime() - start) / 1e9));
        print("allocated/update, the record's copy in it", (double) writer.end() / writer.updates());
        print("churn to", uptime());
        print("read p50 ns", latencies.quantile(0.5));
        print("read p99 ns", latencies.quantile(0.99));
        print("read p99.9 ns", latencies.quantile(0.999));
        print("reads", latencies.total() + (sink == 42 ? 1 : 0));
        print("routes afterwards", store.routes());
    }

    private static double uptime() {
        return ManagementFactory.getRuntimeMXBean().getUptime() / 1e3;
    }
}
