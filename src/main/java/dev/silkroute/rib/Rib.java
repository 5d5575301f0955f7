package dev.silkroute.rib;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.apply.PeerEvents;
import dev.silkroute.rib.apply.Shard;
import dev.silkroute.rib.index.AttributeIndex;
import dev.silkroute.rib.memory.Epochs;
import dev.silkroute.rib.peer.PeerState;
import dev.silkroute.rib.peer.PeerView;
import dev.silkroute.rib.peer.Registry;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import java.util.ArrayList;
import java.util.Arrays;
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
 * The RIB in memory. Batches are applied one after the other, from any thread; the result is the state that {@code
 * docs/explanation/state.md} defines. Readers see each event as it is applied, and never wait.
 *
 * <p>A batch is applied by the calling thread. With several shards each shard has a thread, and {@link #apply} returns
 * when all of them are done. {@code docs/reference/rib.md} describes guarantees and memory layout.
 *
 * <p>Thread-safe.
 */
public final class Rib implements AutoCloseable {
    private static final long COMPLETENESS_NANOS = 1_000_000_000;

    private final RibConfig config;
    private final Epochs epochs = new Epochs();
    private final Shard[] shards;
    private final ReentrantLock writeLock = new ReentrantLock();
    private final ExecutorService shardThreads;
    private final BatchOutcomes discarded = new BatchOutcomes();
    private final RibScans scans;
    private volatile boolean incomplete;
    private volatile long completenessCheckedAt;
    private final Queue<RibReader> idleReaders = new ConcurrentLinkedQueue<>();

    public Rib(RibConfig config) {
        this.config = config;
        shards = new Shard[config.shards()];
        for (int i = 0; i < shards.length; i++) {
            shards[i] = new Shard(i, config, epochs);
        }
        long indexBytes = config.indexBytes() / shards.length;
        scans = new RibScans(
                this,
                Arrays.stream(shards)
                        .map(shard -> new AttributeIndex(shard.stores, epochs, shard.registry.routes::get, indexBytes))
                        .toList());
        shardThreads = Executors.newFixedThreadPool(
                Math.max(1, shards.length - 1),
                Thread.ofPlatform().daemon().name("rib-shard-", 1).factory());
    }

    /** Applies a batch; a redecoded one is ignored. Waits while another batch is being applied. */
    public void apply(RouteBatch batch) {
        writeLock.lock();
        try {
            apply(batch, discarded);
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Applies a batch and reports what each event did.
     *
     * @param outcomes overwritten
     */
    public void apply(RouteBatch batch, BatchOutcomes outcomes) {
        writeLock.lock();
        try {
            outcomes.begin(batch.eventCount());
            if (batch.redecoded()) {
                Arrays.fill(outcomes.codes(), 0, outcomes.size(), RouteOutcome.IGNORED.code());
                shards[0].outcomes[RouteOutcome.IGNORED.ordinal()].add(outcomes.size());
            } else if (shards.length == 1) {
                shards[0].apply(batch, outcomes.codes(), outcomes.comparesPaths());
            } else {
                onEveryShard(shard -> shard.apply(batch, outcomes.codes(), outcomes.comparesPaths()));
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

    /**
     * Waits for a shard, without giving up when interrupted: a batch that is applied by some shards only would leave
     * the RIB wrong for good.
     */
    private static void await(Future<?> run) {
        boolean interrupted = false;
        while (true) {
            try {
                run.get();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException e) {
                throw new IllegalStateException("a shard failed, so the RIB is inconsistent", e.getCause());
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Removes routes that readers no longer see, and stale routes of tables that have been sent completely since. Each
     * batch does some of it; a timer should do it where batches are rare.
     *
     * @param most the number of routes that a shard may remove, approximately
     * @return whether there is more to purge
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
     * Ends what has been stale for too long. Call this periodically. Events that are older than this call count from
     * the call on, because the routes they confirm arrive with them.
     *
     * @param nowMicros microseconds since 1970
     * @param staleMicros how long a router may be without a session
     * @param resyncMicros how long after its session began a router may take to report a peer again
     * @return the number of peers ended, counted once per view
     */
    public int expire(long nowMicros, long staleMicros, long resyncMicros) {
        writeLock.lock();
        try {
            int ended = 0;
            for (Shard shard : shards) {
                ended = Math.max(ended, shard.peers.expire(nowMicros, staleMicros, resyncMicros));
            }
            return ended;
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Records that a session has reported a peer in one view, so that older sessions no longer count for it. For state
     * loaded from elsewhere; batches do this by themselves.
     */
    public void observeSession(String router, PeerEntry peer, long session) {
        writeLock.lock();
        try {
            for (Shard shard : shards) {
                shard.peers.observeSession(router, peer, session);
            }
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Records that a session has sent End-of-RIB for a peer in one view. For state loaded from elsewhere; batches do
     * this by themselves.
     *
     * @param family 0 for all families
     */
    public void observeEndOfRib(String router, PeerEntry peer, int family, long session) {
        writeLock.lock();
        try {
            for (Shard shard : shards) {
                shard.peers.observeEndOfRib(router, peer, family, session);
            }
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Records that routes of a peer in one view exist but are missing here, so that answers are incomplete until the
     * view's routes end or a newer session sends them. For state loaded from elsewhere.
     */
    public void observeMissing(String router, PeerEntry peer, long routes) {
        writeLock.lock();
        try {
            for (Shard shard : shards) {
                shard.missing(router, peer, shard == shards[0] ? routes : 0);
            }
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Ends all tables, as if all peers were down, and resets the state of sessions. Batches applied afterwards
     * have the same effect as in a new RIB. Counters since the start continue, and peers, tables and families that once
     * existed are still listed.
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

    /** Creates a reader for the calling thread, to be closed after use. */
    public RibReader reader() {
        return new RibReader(shards, epochs);
    }

    /** The number of live routes. */
    public long size() {
        long routes = 0;
        for (Shard shard : shards) {
            routes += shard.registry.routes.get();
        }
        return routes;
    }

    /** The number of live routes of a family in a view. */
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
            shard.registry.viewFamilies().forEach(viewFamily -> families.add(viewFamily.family));
        }
        return List.copyOf(families);
    }

    /** Every peer that has or had routes. */
    public List<RibPeer> peers() {
        return shards[0].registry.peers().stream().map(peer -> peer.identity).toList();
    }

    /** Scans over the routes, for queries. */
    public RibScans scans() {
        return scans;
    }

    /**
     * Runs a read while no batch is applied, so that it sees one moment between two batches. Writers wait; other
     * readers do not.
     */
    public <T> T withoutWrites(Supplier<T> read) {
        writeLock.lock();
        try {
            return read.get();
        } finally {
            writeLock.unlock();
        }
    }

    /**
     * Returns a pooled reader, to be given back by {@link #release}. The pool is as large as the number of concurrent
     * users. A reader per thread would keep a slot for every thread, and each batch looks at all slots.
     */
    public RibReader borrowReader() {
        RibReader reader = idleReaders.poll();
        return reader == null ? reader() : reader;
    }

    /**
     * Gives back a borrowed reader.
     *
     * @param reader outside of its sections
     */
    public void release(RibReader reader) {
        idleReaders.offer(reader);
    }

    Shard[] shards() {
        return shards;
    }

    public RibStatistics statistics() {
        long hidden = 0;
        long prefixes = 0;
        long reserved = 0;
        long pendingReclaim = 0;
        long rejectedTotal = 0;
        long evicted = 0;
        long rejected = 0;
        Map<RouteOutcome, Long> outcomes = new EnumMap<>(RouteOutcome.class);
        for (Shard shard : shards) {
            hidden += shard.purger.hidden.get();
            prefixes += shard.stores.prefixes() + shard.stores.exactKeys.used();
            reserved += shard.stores.memory.reserved();
            pendingReclaim += shard.stores.reclaimQueue.pending();
            rejectedTotal += shard.rejected();
            evicted += shard.purger.evicted.get();
            rejected += shard.rejectedWithoutPeer();
            for (PeerState peer : shard.registry.peers()) {
                for (PeerView peerView : Registry.views(peer, PeerEvents.ALL_VIEWS)) {
                    rejected += peerView.rejected();
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
                scans.attributeSets(),
                shards[0].stores.tables.count(),
                shards[0].registry.peers().size(),
                reserved,
                config.bytes(),
                scans.indexBytes(),
                pendingReclaim,
                epochs.readers(),
                rejectedTotal,
                rejected,
                evicted,
                outcomes);
    }

    /**
     * Returns whether routes that routers have announced are missing, for lack of memory or because they could not be
     * loaded, so that answers may be incomplete; up to a second late.
     */
    public boolean isIncomplete() {
        boolean never = true;
        for (Shard shard : shards) {
            never &= shard.rejected() == 0 && shard.purger.evicted.get() == 0;
        }
        if (never) {
            return false;
        }
        long now = System.nanoTime();
        if (now - completenessCheckedAt > COMPLETENESS_NANOS || completenessCheckedAt == 0) {
            incomplete = statistics().hasRejected();
            completenessCheckedAt = now;
        }
        return incomplete;
    }

    @Override
    public void close() {
        shardThreads.shutdown();
    }
}
