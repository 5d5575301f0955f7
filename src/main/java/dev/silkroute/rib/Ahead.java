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
 * routes any more, and a prefix that had none may have one. The writer's.
 */
final class Ahead {
    private static final int MOST = 64;
    /** Bytes of a line of the caches. */
    private static final int LINE = 64;

    private final int number;
    private final int shards;
    private final Stores stores;

    private @Nullable RouteBatch batch;
    private @Nullable RouteCursor cursor;
    /** Events that have been looked at. */
    private int seen;

    private int events;
    /** Tries of the events' prefixes; null if an event has none. */
    private final @Nullable Trie[] tries = new @Nullable Trie[MOST];

    private final long[] highs = new long[MOST];
    private final long[] lows = new long[MOST];
    private final int[] lengths = new int[MOST];

    /** How many bits of its prefix an event has gone down its trie. */
    private final int[] bases = new int[MOST];
    /** What the trie says there: a node's complement, or no node. */
    private final int[] entries = new int[MOST];
    /** Where in the node the next step is, -1 if nowhere. */
    private final int[] places = new int[MOST];

    private final int[] keys = new int[MOST];
    private final int[] routes = new int[MOST];

    /** Sets that the events are the first of the batch to have, and those that the shard has already. */
    private final int[] sets = new int[MOST];

    private final int[] known = new int[2 * MOST];
    private int setCount;
    private int[] hashes = new int[64];
    private boolean[] hashed = new boolean[64];

    @SuppressWarnings("unused") // only so that what was loaded isn't left out
    private int loaded;

    /** @param number of the shard, of so many */
    Ahead(int number, int shards, Stores stores) {
        this.number = number;
        this.shards = shards;
        this.stores = stores;
    }

    /** Stands before the first event of a batch. */
    void begin(RouteBatch of) {
        batch = of;
        cursor = of.cursor(cursor);
        seen = 0;
        int count = of.attributeSetCount();
        if (hashes.length < count) {
            hashes = new int[Math.max(count, hashes.length * 2)];
            hashed = new boolean[hashes.length];
        }
        Arrays.fill(hashed, 0, count, false);
    }

    /** Lets the batch go. */
    void end() {
        batch = null;
        Arrays.fill(tries, null);
    }

    /** Looks further ahead if an event hasn't been looked at. Events are asked about in their order. */
    void reach(int event) {
        if (event == seen) {
            read();
            int touched = descend();
            touched += loadRoutes();
            touched += loadSets();
            loaded = touched;
            seen += events;
        }
    }

    /** The key that an event's prefix had in its trie when it was looked at, 0 if none. */
    int key(int event) {
        return keys[event - seen + events];
    }

    /** The hash of a set of the batch. */
    int hash(int set) {
        RouteBatch of = batch;
        if (of != null && !hashed[set]) {
            hashed[set] = true;
            hashes[set] = HashIndex.hash(of.bytes(), of.attributesFrom(set), of.attributesTo(set));
        }
        return hashes[set];
    }

    private void read() {
        events = 0;
        setCount = 0;
        RouteCursor event = cursor;
        if (event == null) {
            throw new IllegalStateException("no batch");
        }
        while (events < MOST && event.next()) {
            int i = events++;
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

    /** Goes down the tries to the keys. */
    private int descend() {
        boolean deeper = false;
        for (int i = 0; i < events; i++) {
            Trie trie = tries[i];
            entries[i] = 0;
            if (trie != null && lengths[i] <= trie.rootBits) {
                keys[i] = trie.find(highs[i], lows[i], lengths[i]);
            } else if (trie != null) {
                bases[i] = trie.rootBits;
                entries[i] = trie.rootSlot(Trie.bits(highs[i], lows[i], 0, trie.rootBits));
                deeper |= entries[i] < 0;
            }
        }
        int touched = 0;
        while (deeper) {
            for (int i = 0; i < events; i++) {
                if (entries[i] < 0) {
                    touched += touch(i);
                }
            }
            for (int i = 0; i < events; i++) {
                if (entries[i] < 0) {
                    places[i] = place(i);
                }
            }
            deeper = false;
            for (int i = 0; i < events; i++) {
                if (entries[i] < 0) {
                    step(i);
                    deeper |= entries[i] < 0;
                }
            }
        }
        return touched;
    }

    private boolean endsHere(int i, Trie trie) {
        return lengths[i] <= bases[i] + trie.stride(bases[i]);
    }

    private int slot(int i, Trie trie) {
        return Trie.bits(highs[i], lows[i], bases[i], trie.stride(bases[i]));
    }

    private int prefixBit(int i, Trie trie) {
        int r = lengths[i] - bases[i];
        return 1 << r | slot(i, trie) >>> trie.stride(bases[i]) - r;
    }

    private Trie trie(int i) {
        return Objects.requireNonNull(tries[i]);
    }

    private int touch(int i) {
        Trie trie = trie(i);
        boolean wide = trie.wide(bases[i]);
        return endsHere(i, trie)
                ? stores.nodes.touchPrefix(~entries[i], wide, prefixBit(i, trie))
                : stores.nodes.touchSlot(~entries[i], slot(i, trie));
    }

    private int place(int i) {
        Trie trie = trie(i);
        boolean wide = trie.wide(bases[i]);
        return endsHere(i, trie)
                ? stores.nodes.placeOfKey(~entries[i], wide, prefixBit(i, trie))
                : stores.nodes.placeOfValue(~entries[i], wide, slot(i, trie));
    }

    private void step(int i) {
        Trie trie = trie(i);
        int at = places[i] < 0 ? 0 : stores.nodes.at(~entries[i], places[i]);
        if (endsHere(i, trie)) {
            keys[i] = at;
            entries[i] = 0;
        } else {
            bases[i] += trie.stride(bases[i]);
            entries[i] = at;
        }
    }

    /** Loads the first route of each key, and the set that it has. */
    private int loadRoutes() {
        for (int i = 0; i < events; i++) {
            routes[i] = keys[i] == 0 ? 0 : trie(i).keys.head(keys[i]);
        }
        int touched = 0;
        for (int i = 0; i < events; i++) {
            int route = routes[i];
            touched += route == 0 ? 0 : stores.routes.epoch(Routes.page(route));
            int attributes = route == 0 ? 0 : stores.routes.data.get(route, Routes.ATTRIBUTES);
            known[i] = Math.max(0, attributes);
        }
        return touched;
    }

    /** Loads where the batch's sets are found, the sets themselves, and the counters of their origins. */
    private int loadSets() {
        for (int i = 0; i < setCount; i++) {
            known[events + i] = stores.attributes.likely(hashes[sets[i]]);
        }
        int touched = 0;
        int count = events + setCount;
        for (int i = 0; i < count; i++) {
            if (known[i] != 0) {
                byte[] bytes = stores.attributes.bytes(known[i]);
                int last = ByteSlab.offset(known[i]) + 2 * LINE;
                touched += bytes[Math.min(last - LINE, bytes.length - 1)] + bytes[Math.min(last, bytes.length - 1)];
                known[i] = stores.attributes.originCounter(known[i]);
            }
        }
        for (int i = 0; i < count; i++) {
            touched += known[i] == 0 ? 0 : stores.origins.asn(known[i]);
        }
        return touched;
    }
}
