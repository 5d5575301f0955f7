package dev.silkroute.rib.apply;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.rib.store.Stores;
import dev.silkroute.rib.trie.Descent;
import dev.silkroute.rib.trie.Trie;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Looks some events of a batch ahead and loads, step by step for all of them, what applying them one by one will need: so their memory is waited for
 * together. It changes nothing. What it has found may be otherwise when an event's turn comes, for the events before it change the tables: a key may have no
 * routes any more, and a prefix that had none may have one. The writer's.
 */
public final class EventPrefetcher {
    public static final int MOST = 128;

    private final int number;
    private final int shards;
    private final Stores stores;
    private final BatchSets sets;
    private final Descent descent;

    private @Nullable RouteCursor cursor;
    /** Events that have been looked at. */
    private int seen;

    /** Those of them that were looked at last, and how many. */
    private final @Nullable RouteCursor[] window = new @Nullable RouteCursor[MOST];

    private int events;
    /** Tries of the events' prefixes, for those that are sought. */
    private final @Nullable Trie[] tries = new @Nullable Trie[MOST];

    /** Whether an event has a prefix that hasn't been found yet, and there is a trie for it. */
    private final boolean[] sought = new boolean[MOST];

    private final int[] keys = new int[MOST];

    // The events whose prefixes are in one trie, their keys that are there, and the first routes of these.
    private final int[] together = new int[MOST];
    private final int[] present = new int[MOST];
    private final int[] heads = new int[MOST];

    // First routes in all tries, and what they have.
    private final int[] routes = new int[MOST];
    private final int[] attributes = new int[MOST];
    private int routeCount;

    @SuppressWarnings("unused") // only so that what was loaded isn't left out
    private int loaded;

    /** @param number of the shard, of so many */
    EventPrefetcher(int number, int shards, Stores stores, BatchSets sets) {
        this.number = number;
        this.shards = shards;
        this.stores = stores;
        this.sets = sets;
        descent = new Descent(stores.nodes);
    }

    /** Stands before the first event of a batch. */
    void begin(RouteBatch of) {
        cursor = of.cursor(cursor);
        seen = 0;
        events = 0;
    }

    /** Lets the batch's tries go. */
    void end() {
        Arrays.fill(tries, null);
    }

    /** An event of the batch; looks further ahead if it hasn't been looked at. Events are asked for in their order. */
    RouteCursor reach(int event) {
        if (event == seen) {
            read();
            int touched = find();
            touched += stores.routes.attributes(routes, routeCount, attributes);
            touched += stores.attributes.loadHeads(attributes, routeCount);
            loaded = touched + sets.seek();
            seen += events;
        }
        return event(event - seen + events);
    }

    private RouteCursor event(int i) {
        return Objects.requireNonNull(window[i]);
    }

    /** The key that an event's prefix had in its trie when it was looked at, 0 if none. */
    int key(int event) {
        return keys[event - seen + events];
    }

    /**
     * References are stored only where they change: the collector has to be told of each store, which waits for all loads before it, and these are to wait
     * together.
     */
    private void read() {
        events = 0;
        RouteCursor event = Objects.requireNonNull(cursor, "no batch");
        while (events < MOST && event.next()) {
            int i = events++;
            RouteCursor copy = window[i];
            if (copy == null) {
                window[i] = event.copy(null);
            } else {
                event.copy(copy);
            }
            sought[i] = false;
            keys[i] = 0;
            if (event.kind().isRoute() && event.nlri().isPrefix()) {
                prefix(i, event);
            }
        }
    }

    private void prefix(int i, RouteCursor event) {
        NlriReader nlri = event.nlri();
        if (Shard.of(nlri.ipv6(), nlri.rd(), RouteEvents.high(nlri), nlri.prefixLength(), shards) != number) {
            return;
        }
        if (event.attributeSet() >= 0) {
            sets.note(event.attributeSet());
        }
        Trie trie = stores.tries.find(event.family(), nlri.rd());
        if (trie != null) {
            sought[i] = true;
            if (tries[i] != trie) {
                tries[i] = trie;
            }
        }
    }

    /** Finds the keys, trie by trie, and the first route of each. */
    private int find() {
        routeCount = 0;
        int touched = 0;
        for (int first = 0; first < events; first++) {
            if (sought[first]) {
                Trie trie = Objects.requireNonNull(tries[first]);
                gather(trie, first);
                touched += descent.find(trie) + heads(trie);
            }
        }
        return touched;
    }

    private void gather(Trie trie, int first) {
        descent.count = 0;
        for (int i = first; i < events; i++) {
            if (sought[i] && tries[i] == trie) {
                sought[i] = false;
                together[descent.count] = i;
                NlriReader nlri = event(i).nlri();
                descent.add(RouteEvents.high(nlri), RouteEvents.low(nlri), nlri.prefixLength());
            }
        }
    }

    private int heads(Trie trie) {
        int touched = 0;
        int count = 0;
        for (int i = 0; i < descent.count; i++) {
            int key = descent.keys[i];
            keys[together[i]] = key;
            boolean goes = event(together[i]).kind() == EventKind.WITHDRAW;
            if (goes == (key != 0)) {
                touched += descent.loadEnd(trie, i);
            }
            if (key != 0) {
                present[count++] = key;
            }
        }
        trie.keys.heads(present, count, heads);
        for (int i = 0; i < count; i++) {
            if (heads[i] != 0) {
                routes[routeCount++] = heads[i];
            }
        }
        return touched;
    }
}
