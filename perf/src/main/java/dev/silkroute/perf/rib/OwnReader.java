package dev.silkroute.perf.rib;

import dev.silkroute.net.Family;
import dev.silkroute.rib.RibReader;
import dev.silkroute.rib.RouteCondition;
import dev.silkroute.rib.RouteView;

/** Looks up routes in the station's RIB. */
final class OwnReader implements Store.Reader {
    /** The number of lookups in one batched call. */
    private static final int SECTION = 1000;

    private static final int AS_PATH = 2;

    private final RibReader reader;
    private final RouteView route = new RouteView();
    private final long[] high = new long[SECTION];
    private final long[] low = new long[SECTION];
    private final int[] lengths = new int[SECTION];
    private long sum;

    OwnReader(RibReader reader) {
        this.reader = reader;
    }

    @Override
    public Section section() {
        RibReader.Section section = reader.enter();
        return section::close;
    }

    private static long number(RouteView route) {
        int path = route.attribute(AS_PATH);
        return route.originAs() << 8 | (path < 0 ? 0 : route.attributeBytes()[path + 1]);
    }

    private long full(int family, long high, long low) {
        try (RibReader.Section _ = reader.enter()) {
            return reader.longestMatch(family, 0, high, low, RouteCondition.ANY, route) ? number(route) : 0;
        }
    }

    @Override
    public long full4(int address) {
        return full(Family.IPV4_UNICAST, 0, address & 0xFFFFFFFFL);
    }

    @Override
    public long full6(long high, long low) {
        return full(Family.IPV6_UNICAST, high, low);
    }

    @Override
    public long match4(int address) {
        try (RibReader.Section _ = reader.enter()) {
            return reader.longestPrefix(Family.IPV4_UNICAST, 0, 0, address & 0xFFFFFFFFL);
        }
    }

    @Override
    public long match6(long high, long low) {
        try (RibReader.Section _ = reader.enter()) {
            return reader.longestPrefix(Family.IPV6_UNICAST, 0, high, low);
        }
    }

    @Override
    public long matches(Workload.Probes probes, int first, int end) {
        long all = 0;
        for (int from = first; from < end; from += SECTION) {
            int count = Math.min(SECTION, end - from);
            if (probes.six()) {
                take(probes, from, end);
                reader.longestPrefixes(Family.IPV6_UNICAST, 0, high, low, count, lengths);
            } else {
                reader.longestPrefixes(Family.IPV4_UNICAST, 0, probes.four, from, count, lengths);
            }
            for (int i = 0; i < count; i++) {
                all += lengths[i];
            }
        }
        return all;
    }

    private static int family(Workload.Probes probes) {
        return probes.six() ? Family.IPV6_UNICAST : Family.IPV4_UNICAST;
    }

    /** Copies addresses into the arrays of a batched call. */
    private int take(Workload.Probes probes, int from, int end) {
        int count = Math.min(SECTION, end - from);
        for (int i = 0; i < count; i++) {
            high[i] = probes.six() ? probes.high[from + i] : 0;
            low[i] = probes.six() ? probes.low[from + i] : probes.four[from + i] & 0xFFFFFFFFL;
        }
        return count;
    }

    @Override
    public long fulls(Workload.Probes probes, int first, int end) {
        sum = 0;
        for (int from = first; from < end; from += SECTION) {
            int count = take(probes, from, end);
            reader.longestMatches(
                    family(probes),
                    0,
                    high,
                    low,
                    count,
                    RouteCondition.ANY,
                    (_, found) -> sum += found == null ? 0 : number(found));
        }
        return sum;
    }

    @Override
    public long answer4(int address, boolean whole) {
        return answer(Family.IPV4_UNICAST, 0, address & 0xFFFFFFFFL, whole);
    }

    @Override
    public long answer6(long high, long low, boolean whole) {
        return answer(Family.IPV6_UNICAST, high, low, whole);
    }

    private long answer(int family, long high, long low, boolean whole) {
        try (RibReader.Section _ = reader.enter()) {
            if (!reader.longestMatch(family, 0, high, low, RouteCondition.ANY, route)) {
                return 0;
            }
            if (reader.longestPrefix(family, 0, high, low) != route.prefixLength()) {
                throw new IllegalStateException("two answers for the longest prefix");
            }
            long prefix = family == Family.IPV6_UNICAST
                    ? Digest.prefix(route.addressHigh(), route.addressLow(), route.prefixLength())
                    : Digest.prefix(route.addressLow() << 32, 0, route.prefixLength());
            return whole
                    ? Digest.route(prefix, route.attributeBytes(), route.attributesFrom(), route.attributesTo())
                    : prefix;
        }
    }
}
