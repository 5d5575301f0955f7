package dev.silkroute.rib.trie;

import dev.silkroute.bgp.nlri.NlriFormat;
import dev.silkroute.net.Family;
import dev.silkroute.net.KeyedHash;
import dev.silkroute.rib.memory.IntSlab;
import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.rib.memory.ReclaimQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The tries of a shard, one for each family and RD that has routes; prefixes of different VPNs never mix. The two
 * unicast tables are fields, the others are in a map. Tries without prefixes are removed when more are created, and at
 * the memory bound.
 */
public final class Tries {
    /** A table of routes with a route distinguisher. */
    record Vrf(int family, long rd) {
        /** A router must not be able to choose route distinguishers whose hashes are equal. */
        @Override
        public int hashCode() {
            return KeyedHash.fold(KeyedHash.of(family, rd));
        }
    }

    private final TrieNodes nodes;
    private final PrefixKeys[] keys;
    private final MemoryBudget memory;
    private final TrieEditor editor;
    private final Map<Vrf, Trie> byVrf = new ConcurrentHashMap<>();
    private volatile @Nullable Trie unicast4;
    private volatile @Nullable Trie unicast6;
    private final ReclaimQueue reclaimQueue;
    /** Tries by id, for keys of families with RDs. A removed trie stays here until no reader can have a key of it. */
    private volatile @Nullable Trie[] byId = new @Nullable Trie[64];

    private int nextId = 1;
    private final List<Integer> freeIds = new ArrayList<>();
    private int sizeAfterCleanup;
    /** The number of removed tries that readers may still have a key of. */
    private int retiring;

    public Tries(TrieNodes nodes, PrefixKeys[] keys, MemoryBudget memory, ReclaimQueue reclaimQueue) {
        this.nodes = nodes;
        this.keys = keys;
        this.memory = memory;
        this.reclaimQueue = reclaimQueue;
        editor = new TrieEditor(nodes, (node, ints) -> reclaimQueue.add(ReclaimQueue.NODE, node, ints));
    }

    @Nullable
    public Trie find(int family, long rd) {
        return switch (family) {
            case Family.IPV4_UNICAST -> unicast4;
            case Family.IPV6_UNICAST -> unicast6;
            default -> byVrf.get(new Vrf(family, rd));
        };
    }

    public Trie getOrCreate(int family, long rd) {
        Trie found = find(family, rd);
        if (found != null) {
            return found;
        }
        if (byVrf.size() > 2 * sizeAfterCleanup + 64) {
            removeEmpty();
        }
        boolean large = large(family);
        boolean ipv6 = Family.afi(family) == Family.AFI_IPV6;
        int id = freeIds.isEmpty() ? nextId++ : freeIds.removeLast();
        Trie trie = new Trie(id, family, rd, large, keys(family), ipv6, nodes);
        memory.reserve(Trie.bytes(large));
        register(id, trie);
        if (family == Family.IPV4_UNICAST) {
            unicast4 = trie;
        } else if (family == Family.IPV6_UNICAST) {
            unicast6 = trie;
        } else {
            byVrf.put(new Vrf(family, rd), trie);
        }
        return trie;
    }

    private static boolean large(int family) {
        return family == Family.IPV4_UNICAST || family == Family.IPV6_UNICAST;
    }

    /** Returns whether the trie exists, or can be created within the reserve of the budget. */
    public boolean hasRoom(int family, long rd) {
        return memory.available() >= IntSlab.RESERVE_BYTES + Trie.bytes(large(family)) || find(family, rd) != null;
    }

    private void register(int id, @Nullable Trie trie) {
        @Nullable Trie[] now = byId;
        if (id == now.length) {
            now = Arrays.copyOf(now, id * 2);
        }
        now[id] = trie;
        byId = now;
    }

    /**
     * Removes tries without prefixes. A reader may still hold a key of one and ask for its trie, so they stay in {@link
     * #byId} until reclaimed; no others are removed before that.
     *
     * @return the number of tries visited, a measure of the time taken
     */
    public int removeEmpty() {
        if (retiring > 0) {
            return 0;
        }
        int before = byVrf.size();
        byVrf.values().removeIf(trie -> {
            if (trie.size() > 0) {
                return false;
            }
            reclaimQueue.add(ReclaimQueue.TRIE, trie.id, 0);
            retiring++;
            memory.reserve(-Trie.bytes(false));
            return true;
        });
        sizeAfterCleanup = byVrf.size();
        return before;
    }

    /** Frees the id of a removed trie that no reader can reach. */
    public void release(int id) {
        register(id, null);
        freeIds.add(id);
        retiring--;
    }

    /** Returns the trie that a key is in. */
    public Trie trieOf(PrefixKeys of, int key, int family) {
        Trie trie = of.hasRds() ? byId[of.trie(key)] : find(family, 0);
        if (trie == null) {
            throw new IllegalStateException("key " + key + " has no trie");
        }
        return trie;
    }

    public PrefixKeys keys(int family) {
        return keys[(Family.afi(family) == Family.AFI_IPV6 ? 1 : 0) + (hasRd(family) ? 2 : 0)];
    }

    /** Returns whether the prefixes of a family have RDs. */
    public static boolean hasRd(int family) {
        return Family.safi(family) >= 128;
    }

    public TrieEditor editor() {
        return editor;
    }

    public static boolean isPrefixFamily(int family) {
        return NlriFormat.isPrefix(family);
    }

    /** Every trie, in no particular order. */
    public Collection<Trie> all() {
        List<Trie> all = new ArrayList<>(byVrf.values());
        Trie four = unicast4;
        Trie six = unicast6;
        if (four != null) {
            all.add(four);
        }
        if (six != null) {
            all.add(six);
        }
        return all;
    }
}
