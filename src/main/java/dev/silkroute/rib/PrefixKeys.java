package dev.silkroute.rib;

/**
 * Prefixes. Addresses of both families are 128 bits from the left here: an IPv4 address is the upper half of {@code high}. The index has those
 * that end in a trie's root; tries know the others.
 *
 * <pre>
 * 0 first route | 1 routes | 2 trie (24) and length (8) | 3 IPv4 address, or 3..6 IPv6 address
 * </pre>
 */
final class PrefixKeys extends Keys {
    private static final int SPACE = 2;
    private static final int ADDRESS = 3;

    private static final int LENGTHS_SHIFT = 16;

    private final boolean ipv6;
    private final Memory memory;
    /** Beside the records, so that many stay in the caches: a longest match alone needs no more. */
    private final byte[][] lengths;

    private int size;

    PrefixKeys(boolean ipv6, Memory memory) {
        super(ipv6 ? 7 : 4, memory);
        this.ipv6 = ipv6;
        this.memory = memory;
        lengths = new byte[memory.segments(1 << LENGTHS_SHIFT)][];
    }

    static int space(int trie, int length) {
        return trie << 8 | length;
    }

    private static int hash(int space, long high, long low) {
        return HashIndex.mix(high * 0x9E3779B97F4A7C15L + (low ^ space * 0xD1B54A32D192ED03L));
    }

    /** The key of a prefix whose bits after its length are 0; 0 if there is none. */
    int find(int space, long high, long low) {
        int hash = hash(space, high, low);
        while (true) {
            long[] part = index.part(hash);
            long version = HashIndex.version(part);
            int slot = HashIndex.home(part, hash);
            for (int probes = part.length; probes > 0; probes--) {
                long entry = HashIndex.slot(part, slot);
                if (entry == 0) {
                    break;
                }
                if (HashIndex.hasHash(entry, hash) && is(HashIndex.id(entry), space, high, low)) {
                    return HashIndex.id(entry);
                }
                slot = HashIndex.after(part, slot);
            }
            if (index.unchanged(hash, part, version)) {
                return 0;
            }
        }
    }

    private boolean is(int key, int space, long high, long low) {
        int[] a = records.segment(key);
        int at = records.base(key);
        return a[at + SPACE] == space
                && a[at + ADDRESS] == (int) (high >>> 32)
                && (!ipv6
                        || a[at + ADDRESS + 1] == (int) high
                                && a[at + ADDRESS + 2] == (int) (low >>> 32)
                                && a[at + ADDRESS + 3] == (int) low);
    }

    /** A new key, not yet in a trie. */
    int claim(int space, long high, long low) {
        int key = records.claim();
        if (lengths[key >>> LENGTHS_SHIFT] == null) {
            lengths[key >>> LENGTHS_SHIFT] = new byte[1 << LENGTHS_SHIFT];
            memory.reserve(1 << LENGTHS_SHIFT);
        }
        lengths[key >>> LENGTHS_SHIFT][key & (1 << LENGTHS_SHIFT) - 1] = (byte) space;
        records.set(key, HEAD, 0);
        records.set(key, COUNT, 0);
        records.set(key, SPACE, space);
        records.set(key, ADDRESS, (int) (high >>> 32));
        if (ipv6) {
            records.set(key, ADDRESS + 1, (int) high);
            records.set(key, ADDRESS + 2, (int) (low >>> 32));
            records.set(key, ADDRESS + 3, (int) low);
        }
        return key;
    }

    void link(int key) {
        index.add(hash(records.get(key, SPACE), high(key), low(key)), key);
    }

    void unlink(int key) {
        index.remove(hash(records.get(key, SPACE), high(key), low(key)), key);
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

    int trie(int key) {
        return records.get(key, SPACE) >>> 8;
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
