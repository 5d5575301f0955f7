package dev.silkroute.perf.rib;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteBatchBuilder;
import java.util.ArrayList;
import java.util.List;

/** The station's RIB, fed with records as they come from Kafka. */
final class OwnStore implements Store {
    /** Updates of a record. */
    private static final int PORTION = 1000;

    /** 198.51.100.1. */
    static final long FIRST_PEER = 0xC6336401L;

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
        PeerWatcher watcher = new PeerWatcher(rib, peer);
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

    @Override
    public long reserved() {
        return rib.statistics().reservedBytes();
    }

    @Override
    public void close() {
        rib.close();
    }
}
