package dev.silkroute.rib.store;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.KeyedHash;
import dev.silkroute.rib.memory.ByteSlab;
import dev.silkroute.rib.memory.HashIndex;
import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.rib.memory.RecordSlab;
import dev.silkroute.rib.trie.Keys;
import java.util.Arrays;

/**
 * The keys of NLRI that are not prefixes (EVPN, FlowSpec, BGP-LS and others): the family and the bytes that {@link
 * dev.silkroute.bgp.nlri.NlriKey} derives from the NLRI. They can be found only exactly.
 *
 * <pre>
 * record  0 family (AFI &lt;&lt; 16 | SAFI) | 1 block of the key bytes | 2 number of key bytes | 3 hash
 *
 * an EVPN key (AFI 25, SAFI 70) of 25 bytes in block 0x15: 00190046 00000015 00000019 7C03A1D2
 * </pre>
 *
 * A key becomes visible when the index publishes it, after its record and bytes were written.
 */
public final class ExactKeys extends Keys {
    private static final int FAMILY = 0;
    private static final int BYTES = 1;
    private static final int LENGTH = 2;
    private static final int HASH = 3;
    private static final int ID_BITS = 30;

    private final ByteSlab slab;
    private final HashIndex index;

    ExactKeys(ByteSlab slab, RecordSlab lists, MemoryBudget memory) {
        super(4, ID_BITS, lists, memory);
        index = new HashIndex(memory);
        this.slab = slab;
    }

    public static int hash(int family, byte[] bytes, int length) {
        return KeyedHash.fold(KeyedHash.of(family, bytes, 0, length));
    }

    public int find(int family, int hash, byte[] bytes, int count) {
        while (true) {
            long[] part = index.part(hash);
            long version = HashIndex.version(part);
            int slot = HashIndex.home(part, hash);
            for (int probes = part.length; probes > 0; probes--) {
                long entry = HashIndex.slot(part, slot);
                if (entry == 0) {
                    break;
                }
                if (HashIndex.hasHash(entry, hash) && is(HashIndex.id(entry), family, bytes, count)) {
                    return HashIndex.id(entry);
                }
                slot = HashIndex.nextSlot(part, slot);
            }
            if (index.unchanged(hash, part, version)) {
                return 0;
            }
        }
    }

    private boolean is(int key, int family, byte[] bytes, int count) {
        if (get(key, FAMILY) != family || get(key, LENGTH) != count) {
            return false;
        }
        int ref = get(key, BYTES);
        int at = ByteSlab.offset(ref);
        return Arrays.equals(slab.bytes(ref), at, at + count, bytes, 0, count);
    }

    public int claim(int family, int hash, ByteSink key) {
        int id = claimId();
        int ref = slab.claim(key.position());
        System.arraycopy(key.array(), 0, slab.bytes(ref), ByteSlab.offset(ref), key.position());
        set(id, FAMILY, family);
        set(id, BYTES, ref);
        set(id, LENGTH, key.position());
        set(id, HASH, hash);
        return id;
    }

    public void link(int key) {
        index.add(get(key, HASH), key);
    }

    @Override
    public int used() {
        return index.size();
    }

    public void unlink(int key) {
        index.remove(get(key, HASH), key);
    }

    public int ref(int key) {
        return get(key, BYTES);
    }

    public int length(int key) {
        return get(key, LENGTH);
    }
}
