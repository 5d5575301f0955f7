package dev.silkroute.rib.apply;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.rib.store.Stores;
import dev.silkroute.rib.trie.BatchPrefixFinder;
import dev.silkroute.rib.trie.Trie;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of a batch in windows of up to {@value #WINDOW} and loads into the caches, step by step for the
 * whole window, what applying them one by one will need: trie nodes, prefix records, first routes and attribute sets.
 * The cache misses of different events then overlap instead of being waited for one after the other (ADR 17 has the
 * measurements).
 *
 * <p>Prefetching changes nothing in the tables, and its results are hints: the events applied before an event may add
 * or remove the prefix that {@link #key} reports for it. Used by the shard's writer only.
 */
final class EventPrefetcher {
    /** Maximum number of events in a window. */
    static final int WINDOW = 128;

    private final int shardIndex;
    private final int shards;
    private final Stores stores;
    private final BatchAttributeSets sets;
    private final BatchPrefixFinder finder;

    private @Nullable RouteCursor cursor;

    /** Number in the batch of the first event after the window. */
    private int windowEnd;

    /**
     * Number of events in the window, which are the events {@code windowEnd - windowSize} to {@code windowEnd - 1} of
     * the batch.
     */
    private int windowSize;

    // One element for each event of the window. A reference is stored only where it changes: every reference store into
    // an old object triggers a G1 write barrier with a fence, which waits for all earlier loads, and they must overlap.
    private final @Nullable RouteCursor[] events = new @Nullable RouteCursor[WINDOW];
    private final @Nullable Trie[] tries = new @Nullable Trie[WINDOW];
    /** True if the event has a prefix of this shard that is still to be looked up in its trie. */
    private final boolean[] pending = new boolean[WINDOW];

    private final int[] keys = new int[WINDOW];

    // The events of the trie that is being searched, the keys that exist in it, the first route of each of these, and
    // its attributes.
    private final int[] trieEvents = new int[WINDOW];
    private final int[] presentKeys = new int[WINDOW];
    private final int[] firstRoutes = new int[WINDOW];
    private final int[] firstAttributes = new int[WINDOW];

    // The first routes found in all tries of the window, and their attributes.
    private final int[] routes = new int[WINDOW];
    private final int[] attributes = new int[WINDOW];
    private int routeCount;

    @SuppressWarnings("unused") // written so that the JIT compiler cannot eliminate the prefetching loads
    private int sink;

    /**
     * @param shardIndex the shard whose routes are prefetched
     * @param shards the number of shards
     */
    EventPrefetcher(int shardIndex, int shards, Stores stores, BatchAttributeSets sets) {
        this.shardIndex = shardIndex;
        this.shards = shards;
        this.stores = stores;
        this.sets = sets;
        finder = new BatchPrefixFinder(stores.nodes);
    }

    /** Starts a batch. */
    void begin(RouteBatch batch) {
        cursor = batch.cursor(cursor);
        windowEnd = 0;
        windowSize = 0;
    }

    /** Drops the references to tries. */
    void end() {
        Arrays.fill(tries, null);
    }

    /**
     * Returns an event, after prefetching the window that it opens.
     *
     * @param event number of the event in the batch; callers ask for 0, 1, 2, … in turn
     */
    RouteCursor event(int event) {
        if (event == windowEnd) {
            prefetchWindow();
        }
        return inWindow(indexOf(event));
    }

    /** Returns the key that the event's prefix had when the window was prefetched, 0 if it had none. */
    int key(int event) {
        return keys[indexOf(event)];
    }

    private int indexOf(int event) {
        return event - (windowEnd - windowSize);
    }

    private RouteCursor inWindow(int index) {
        return Objects.requireNonNull(events[index]);
    }

    private void prefetchWindow() {
        readEvents();
        int touched = findPrefixes();
        touched += stores.routes.touch(routes, routeCount);
        touched += stores.attributes.touchHeads(attributes, routeCount);
        sink = touched + sets.prefetch();
        windowEnd += windowSize;
    }

    private void readEvents() {
        windowSize = 0;
        RouteCursor event = Objects.requireNonNull(cursor, "no batch");
        while (windowSize < WINDOW && event.next()) {
            int i = windowSize++;
            RouteCursor copy = events[i];
            if (copy == null) {
                events[i] = event.copy(null);
            } else {
                event.copy(copy);
            }
            pending[i] = false;
            keys[i] = 0;
            if (event.kind().isRoute() && event.nlri().isPrefix()) {
                readPrefix(i, event);
            }
        }
    }

    private void readPrefix(int i, RouteCursor event) {
        NlriReader nlri = event.nlri();
        if (Shard.of(nlri.ipv6(), nlri.rd(), RouteEvents.addressHigh(nlri), nlri.prefixLength(), shards)
                != shardIndex) {
            return;
        }
        if (event.attributeSet() >= 0) {
            sets.request(event.attributeSet());
        }
        Trie trie = stores.tries.find(event.family(), nlri.rd());
        if (trie != null) {
            pending[i] = true;
            if (tries[i] != trie) {
                tries[i] = trie;
            }
        }
    }

    /** Finds the keys of the window's prefixes, one trie after the other, and the first route of each. */
    private int findPrefixes() {
        routeCount = 0;
        int touched = 0;
        for (int first = 0; first < windowSize; first++) {
            if (pending[first]) {
                Trie trie = Objects.requireNonNull(tries[first]);
                addPrefixesOf(trie, first);
                touched += finder.find(trie) + loadFirstRoutes(trie);
            }
        }
        return touched;
    }

    private void addPrefixesOf(Trie trie, int first) {
        finder.count = 0;
        for (int i = first; i < windowSize; i++) {
            if (pending[i] && tries[i] == trie) {
                pending[i] = false;
                trieEvents[finder.count] = i;
                NlriReader nlri = inWindow(i).nlri();
                finder.add(RouteEvents.addressHigh(nlri), RouteEvents.addressLow(nlri), nlri.prefixLength());
            }
        }
    }

    private int loadFirstRoutes(Trie trie) {
        int touched = 0;
        int present = 0;
        for (int i = 0; i < finder.count; i++) {
            int key = finder.keys[i];
            keys[trieEvents[i]] = key;
            boolean withdrawal = inWindow(trieEvents[i]).kind() == EventKind.WITHDRAW;
            // The prefix is likely to come or go: its node will be replaced.
            if (withdrawal == (key != 0)) {
                touched += finder.touchEndNode(trie, i);
            }
            if (key != 0) {
                presentKeys[present++] = key;
            }
        }
        trie.keys.firsts(presentKeys, present, firstRoutes, firstAttributes);
        for (int i = 0; i < present; i++) {
            if (firstRoutes[i] != 0) {
                attributes[routeCount] = firstAttributes[i];
                routes[routeCount++] = firstRoutes[i];
            }
        }
        return touched;
    }
}
