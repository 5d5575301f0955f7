package dev.silkroute.rib.store;

import dev.silkroute.net.KeyedHash;
import dev.silkroute.rib.memory.HashIndex;
import dev.silkroute.rib.memory.MemoryBudget;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The number of routes that each AS originates. AS numbers below 2^19, which are those that registries assign, are
 * counted in pages of 1,024 that are created on demand; others in a hash index.
 */
public final class Origins {
    private static final VarHandle INT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle PAGE_OF = MethodHandles.arrayElementVarHandle(int[][].class);
    private static final int PAGE_SHIFT = 10;
    private static final int PAGE = 1 << PAGE_SHIFT;
    private static final int PAGES = 1 << 19 - PAGE_SHIFT;

    private static final int KEY = KeyedHash.fold(KeyedHash.of(1, 0));
    /** Odd, so that the multiplications lose nothing. */
    private static final int FACTOR_1 = KeyedHash.fold(KeyedHash.of(2, 0)) | 1;

    private static final int FACTOR_2 = KeyedHash.fold(KeyedHash.of(3, 0)) | 1;

    private final int[] @Nullable [] pages = new int[PAGES][];
    private final HashIndex others;
    private final MemoryBudget memory;

    Origins(MemoryBudget memory) {
        this.memory = memory;
        others = new HashIndex(memory);
    }

    /**
     * A bijective mix, so that the hash identifies the AS number. Keyed, because a router can choose AS numbers whose
     * hashes are next to each other.
     */
    static int hash(int asn) {
        int h = asn ^ KEY;
        h = (h ^ h >>> 16) * FACTOR_1;
        h = (h ^ h >>> 15) * FACTOR_2;
        return h ^ h >>> 16;
    }

    void count(int asn, int routes) {
        int number = asn >>> PAGE_SHIFT;
        if (number >= PAGES) {
            others.count(hash(asn), routes);
            return;
        }
        int[] page = pages[number];
        if (page == null) {
            page = new int[PAGE];
            memory.reserve(PAGE * Integer.BYTES);
            PAGE_OF.setRelease(pages, number, page);
        }
        page[asn & PAGE - 1] += routes; // plain store: becomes visible with the next value that is published
    }

    /** Returns the number of routes of an origin AS, including those of ended tables that are still to be purged. */
    public int routes(int asn) {
        int number = asn >>> PAGE_SHIFT;
        if (number < PAGES) {
            int[] page = (int[]) PAGE_OF.getAcquire(pages, number);
            return page == null ? 0 : (int) INT.getOpaque(page, asn & PAGE - 1);
        }
        int hash = hash(asn);
        while (true) {
            long[] part = others.part(hash);
            long version = HashIndex.version(part);
            int slot = HashIndex.home(part, hash);
            for (int probes = part.length; probes > 0; probes--) {
                long entry = HashIndex.slot(part, slot);
                if (entry == 0) {
                    break;
                }
                if (HashIndex.hasHash(entry, hash)) {
                    return HashIndex.id(entry);
                }
                slot = HashIndex.nextSlot(part, slot);
            }
            if (others.unchanged(hash, part, version)) {
                return 0;
            }
        }
    }
}
