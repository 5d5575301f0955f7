package dev.silkroute.perf.rib;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteBatchBuilder;
import dev.silkroute.route.RouteGroupBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Routes as records, as they come from Kafka. */
final class RecordFeed {
    /** Updates of a record. */
    private static final int PORTION = 1000;

    /** 198.51.100.1. */
    static final long FIRST_PEER = 0xC6336401L;

    private static final long SESSION = 1;
    private static final long AT = 1_700_000_000_000_000L;

    private RecordFeed() {}

    /**
     * @param read whether the records are read now, not each when it is applied
     * @param store applies a record
     */
    static Store.Feed of(Workload work, String routes, boolean read, Consumer<RouteBatch> store) {
        List<byte[]> records = records(work, work.routes(routes));
        List<RouteBatch> batches = new ArrayList<>();
        if (read) {
            records.forEach(bytes -> batches.add(RouteBatch.read(bytes)));
        }
        return new Store.Feed() {
            @Override
            public int portions() {
                return records.size();
            }

            @Override
            public int apply(int portion) {
                RouteBatch batch = read ? batches.get(portion) : RouteBatch.read(records.get(portion));
                store.accept(batch);
                return batch.eventCount();
            }
        };
    }

    /** A record of the one router there is. */
    static void begin(RouteBatchBuilder builder) {
        builder.begin("perf", "router", "192.0.2.1", SESSION, AT);
    }

    static PeerEntry peer(int number) {
        return new PeerEntry(
                0, 0, false, 0, FIRST_PEER + number, 64_500 + number, 1 + number, RibView.ADJ_RIB_IN_PRE_POLICY);
    }

    private static List<byte[]> records(Workload work, int[] routes) {
        RouteBatchBuilder builder = new RouteBatchBuilder();
        List<byte[]> records = new ArrayList<>();
        for (int from = 0; from < routes.length; from += PORTION * Workload.ROUTE) {
            int to = Math.min(routes.length, from + PORTION * Workload.ROUTE);
            begin(builder);
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
        RouteGroupBuilder route = builder.group(
                        builder.peer(peer(peer)), work.six(prefix) ? Family.IPV6_UNICAST : Family.IPV4_UNICAST)
                .at(sequence, 0);
        if (set == Workload.WITHDRAWAL) {
            route.withdraw(1, nlri.array(), 0, nlri.position());
        } else {
            int index = builder.attributeSet(work.bytes(), work.setFrom(set), work.setTo(set));
            route.announce(index, 1, nlri.array(), 0, nlri.position());
        }
    }

    /** A prefix as BGP writes it. */
    static void nlri(long high, long low, int length, ByteSink out) {
        out.u8(length);
        for (int bit = 0; bit < length; bit += 8) {
            out.u8((int) ((bit < 64 ? high >>> 56 - bit : low >>> 120 - bit) & 0xFF));
        }
    }
}
