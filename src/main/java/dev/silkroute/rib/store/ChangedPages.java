package dev.silkroute.rib.store;

import dev.silkroute.rib.memory.PaddedArrays;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The pages of route records that have changed since they were {@link #take taken} last, one bit per page. What is
 * derived from routes, and need not be up to date before somebody asks, follows the routes by this at no other cost for
 * the writer.
 *
 * <p>The writer {@link #add adds} the pages that a batch changes and {@link #publish publishes} them at its end. Any
 * thread may take them; each page is taken by one.
 */
public final class ChangedPages {
    private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int INITIAL_WORDS = 64;

    /** The number of pages collected before they are published together. */
    private static final int BATCH = 1024;

    private static final int COUNT = PaddedArrays.FIRST_INT;
    private static final int PAGES = COUNT + 1;

    /** The pages to be published, for the writer only. */
    private final int[] state = PaddedArrays.ints(1 + BATCH);

    private volatile long[] bits = new long[INITIAL_WORDS];

    /** Adds a page of which a route has been added, changed or removed. */
    public void add(int page) {
        int count = state[COUNT];
        if (count > 0 && state[PAGES + count - 1] == page) {
            return;
        }
        if (count == BATCH) {
            publish();
            count = 0;
        }
        state[PAGES + count] = page;
        state[COUNT] = count + 1;
    }

    /**
     * Publishes the pages added. The fence makes the changes visible before a bit is found set: the thread that takes
     * the bit then sees them.
     */
    public void publish() {
        int count = state[COUNT];
        if (count == 0) {
            return;
        }
        VarHandle.fullFence();
        for (int i = 0; i < count; i++) {
            set(state[PAGES + i]);
        }
        state[COUNT] = 0;
    }

    private void set(int page) {
        int word = page >>> 6;
        long bit = 1L << page;
        long[] now = bits;
        if (word >= now.length) {
            // Bits that are taken from the old array meanwhile are taken again, which is harmless.
            now = Arrays.copyOf(now, Math.max(now.length * 2, word + 1));
            bits = now;
        }
        if (((long) LONG.getOpaque(now, word) & bit) == 0) {
            LONG.getAndBitwiseOr(now, word, bit);
        }
    }

    /**
     * Takes the changed pages.
     *
     * @return a bit for each page: page 70 is bit 6 of element 1
     */
    public long[] take() {
        long[] now = bits;
        long[] taken = new long[now.length];
        for (int i = 0; i < now.length; i++) {
            if ((long) LONG.getOpaque(now, i) != 0) {
                taken[i] = (long) LONG.getAndSet(now, i, 0L);
            }
        }
        return taken;
    }
}
