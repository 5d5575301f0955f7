package dev.silkroute.rib;

import dev.silkroute.bgp.nlri.NlriFormat;
import dev.silkroute.net.Family;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A trie for each family and RD that has routes: prefixes of two VPNs never meet. The two large tables of the internet are at hand, others are
 * looked up. A trie whose last prefix has gone goes when the next one is made.
 */
final class Tries {
    private record Vrf(int family, long rd) {}

    private final TrieNodes nodes;
    private final PrefixKeys keys4;
    private final PrefixKeys keys6;
    private final Memory memory;
    private final TrieEditor editor4;
    private final TrieEditor editor6;
    private final Map<Vrf, Trie> byVrf = new ConcurrentHashMap<>();
    private volatile @Nullable Trie unicast4;
    private volatile @Nullable Trie unicast6;
    private final List<@Nullable Trie> byId = new ArrayList<>();
    private final List<Integer> freeIds = new ArrayList<>();
    private int emptyBefore;

    Tries(TrieNodes nodes, PrefixKeys keys4, PrefixKeys keys6, Memory memory, TrieEditor.Retired retired) {
        this.nodes = nodes;
        this.keys4 = keys4;
        this.keys6 = keys6;
        this.memory = memory;
        editor4 = new TrieEditor(nodes, keys4, retired);
        editor6 = new TrieEditor(nodes, keys6, retired);
        byId.add(null);
    }

    @Nullable
    Trie find(int family, long rd) {
        return switch (family) {
            case Family.IPV4_UNICAST -> unicast4;
            case Family.IPV6_UNICAST -> unicast6;
            default -> byVrf.get(new Vrf(family, rd));
        };
    }

    Trie make(int family, long rd) {
        Trie found = find(family, rd);
        if (found != null) {
            return found;
        }
        if (byVrf.size() > 2 * emptyBefore + 64) {
            dropEmpty();
        }
        boolean large = family == Family.IPV4_UNICAST || family == Family.IPV6_UNICAST;
        boolean ipv6 = Family.afi(family) == Family.AFI_IPV6;
        int id = freeIds.isEmpty() ? byId.size() : freeIds.removeLast();
        Trie trie = new Trie(id, family, rd, large, ipv6 ? keys6 : keys4, ipv6, nodes);
        memory.reserve(Trie.bytes(large));
        if (id == byId.size()) {
            byId.add(trie);
        } else {
            byId.set(id, trie);
        }
        if (family == Family.IPV4_UNICAST) {
            unicast4 = trie;
        } else if (family == Family.IPV6_UNICAST) {
            unicast6 = trie;
        } else {
            byVrf.put(new Vrf(family, rd), trie);
        }
        return trie;
    }

    private void dropEmpty() {
        byVrf.values().removeIf(trie -> {
            if (trie.size() > 0) {
                return false;
            }
            byId.set(trie.id, null);
            freeIds.add(trie.id);
            memory.reserve(-Trie.bytes(false));
            return true;
        });
        emptyBefore = byVrf.size();
    }

    /** Of a key's trie number. */
    Trie get(int id) {
        Trie trie = byId.get(id);
        if (trie == null) {
            throw new IllegalStateException("no trie " + id);
        }
        return trie;
    }

    PrefixKeys keys(int family) {
        return Family.afi(family) == Family.AFI_IPV6 ? keys6 : keys4;
    }

    TrieEditor editor(Trie trie) {
        return trie.ipv6 ? editor6 : editor4;
    }

    static boolean holds(int family) {
        return NlriFormat.isPrefix(family);
    }

    /** Every trie, in no order. */
    Collection<Trie> all() {
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
