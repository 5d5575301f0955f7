package dev.silkroute.rib;

/**
 * Prefixes. Addresses of both families are 128 bits from the left here: an IPv4 address is the upper half of {@code high}. Tries find them.
 *
 * <pre>
 * 0 first route | 1 routes | 2 IPv4 address, or 2..5 IPv6 address | the trie, where families have RDs
 * </pre>
 */
final class PrefixKeys extends Keys {
    private static final int ADDRESS = 2;
    private static final int LENGTHS_SHIFT = 16;

    private final boolean ipv6;
    private final boolean rds;
    private final int trieWord;
    private final Memory memory;
    /** Beside the records, so that many stay in the caches: a longest match alone needs no more. */
    private final byte[][] lengths;

    private int size;

    /** @param rds whether there are RDs, so that a family has more than one trie */
    PrefixKeys(boolean ipv6, boolean rds, Memory memory) {
        super((ipv6 ? 6 : 3) + (rds ? 1 : 0), memory);
        this.ipv6 = ipv6;
        this.rds = rds;
        trieWord = ipv6 ? 6 : 3;
        this.memory = memory;
        lengths = new byte[memory.segments(1 << LENGTHS_SHIFT)][];
    }

    /** A new key, not yet in its trie. */
    int claim(int trie, long high, long low, int length) {
        int key = records.claim();
        if (lengths[key >>> LENGTHS_SHIFT] == null) {
            lengths[key >>> LENGTHS_SHIFT] = new byte[1 << LENGTHS_SHIFT];
            memory.reserve(1 << LENGTHS_SHIFT);
        }
        lengths[key >>> LENGTHS_SHIFT][key & (1 << LENGTHS_SHIFT) - 1] = (byte) length;
        records.set(key, HEAD, 0);
        records.set(key, COUNT, 0);
        records.set(key, ADDRESS, (int) (high >>> 32));
        if (ipv6) {
            records.set(key, ADDRESS + 1, (int) high);
            records.set(key, ADDRESS + 2, (int) (low >>> 32));
            records.set(key, ADDRESS + 3, (int) low);
        }
        if (rds) {
            records.set(key, trieWord, trie);
        }
        return key;
    }

    void resize(int more) {
        size += more;
    }

    @Override
    int used() {
        return size;
    }

    int length(int key) {
        return lengths[key >>> LENGTHS_SHIFT][key & (1 << LENGTHS_SHIFT) - 1] & 0xFF;
    }

    boolean hasRds() {
        return rds;
    }

    /** The number of the trie, where there are RDs. */
    int trie(int key) {
        return records.get(key, trieWord);
    }

    long high(int key) {
        long upper = (long) records.get(key, ADDRESS) << 32;
        return ipv6 ? upper | Integer.toUnsignedLong(records.get(key, ADDRESS + 1)) : upper;
    }

    long low(int key) {
        return ipv6
                ? (long) records.get(key, ADDRESS + 2) << 32 | Integer.toUnsignedLong(records.get(key, ADDRESS + 3))
                : 0;
    }
}
