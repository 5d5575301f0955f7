package dev.silkroute.rib;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.apply.PeerEvents;
import dev.silkroute.rib.apply.Shard;
import dev.silkroute.rib.memory.Epochs;
import dev.silkroute.rib.peer.PeerState;
import dev.silkroute.rib.peer.PeerView;
import dev.silkroute.rib.peer.Registry;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The RIB in memory. Batches go in one after the other, from any thread; it comes to the state that {@code docs/state.md} defines: up, stale,
 * withdrawn. Readers see each event as it is applied and wait for nothing.
 *
 * <p>A batch is applied by the calling thread; with several shards by a thread for each, all of which have done it when
 * {@link #apply} returns. Memory layout and promises: {@code docs/rib.md}.
 */
public final class Rib implements AutoCloseable {
    private final RibConfig config;
    private final Epochs epochs = new Epochs();
    private final Shard[] shards;
    private final ReentrantLock writeLock = new ReentrantLock();
    private final ExecutorService shardThreads;
    private final BatchOutcomes discarded = new BatchOutcomes();
    private final RibScans scans = new RibScans(this);
    private final Queue<RibReader> idleReaders = new ConcurrentLinkedQueue<>();

    public Rib(RibConfig config) {
        this.config = config;
        shards = new Shard[config.shards()];
        for (int i = 0; i < shards.length; i++) {
            shards[i] = new Shard(i, config, epochs);
        }
        shardThreads = Executors.newFixedThreadPool(
                Math.max(1, shards.length - 1),
                Thread.ofPlatform().daemon().name("rib-shard-", 1).factory());
    }

    /** Applies a batch. One that was decoded again is passed over. Waits while another is being applied. */
    public void apply(RouteBatch batch) {
        writeLock.lock();
        try {
            apply(batch, discarded);
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Applies a batch and says what each event did.
     *
     * @param outcomes filled anew
     */
    public void apply(RouteBatch batch, BatchOutcomes outcomes) {
        writeLock.lock();
        try {
            outcomes.begin(batch.eventCount());
            if (batch.redecoded()) {
                java.util.Arrays.fill(outcomes.codes(), 0, outcomes.size(), RouteOutcome.IGNORED.code());
                shards[0].outcomes[RouteOutcome.IGNORED.ordinal()].add(outcomes.size());
            } else if (shards.length == 1) {
                shards[0].apply(batch, outcomes.codes(), outcomes.ways());
            } else {
                onEveryShard(shard -> shard.apply(batch, outcomes.codes(), outcomes.ways()));
            }
            outcomes.count();
        } finally {
            writeLock.unlock();
        }
    }

    @FunctionalInterface
    private interface Work {
        void on(Shard shard);
    }

    private void onEveryShard(Work work) {
        List<Future<?>> running = new ArrayList<>(shards.length - 1);
        for (int i = 1; i < shards.length; i++) {
            Shard shard = shards[i];
            running.add(shardThreads.submit(() -> work.on(shard)));
        }
        work.on(shards[0]);
        running.forEach(Rib::await);
    }

    /** Not to be left early: half a batch in the RIB would be wrong for good. */
    private static void await(Future<?> run) {
        boolean interrupted = false;
        while (true) {
            try {
                run.get();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException e) {
                throw new IllegalStateException("a shard failed: the RIB is no longer whole", e.getCause());
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Takes away routes that readers don't see any more, and those that a table sent anew has no more. Every batch does some of it; where batches
     * are rare, a timer should.
     *
     * @param most about how many routes a shard may take away
     * @return whether there is more to do
     */
    public boolean purge(long most) {
        writeLock.lock();
        try {
            boolean more = false;
            for (Shard shard : shards) {
                more |= shard.purge(most);
            }
            return more;
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Ends what has been stale for too long. To be called now and then: what batches say of routers afterwards counts from this call on, if it was
     * before, for what they say of the routes comes with it.
     *
     * @param nowMicros microseconds since 1970
     * @param awayMicros how long a router may be away
     * @param unmentionedMicros how long after the begin of its session a router may not have spoken of a peer
     * @return how many peers ended, counted once for each view
     */
    public int expire(long nowMicros, long awayMicros, long unmentionedMicros) {
        writeLock.lock();
        try {
            int ended = 0;
            for (Shard shard : shards) {
                ended = Math.max(ended, shard.peers.expire(nowMicros, awayMicros, unmentionedMicros));
            }
            return ended;
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * A session has spoken of a peer in one view, without a route that is there: what older ones say of that counts no more. For a state that comes
     * from elsewhere; batches say it by themselves.
     */
    public void observeSession(String router, PeerEntry peer, long session) {
        writeLock.lock();
        try {
            for (Shard shard : shards) {
                shard.peers.heard(router, peer, session);
            }
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Ends all tables, as if every peer had gone down: readers see nothing of them any more. What comes is taken as a new RIB would, of whatever sessions
     * it is; only what counts since the start goes on, and peers, tables and families that were there once are still named.
     */
    public void clear() {
        writeLock.lock();
        try {
            for (Shard shard : shards) {
                shard.peers.clear();
            }
        } finally {
            writeLock.unlock();
        }
    }

    /** A reader for the calling thread; to be closed, or kept. */
    public RibReader reader() {
        return new RibReader(shards, epochs);
    }

    /** Live routes. */
    public long size() {
        long routes = 0;
        for (Shard shard : shards) {
            routes += shard.registry.routes.get();
        }
        return routes;
    }

    /** Live routes of a family in a view. */
    public long size(RibView view, int family) {
        long routes = 0;
        for (Shard shard : shards) {
            routes += shard.registry.routes(view, family);
        }
        return routes;
    }

    /** Families that have or had routes. */
    public List<Integer> families() {
        TreeSet<Integer> families = new TreeSet<>();
        for (Shard shard : shards) {
            shard.registry.cells().forEach(cell -> families.add(cell.family));
        }
        return List.copyOf(families);
    }

    /** Every peer that has or had routes. */
    public List<RibPeer> peers() {
        return shards[0].registry.peers().stream().map(peer -> peer.identity).toList();
    }

    /** Ways to go through the routes, for queries. */
    public RibScans scans() {
        return scans;
    }

    /** Runs something while nothing is written: what it reads is of one moment, between two batches. Writers wait, readers don't. */
    public <T> T withoutWrites(Supplier<T> read) {
        writeLock.lock();
        try {
            return read.get();
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * A reader for a moment, to be given back by whoever has asked: so there are as many as ask at a time, however many threads come and go. One
     * that is kept for each thread would have its place for ever where threads are many, and every batch looks at all places.
     */
    public RibReader borrowReader() {
        RibReader reader = idleReaders.poll();
        return reader == null ? reader() : reader;
    }

    /** @param reader borrowed here, outside of its sections */
    public void release(RibReader reader) {
        idleReaders.offer(reader);
    }

    Shard[] shards() {
        return shards;
    }

    public RibStatistics statistics() {
        long hidden = 0;
        long prefixes = 0;
        long sets = 0;
        long reserved = 0;
        long waiting = 0;
        long refused = 0;
        long lacking = 0;
        Map<RouteOutcome, Long> outcomes = new EnumMap<>(RouteOutcome.class);
        for (Shard shard : shards) {
            hidden += shard.purger.hidden.get();
            prefixes += shard.stores.prefixes() + shard.stores.exactKeys.used();
            sets += shard.stores.attributes.size();
            reserved += shard.stores.memory.reserved();
            waiting += shard.stores.reclaimQueue.pending();
            refused += shard.refused();
            for (PeerState peer : shard.registry.peers()) {
                for (PeerView peerView : Registry.views(peer, PeerEvents.ALL_VIEWS)) {
                    lacking += peerView.lacking();
                }
            }
            for (RouteOutcome outcome : RouteOutcome.values()) {
                outcomes.merge(outcome, shard.outcomes[outcome.ordinal()].get(), Long::sum);
            }
        }
        return new RibStatistics(
                size(),
                hidden,
                prefixes,
                sets,
                shards[0].stores.tables.count(),
                shards[0].registry.peers().size(),
                reserved,
                config.bytes(),
                waiting,
                epochs.readers(),
                refused,
                lacking,
                outcomes);
    }

    @Override
    public void close() {
        shardThreads.shutdown();
    }
}
