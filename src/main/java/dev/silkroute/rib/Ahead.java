package dev.silkroute.rib;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Looks some events of a batch ahead and loads, step by step for all of them, what applying them one by one will need: so their memory is waited for
 * together. It changes nothing. What it has found may be otherwise when an event's turn comes, for the events before it change the tables: a key may have no
 * routes any more, and a prefix that had none may have one. Sets stay what they are until the batch ends. The writer's.
 */
final class Ahead {
    private static final int MOST = Descent.MOST;

    private final int number;
    private final int shards;
    private final Stores stores;
    private final Descent descent;

    private @Nullable RouteBatch batch;
    private @Nullable RouteCursor cursor;
    /** Events that have been looked at. */
    private int seen;

    private int events;
    private final RouteCursor[] window = new RouteCursor[MOST];
    /** Tries of the events' prefixes; null if an event has none, or it has been found. */
    private final @Nullable Trie[] tries = new @Nullable Trie[MOST];

    private final long[] highs = new long[MOST];
    private final long[] lows = new long[MOST];
    private final int[] lengths = new int[MOST];
    private final int[] keys = new int[MOST];

    /** Events whose prefixes are in one trie. */
    private final int[] together = new int[MOST];

    private final int[] found = new int[MOST];
    private final int[] routes = new int[MOST];
    private int routeCount;

    /** Sets that the events are the first of the batch to have. */
    private final int[] sets = new int[MOST];

    private int setCount;
    /** Sets of the shard that will be needed. */
    private final int[] known = new int[2 * MOST];

    private final int[] origins = new int[3 * MOST];
    private int[] hashes = new int[64];
    private int[] ids = new int[64];
    private boolean[] hashed = new boolean[64];

    @SuppressWarnings("unused") // only so that what was loaded isn't left out
    private int loaded;

    /** @param number of the shard, of so many */
    Ahead(int number, int shards, Stores stores) {
        this.number = number;
        this.shards = shards;
        this.stores = stores;
        descent = new Descent(stores.nodes);
    }

    /** Stands before the first event of a batch. */
    void begin(RouteBatch of) {
        batch = of;
        cursor = of.cursor(cursor);
        for (int i = 0; i < MOST && window[i] == null; i++) {
            window[i] = of.cursor();
        }
        seen = 0;
        int count = of.attributeSetCount();
        if (hashes.length < count) {
            hashes = new int[Math.max(count, hashes.length * 2)];
            ids = new int[hashes.length];
            hashed = new boolean[hashes.length];
        }
        Arrays.fill(ids, 0, count, 0);
        Arrays.fill(hashed, 0, count, false);
    }

    /** Lets the batch go. */
    void end() {
        batch = null;
        Arrays.fill(tries, null);
    }

    /** An event of the batch; looks further ahead if it hasn't been looked at. Events are asked for in their order. */
    RouteCursor reach(int event) {
        if (event == seen) {
            read();
            loaded = find() + loadSets();
            seen += events;
        }
        return window[event - seen + events];
    }

    /** The key that an event's prefix had in its trie when it was looked at, 0 if none. */
    int key(int event) {
        return keys[event - seen + events];
    }

    /** The hash of a set of the batch. */
    int hash(int set) {
        if (!hashed[set]) {
            RouteBatch of = batch();
            hashed[set] = true;
            hashes[set] = HashIndex.hash(of.bytes(), of.attributesFrom(set), of.attributesTo(set));
        }
        return hashes[set];
    }

    /** The id of a set of the batch, 0 if it wasn't in the shard when it was looked at, or hasn't been. */
    int id(int set) {
        return ids[set];
    }

    private RouteBatch batch() {
        return Objects.requireNonNull(batch, "no batch");
    }

    private void read() {
        events = 0;
        setCount = 0;
        RouteCursor event = Objects.requireNonNull(cursor, "no batch");
        while (events < MOST && event.next()) {
            int i = events++;
            window[i].stand(event);
            tries[i] = null;
            keys[i] = 0;
            if (event.kind().isRoute() && event.nlri().isPrefix()) {
                prefix(i, event);
            }
        }
    }

    private void prefix(int i, RouteCursor event) {
        NlriReader nlri = event.nlri();
        long high = RouteEvents.high(nlri);
        if (Shard.of(nlri.ipv6(), nlri.rd(), high, nlri.prefixLength(), shards) != number) {
            return;
        }
        int set = event.attributes();
        if (set >= 0 && !hashed[set]) {
            hash(set);
            sets[setCount++] = set;
        }
        tries[i] = stores.tries.find(event.family(), nlri.rd());
        highs[i] = high;
        lows[i] = RouteEvents.low(nlri);
        lengths[i] = nlri.prefixLength();
    }

    /** Finds the keys, trie by trie, and the first route of each. */
    private int find() {
        routeCount = 0;
        int touched = 0;
        for (int first = 0; first < events; first++) {
            Trie trie = tries[first];
            if (trie != null) {
                gather(trie, first);
                touched += descent.find(trie);
                heads(trie);
            }
        }
        return touched;
    }

    private void gather(Trie trie, int first) {
        descent.count = 0;
        for (int i = first; i < events; i++) {
            if (tries[i] == trie) {
                tries[i] = null;
                together[descent.count] = i;
                descent.add(highs[i], lows[i], lengths[i]);
            }
        }
    }

    private void heads(Trie trie) {
        int count = 0;
        for (int i = 0; i < descent.count; i++) {
            int key = descent.keys[i];
            keys[together[i]] = key;
            if (key != 0) {
                found[count++] = key;
            }
        }
        trie.keys.heads(found, count, origins);
        for (int i = 0; i < count; i++) {
            if (origins[i] != 0) {
                routes[routeCount++] = origins[i];
            }
        }
    }

    /** Loads what routes have, where the batch's sets are found, the sets themselves, and the counters of their origins. */
    private int loadSets() {
        int touched = stores.routes.attributes(routes, routeCount, known);
        int count = 0;
        for (int i = 0; i < routeCount; i++) {
            if (known[i] > 0) {
                known[count++] = known[i];
            }
        }
        Attributes attributes = stores.attributes;
        for (int i = 0; i < setCount; i++) {
            touched += attributes.touch(hashes[sets[i]]);
        }
        int of = count;
        int fresh = 0;
        for (int i = 0; i < setCount; i++) {
            int id = attributes.likely(hashes[sets[i]]);
            if (id != 0) {
                sets[of - count] = sets[i];
                known[of++] = id;
            } else {
                found[fresh++] = sets[i];
            }
        }
        RouteBatch from = batch();
        for (int i = 0; i < fresh; i++) {
            routes[i] = (int) Attributes.origin(from, found[i]);
            touched += stores.origins.touch(routes[i]);
        }
        touched += attributes.load(known, of, origins);
        for (int i = 0; i < fresh; i++) {
            origins[of + i] = stores.origins.find(routes[i]);
        }
        touched += stores.origins.load(origins, of + fresh);
        for (int i = count; i < of; i++) {
            int set = sets[i - count];
            if (attributes.is(known[i], from, set)) {
                ids[set] = known[i];
            }
        }
        return touched;
    }
}
