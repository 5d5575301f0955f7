package dev.silkroute.perf.rib;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reference: one table, a map for each prefix length, searched from the longest to the shortest. Slow and simple.
 */
final class Oracle {
    private record Key(long high, long low) {}

    private final @Nullable Map<Key, Integer>[] four = maps(33);
    private final @Nullable Map<Key, Integer>[] six = maps(129);

    @SuppressWarnings("unchecked")
    private static @Nullable Map<Key, Integer>[] maps(int count) {
        return (@Nullable Map<Key, Integer>[]) new Map<?, ?>[count];
    }

    /** The last set announced for a prefix is its own. */
    void announce(Workload work, int[] routes) {
        for (int i = 0; i < routes.length; i += Workload.ROUTE) {
            int prefix = routes[i + 1];
            @Nullable Map<Key, Integer>[] maps = work.six(prefix) ? six : four;
            int length = work.length(prefix);
            Map<Key, Integer> map = maps[length];
            if (map == null) {
                map = new HashMap<>();
                maps[length] = map;
            }
            map.put(new Key(work.high(prefix), work.low(prefix)), routes[i + 2]);
        }
    }

    int prefixes() {
        int prefixes = 0;
        for (@Nullable Map<Key, Integer>[] maps : java.util.List.of(four, six)) {
            for (Map<Key, Integer> map : maps) {
                prefixes += map == null ? 0 : map.size();
            }
        }
        return prefixes;
    }

    /** @param whole attributes too, not only the prefix that matches */
    String answer(Workload work, Workload.Probes probes, boolean whole) {
        Digest digest = new Digest();
        @Nullable Map<Key, Integer>[] maps = probes.six() ? six : four;
        for (int i = 0; i < Math.min(Probing.CHECKED, probes.size()); i++) {
            long high = probes.six() ? probes.high[i] : (long) probes.four[i] << 32;
            long low = probes.six() ? probes.low[i] : 0;
            for (int length = maps.length - 1; length >= 0; length--) {
                Map<Key, Integer> map = maps[length];
                if (map == null) {
                    continue;
                }
                Key key = new Key(high & mask(length), low & mask(length - 64));
                Integer set = map.get(key);
                if (set != null) {
                    long prefix = Digest.prefix(key.high, key.low, length);
                    digest.add(
                            i, whole ? Digest.route(prefix, work.bytes(), work.setFrom(set), work.setTo(set)) : prefix);
                    break;
                }
            }
        }
        return digest.text();
    }

    static long mask(int length) {
        return length <= 0 ? 0 : length >= 64 ? -1 : -1L << 64 - length;
    }
}
