package dev.silkroute.rib.index;

import dev.silkroute.rib.memory.Epochs;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.store.AttributeStore;
import dev.silkroute.rib.store.RouteRecords;
import dev.silkroute.rib.store.Stores;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The index of a shard's routes by values of their attributes. An attribute is indexed from the first query for one of
 * its values on; each query first reads the pages that have changed since the previous one. The index gives candidates:
 * it is to be tested whether a route in a block still has the value.
 *
 * <p>Thread-safe. Queries wait for each other while they bring the index up to date and search it, longest while an
 * attribute is indexed, for which all routes are read. The writer never waits.
 */
public final class AttributeIndex {
    /** The number of routes in a block. */
    public static final int ROUTES_PER_BLOCK = Postings.ROUTES_PER_BLOCK;

    /** The number of pages read in one section. */
    private static final int PAGES_PER_SECTION = 64;

    private final Stores stores;
    private final Epochs epochs;
    private final LongSupplier routes;
    private final long limit;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<IndexedAttribute, Postings> indexed = new EnumMap<>(IndexedAttribute.class);
    /** The number of routes with which an attribute did not fit into the limit. */
    private final Map<IndexedAttribute, Long> tooLarge = new EnumMap<>(IndexedAttribute.class);

    private long @Nullable [] slot;
    private volatile long bytes;

    /**
     * @param routes the number of routes of the shard
     * @param limit bytes of heap that the index may keep; while it is made, or merged with many changes, it uses up to
     *     three times as much
     */
    public AttributeIndex(Stores stores, Epochs epochs, LongSupplier routes, long limit) {
        this.stores = stores;
        this.epochs = epochs;
        this.routes = routes;
        this.limit = limit;
    }

    /** A value of an attribute that is sought. */
    public record Wanted(IndexedAttribute attribute, int value) {}

    /**
     * Returns the blocks that may have routes with all of some values, in ascending order; null if the attributes do
     * not fit into the limit, or if the value with the fewest blocks has more than {@code most}.
     */
    public int @Nullable [] find(List<Wanted> all, int most) {
        lock.lock();
        try {
            for (Wanted wanted : all) {
                if (!isIndexed(wanted.attribute)) {
                    return null;
                }
            }
            return follow() ? search(all, most) : null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reads the pages that have changed since.
     *
     * @return whether what they contain fits into the limit; otherwise nothing is indexed any more
     */
    private boolean follow() {
        boolean followed = false;
        try {
            followed = update(stores.changedPages.take(), indexed);
        } finally {
            if (!followed) { // nor if it failed, because the changed pages are not reported again
                drop(List.copyOf(indexed.keySet()));
            }
        }
        return followed;
    }

    private int @Nullable [] search(List<Wanted> all, int most) {
        Wanted rarest = all.getFirst();
        for (Wanted wanted : all) {
            rarest = count(wanted) < count(rarest) ? wanted : rarest;
        }
        if (count(rarest) > most) {
            return null;
        }
        int[] blocks = postings(rarest).blocks(rarest.value);
        for (Wanted wanted : all) {
            if (wanted != rarest) {
                blocks = Arrays.stream(blocks)
                        .filter(block -> postings(wanted).contains(wanted.value, block))
                        .toArray();
            }
        }
        return blocks;
    }

    private int count(Wanted wanted) {
        return postings(wanted).count(wanted.value);
    }

    private Postings postings(Wanted wanted) {
        return Objects.requireNonNull(indexed.get(wanted.attribute));
    }

    /** Indexes an attribute if it is not yet, and returns whether it is now. */
    private boolean isIndexed(IndexedAttribute attribute) {
        if (indexed.containsKey(attribute)) {
            return true;
        }
        Long with = tooLarge.get(attribute);
        if (with != null && routes.getAsLong() > with / 2) {
            return false;
        }
        tooLarge.remove(attribute);
        Postings postings = new Postings();
        if (!update(allPages(), Map.of(attribute, postings)) || bytes + postings.bytes() > limit) {
            drop(List.of(attribute));
            return false;
        }
        indexed.put(attribute, postings);
        bytes += postings.bytes();
        return true;
    }

    private void drop(List<IndexedAttribute> attributes) {
        for (IndexedAttribute attribute : attributes) {
            tooLarge.put(attribute, routes.getAsLong());
            indexed.remove(attribute);
        }
        bytes = bytes(indexed);
    }

    private static long bytes(Map<IndexedAttribute, Postings> of) {
        return of.values().stream().mapToLong(Postings::bytes).sum();
    }

    /** The pages of all tables. Those that a table gets meanwhile are among the changed ones. */
    private long[] allPages() {
        long[] all = {};
        for (int id = 1; id <= stores.tables.count(); id++) {
            for (int page : stores.tables.get(id).pages()) {
                if (page > 0) {
                    if (page >>> 6 >= all.length) {
                        all = Arrays.copyOf(all, Math.max(2 * all.length, (page >>> 6) + 1));
                    }
                    all[page >>> 6] |= 1L << page;
                }
            }
        }
        return all;
    }

    /**
     * Reads some pages and replaces their entries.
     *
     * @return whether they fit into the limit
     */
    private boolean update(long[] pages, Map<IndexedAttribute, Postings> of) {
        List<Entries> all = of.keySet().stream()
                .map(attribute -> new Entries(attribute, limit))
                .toList();
        if (!read(pages, all)) {
            return true;
        }
        for (Entries each : all) {
            if (each.incomplete) {
                return false;
            }
            Objects.requireNonNull(of.get(each.attribute)).replace(pages, each.sorted());
        }
        if (of != indexed) {
            return true;
        }
        bytes = bytes(indexed);
        return bytes <= limit;
    }

    /**
     * Reads some pages.
     *
     * @return whether there are any
     */
    private boolean read(long[] pages, List<Entries> into) {
        int read = 0;
        try {
            for (int word = 0; word < pages.length; word++) {
                for (long left = pages[word]; left != 0; left &= left - 1) {
                    if (read++ % PAGES_PER_SECTION == 0) {
                        epochs.enter(slot());
                    }
                    read(word << 6 | Long.numberOfTrailingZeros(left), into);
                }
            }
        } finally {
            Epochs.exit(slot());
        }
        return read > 0;
    }

    private long[] slot() {
        long[] own = slot;
        if (own == null) {
            own = epochs.register();
            slot = own;
        }
        return own;
    }

    private void read(int page, List<Entries> into) {
        Table table = stores.routes.table(page, stores.tables);
        long live = table == null ? 0 : stores.routes.live(page, table);
        int lastSet = 0;
        int lastBlock = -1;
        for (; live != 0; live &= live - 1) {
            int route = page << RouteRecords.PAGE_SHIFT | Long.numberOfTrailingZeros(live);
            int set = stores.set(stores.routes.data.read(route, RouteRecords.ATTRIBUTES));
            int block = route >>> Postings.BLOCK_SHIFT;
            if (set == lastSet && block == lastBlock) {
                continue;
            }
            byte[] bytes = stores.attributes.bytes(set);
            int from = AttributeStore.from(set);
            int to = from + stores.attributes.length(set);
            for (Entries each : into) {
                each.block = block;
                each.attribute.forEach(bytes, from, to, each);
            }
            lastSet = set;
            lastBlock = block;
        }
    }

    /** Bytes of heap that the index uses. */
    public long bytes() {
        return bytes;
    }

    /** New entries of one attribute, while pages are read. */
    private static final class Entries implements IntConsumer {
        private static final int INITIAL = 256;

        final IndexedAttribute attribute;
        private final long most;
        private long[] entries = new long[INITIAL];
        private int count;
        /** The block that is being read. */
        int block;
        /** True if entries have been left out because there were too many. */
        boolean incomplete;

        /** @param limit bytes beyond which the entries are of no use */
        Entries(IndexedAttribute attribute, long limit) {
            this.attribute = attribute;
            most = limit / Long.BYTES;
        }

        @Override
        public void accept(int value) {
            if (count == entries.length) {
                removeRepeated();
                if (count > entries.length / 2) {
                    entries = Arrays.copyOf(entries, 2 * entries.length);
                }
            }
            if (count < most) {
                entries[count++] = Postings.entry(value, block);
            } else {
                incomplete = true;
            }
        }

        private void removeRepeated() {
            Arrays.sort(entries, 0, count);
            int distinct = Math.min(count, 1);
            for (int i = 1; i < count; i++) {
                if (entries[i] != entries[distinct - 1]) {
                    entries[distinct++] = entries[i];
                }
            }
            count = distinct;
        }

        long[] sorted() {
            removeRepeated();
            return Arrays.copyOf(entries, count);
        }
    }
}
