package dev.silkroute.perf.rib;

import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteBatchBuilder;

/** The station's RIB, fed with records as they come from Kafka. */
final class OwnStore implements Store {
    private final Rib rib;

    OwnStore(RibConfig config) {
        rib = new Rib(config);
    }

    @Override
    public Feed feed(Workload work, String name, boolean read) {
        return RecordFeed.of(work, name, read, this::apply);
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

    /** Applies a Peer Down as the collector sends it, then removes the peer's routes without pauses. */
    @Override
    public Flushed flush(int peer) throws InterruptedException {
        PeerWatcher watcher = new PeerWatcher(rib, peer);
        watcher.start();
        watcher.watching.await();
        RouteBatchBuilder builder = new RouteBatchBuilder();
        RecordFeed.begin(builder);
        builder.event(EventKind.PEER_DOWN, builder.peer(RecordFeed.peer(peer)), 0, true, 0, 0);
        RouteBatch batch = RouteBatch.read(builder.build());
        long start = System.nanoTime();
        rib.apply(batch);
        long returned = System.nanoTime() - start;
        while (rib.purge(10_000)) {
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
