package dev.silkroute.rib.index;

import dev.silkroute.rib.store.RouteRecords;
import java.util.Arrays;

/**
 * The blocks in which each value of an attribute occurs. A block is {@value #ROUTES_PER_BLOCK} neighboring route
 * records of a page: few enough to test all of them, and the routes of an attribute set are mostly next to each other.
 *
 * <pre>
 * entry   value (32 bits) &lt;&lt; 28 | block (28 bits); all entries sorted
 *
 * AS 64500 in the second block of page 1 (routes 0x48 to 0x4F): 0xFBF4_0000009
 * </pre>
 *
 * The entries of pages that have changed since are in a second, small array, and those of the same pages in the first
 * one no longer count. Both are merged when the second one has a sixteenth of the first one's size, so a change costs a
 * bounded number of copies.
 *
 * <p>Not thread-safe.
 */
final class Postings {
    static final int ROUTES_PER_BLOCK = 8;

    /** A route's block is {@code route >>> BLOCK_SHIFT}. */
    static final int BLOCK_SHIFT = 3;

    /** A block's page is {@code block >>> BLOCK_PAGE_SHIFT}. */
    private static final int BLOCK_PAGE_SHIFT = RouteRecords.PAGE_SHIFT - BLOCK_SHIFT;

    private static final int BLOCK_BITS = 28;
    private static final int BLOCK_MASK = (1 << BLOCK_BITS) - 1;
    private static final int MIN_MERGE = 4096;
    private static final int MERGE_SHARE = 16;
    private static final long[] NONE = {};

    private long[] base = NONE;
    private long[] recent = NONE;
    /** A bit for each page whose entries in {@link #base} no longer count. */
    private long[] replaced = NONE;

    static long entry(int value, int block) {
        return Integer.toUnsignedLong(value) << BLOCK_BITS | block;
    }

    /**
     * Replaces all entries of some pages.
     *
     * @param pages a bit for each page
     * @param entries the pages' new entries, sorted, each once
     */
    void replace(long[] pages, long[] entries) {
        recent = merge(recent, pages, entries);
        replaced = union(replaced, pages);
        if (recent.length > base.length / MERGE_SHARE + MIN_MERGE) {
            base = merge(base, replaced, recent);
            recent = NONE;
            replaced = NONE;
        }
    }

    /** Merges entries, without the old ones of some pages. */
    private static long[] merge(long[] old, long[] without, long[] entries) {
        long[] merged = new long[old.length + entries.length];
        int count = 0;
        int next = 0;
        for (long entry : old) {
            if (contains(without, page(entry))) {
                continue;
            }
            while (next < entries.length && entries[next] < entry) {
                merged[count++] = entries[next++];
            }
            merged[count++] = entry;
        }
        System.arraycopy(entries, next, merged, count, entries.length - next);
        return Arrays.copyOf(merged, count + entries.length - next);
    }

    private static long[] union(long[] one, long[] other) {
        long[] union = Arrays.copyOf(one, Math.max(one.length, other.length));
        for (int i = 0; i < other.length; i++) {
            union[i] |= other[i];
        }
        return union;
    }

    static boolean contains(long[] pages, int page) {
        return page >>> 6 < pages.length && (pages[page >>> 6] & 1L << page) != 0;
    }

    private static int page(long entry) {
        return ((int) entry & BLOCK_MASK) >>> BLOCK_PAGE_SHIFT;
    }

    /** The number of entries of a value, including those in {@link #base} that no longer count. */
    int count(int value) {
        return count(base, value) + count(recent, value);
    }

    private static int count(long[] entries, int value) {
        return first(entries, value, BLOCK_MASK) - first(entries, value, 0);
    }

    /** Returns the index of the first entry that is not less than that of a value and a block. */
    private static int first(long[] entries, int value, int block) {
        int found = Arrays.binarySearch(entries, entry(value, block));
        return found >= 0 ? found : ~found;
    }

    /** Returns the blocks of a value, in ascending order. */
    int[] blocks(int value) {
        int[] blocks = new int[count(value)];
        int count = 0;
        for (int i = first(base, value, 0); i < base.length && base[i] >>> BLOCK_BITS == value(value); i++) {
            if (!contains(replaced, page(base[i]))) {
                blocks[count++] = (int) base[i] & BLOCK_MASK;
            }
        }
        int sorted = count;
        for (int i = first(recent, value, 0); i < recent.length && recent[i] >>> BLOCK_BITS == value(value); i++) {
            blocks[count++] = (int) recent[i] & BLOCK_MASK;
        }
        if (sorted > 0 && count > sorted) {
            Arrays.sort(blocks, 0, count);
        }
        return count == blocks.length ? blocks : Arrays.copyOf(blocks, count);
    }

    private static long value(int value) {
        return Integer.toUnsignedLong(value);
    }

    /** Returns whether a value occurs in a block. */
    boolean contains(int value, int block) {
        long entry = entry(value, block);
        return Arrays.binarySearch(recent, entry) >= 0
                || Arrays.binarySearch(base, entry) >= 0 && !contains(replaced, page(entry));
    }

    /** Bytes of heap. */
    long bytes() {
        return (long) Long.BYTES * (base.length + recent.length + replaced.length);
    }
}
