package dev.silkroute.rib.trie;

import dev.silkroute.rib.memory.Counter;
import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.rib.memory.RecordSlab;

/**
 * The records of prefixes. Each prefix that has routes has one; tries map prefixes to them.
 *
 * <pre>
 * key     IPv4: 0 | length (6 bits) | id (25 bits)      IPv6: 0 | length (8 bits) | id (23 bits)
 * record  0 IPv4 address, or 0..3 IPv6 address | last: id of the trie, for families with RDs
 *
 * 192.0.2.0/24, the first IPv4 prefix:
 * key     0x30000001 (24 &lt;&lt; 25 | 1)
 * record  C0000200
 * </pre>
 *
 * The key contains the length, so a longest match is known without reading the record.
 */
public final class PrefixKeys extends Keys {
    private static final int ADDRESS = 0;
    private static final int ID_BITS_4 = 25;
    private static final int ID_BITS_6 = 23;

    private final boolean ipv6;
    private final boolean rds;
    private final int trieWord;
    private final int lengthShift;

    private final Counter size = new Counter();

    /**
     * Creates an empty store.
     *
     * @param rds whether the families have RDs, and so more than one trie each
     */
    public PrefixKeys(boolean ipv6, boolean rds, RecordSlab lists, MemoryBudget memory) {
        super((ipv6 ? 4 : 1) + (rds ? 1 : 0), ipv6 ? ID_BITS_6 : ID_BITS_4, lists, memory);
        this.ipv6 = ipv6;
        this.rds = rds;
        trieWord = ipv6 ? 4 : 1;
        lengthShift = ipv6 ? ID_BITS_6 : ID_BITS_4;
    }

    /** Allocates a key that is not yet in its trie. */
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

    /** The id of the key's trie, for families with RDs. */
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
