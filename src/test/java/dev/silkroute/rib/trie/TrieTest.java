package dev.silkroute.rib.trie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.rib.memory.MemoryBudget;
import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressString;
import inet.ipaddr.format.util.AssociativeAddressTrie;
import inet.ipaddr.ipv4.IPv4Address;
import inet.ipaddr.ipv4.IPv4AddressAssociativeTrie;
import inet.ipaddr.ipv6.IPv6Address;
import inet.ipaddr.ipv6.IPv6AddressAssociativeTrie;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Longest match and the order of prefixes, compared with the trie of another library. */
class TrieTest {
    private record Prefix(long high, long low, int length) {}

    @ParameterizedTest
    @CsvSource({"1,true,true", "2,true,false", "3,false,true", "4,false,false"})
    void findsTheSameAsAnotherTrie(long seed, boolean ipv6, boolean large) {
        // Given
        Random random = new Random(seed);
        String about = "seed " + seed;
        MemoryBudget memory = new MemoryBudget(1 << 28);
        PrefixKeys keys = new PrefixKeys(ipv6, false, Keys.longLists(memory), memory);
        TrieNodes nodes = new TrieNodes(memory);
        Trie trie = new Trie(1, ipv6 ? Family.IPV6_UNICAST : Family.IPV4_UNICAST, 0, large, keys, ipv6, nodes);
        TrieEditor editor = new TrieEditor(nodes, nodes.slab::release);
        IPv4AddressAssociativeTrie<Integer> other4 = new IPv4AddressAssociativeTrie<>();
        IPv6AddressAssociativeTrie<Integer> other6 = new IPv6AddressAssociativeTrie<>();
        List<Prefix> live = new ArrayList<>();
        for (int i = 0; i < 6000; i++) {
            // When
            if (live.size() > 20 && random.nextInt(5) < 2 + i / 4000) {
                Prefix prefix = live.remove(random.nextInt(live.size()));
                int key = trie.find(prefix.high, prefix.low, prefix.length);
                editor.remove(trie, key, prefix.high, prefix.low, prefix.length);
                keys.release(key);
                boolean removed = ipv6
                        ? other6.remove((IPv6Address) address(prefix, true))
                        : other4.remove((IPv4Address) address(prefix, false));
                assertThat(removed).as(about).isTrue();
            } else {
                Prefix prefix = prefix(random, ipv6);
                if (trie.find(prefix.high, prefix.low, prefix.length) == 0) {
                    int key = keys.claim(1, prefix.high, prefix.low, prefix.length);
                    editor.insert(trie, key, prefix.high, prefix.low, prefix.length);
                    live.add(prefix);
                    if (ipv6) {
                        other6.put((IPv6Address) address(prefix, true), prefix.length);
                    } else {
                        other4.put((IPv4Address) address(prefix, false), prefix.length);
                    }
                }
            }
            // Then
            Prefix host = prefix(random, ipv6);
            int found = trie.match(host.high, host.low);
            IPAddress address = address(new Prefix(host.high, host.low, ipv6 ? 128 : 32), ipv6);
            AssociativeAddressTrie.@Nullable AssociativeTrieNode<?, Integer> expected = ipv6
                    ? other6.longestPrefixMatchNode((IPv6Address) address)
                    : other4.longestPrefixMatchNode((IPv4Address) address);
            assertThat(found == 0 ? -1 : keys.length(found))
                    .as(about)
                    .isEqualTo(expected == null ? -1 : expected.getValue());
            covering(trie, keys, host, live, about);
        }
        while (!live.isEmpty()) {
            Prefix prefix = live.removeLast();
            int key = trie.find(prefix.high, prefix.low, prefix.length);
            editor.remove(trie, key, prefix.high, prefix.low, prefix.length);
        }
        assertThat(nodes.slab.used()).as(about).isZero();
        assertThat(trie.match(0, 0)).as(about).isZero();
    }

    private static void covering(Trie trie, PrefixKeys keys, Prefix host, List<Prefix> live, String about) {
        int expected = live.stream()
                .filter(p -> p.length < host.length && PrefixBits.covers(p.high, p.low, p.length, host.high, host.low))
                .mapToInt(Prefix::length)
                .max()
                .orElse(-1);
        int covering = trie.covering(host.high, host.low, host.length);
        assertThat(covering == 0 ? -1 : keys.length(covering)).as(about).isEqualTo(expected);
    }

    /** A dense range, so that prefixes cover each other. */
    private static Prefix prefix(Random random, boolean ipv6) {
        int length = ipv6 ? random.nextInt(129) : random.nextInt(33);
        long high = random.nextLong() & 0xC001_8181_0000_8001L;
        long low = ipv6 ? random.nextLong() & 0x8000_0001_0000_0011L : 0;
        if (!ipv6) {
            high &= 0xFFFF_FFFF_0000_0000L;
        }
        return new Prefix(PrefixBits.maskHigh(high, length), PrefixBits.maskLow(low, length), length);
    }

    private static IPAddress address(Prefix prefix, boolean ipv6) {
        String text =
                Addresses.prefix(ipv6, ipv6 ? prefix.high : 0, ipv6 ? prefix.low : prefix.high >>> 32, prefix.length);
        return new IPAddressString(text).getAddress();
    }
}
