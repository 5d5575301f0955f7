package dev.silkroute.rib.trie;

import dev.silkroute.rib.memory.Counter;
import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.rib.memory.RecordSlab;

/**
 * Prefixes. Addresses of both families are 128 bits from the left here: an IPv4 address is the upper half of {@code high}. Tries find them.
 *
 * <pre>
 * key     IPv4: length (6 bits) | id (25); IPv6: length (8) | id (23)
 * record  0 first route | 1 IPv4 address, or 1..4 IPv6 address | the trie, where families have RDs
 * </pre>
 *
 * A key says the length, so that a longest match alone needs no record.
 */
public final class PrefixKeys extends Keys {
    private static final int ADDRESS = 1;
    private static final int ID_BITS_4 = 25;
    private static final int ID_BITS_6 = 23;

    private final boolean ipv6;
    private final boolean rds;
    private final int trieWord;
    private final int lengthShift;

    private final Counter size = new Counter();

    /** @param rds whether there are RDs, so that a family has more than one trie */
    public PrefixKeys(boolean ipv6, boolean rds, RecordSlab lists, MemoryBudget memory) {
        super((ipv6 ? 5 : 2) + (rds ? 1 : 0), ipv6 ? ID_BITS_6 : ID_BITS_4, lists, memory);
        this.ipv6 = ipv6;
        this.rds = rds;
        trieWord = ipv6 ? 5 : 2;
        lengthShift = ipv6 ? ID_BITS_6 : ID_BITS_4;
    }

    /** A new key, not yet in its trie. */
    public int claim(int trie, long high, long low, int length) {
        int key = claimId() | length << lengthShift;
        set(key, ADDRESS, (int) (high >>> 32));
        if (ipv6) {
            set(key, ADDRESS + 1, (int) high);
            set(key, ADDRESS + 2, (int) (low >>> 32));
            set(key, ADDRESS + 3, (int) low);
        }
        if (rds) {
            set(key, trieWord, trie);
        }
        return key;
    }

    void resize(int more) {
        size.add(more);
    }

    @Override
    public int used() {
        return (int) size.get();
    }

    public int length(int key) {
        return key >>> lengthShift;
    }

    boolean hasRds() {
        return rds;
    }

    /** The number of the trie, where there are RDs. */
    public int trie(int key) {
        return get(key, trieWord);
    }

    public long high(int key) {
        long upper = (long) get(key, ADDRESS) << 32;
        return ipv6 ? upper | Integer.toUnsignedLong(get(key, ADDRESS + 1)) : upper;
    }

    public long low(int key) {
        return ipv6 ? (long) get(key, ADDRESS + 2) << 32 | Integer.toUnsignedLong(get(key, ADDRESS + 3)) : 0;
    }
}
