package dev.silkroute.perf.rib;

import dev.silkroute.net.ByteSink;
import java.util.Arrays;

/**
 * Attributes as the benchmark of Akvorado's RIB draws them: one of 254,123 AS paths whose lengths are those of
 * potaroo.net's {@code bgp-asbyhop-vector}, communities and now and then a large one of AS numbers of the path. Nearly
 * every set is another one, which is the worst that can meet a table that keeps sets once.
 */
final class AttributeDraw {
    private static final int PATHS = 254_123;
    private static final int[] HOPS = {1, 2, 366, 9645, 29251, 28984, 7340, 1423, 383, 63, 14, 2, 4, 4, 4, 4, 1, 0};
    private static final int ASNS = 64_494;

    private static final int WELL_KNOWN = 0x50;
    private static final int OPTIONAL_TRANSITIVE = 0xD0;
    private static final int OPTIONAL = 0x90;

    private final int[][] paths = new int[PATHS][];

    AttributeDraw() {
        GoRandom random = new GoRandom(0);
        int total = Arrays.stream(HOPS).sum();
        for (int i = 0; i < PATHS; i++) {
            int[] path = new int[Math.max(1, weighted(HOPS, random.below(total)))];
            for (int j = 0; j < path.length; j++) {
                path[j] = random.below(ASNS) + 1;
            }
            paths[i] = path;
        }
    }

    static int weighted(int[] weights, int drawn) {
        int index = 0;
        for (int left = drawn - weights[0]; left >= 0; left -= weights[index]) {
            index++;
        }
        return index;
    }

    /** Drawn attributes, without the next hop. */
    record Drawn(int[] path, int[] communities, int[][] large) {}

    Drawn draw(GoRandom random) {
        int[] path = paths[random.below(PATHS)];
        int[] communities = new int[Math.max(0, random.below(10) - 4)];
        for (int i = 0; i < communities.length; i++) {
            communities[i] = any(path, random) << 16 | random.below(3);
        }
        int[][] large = new int[Math.max(0, random.below(100) - 97)][];
        for (int i = 0; i < large.length; i++) {
            large[i] = new int[] {any(path, random), random.below(2) + 1, random.below(2) + 1};
        }
        return new Drawn(path, distinct(communities), large);
    }

    private static int any(int[] path, GoRandom random) {
        return path[random.below(path.length)];
    }

    private static int[] distinct(int[] values) {
        return Arrays.stream(values)
                .mapToLong(Integer::toUnsignedLong)
                .sorted()
                .distinct()
                .mapToInt(value -> (int) value)
                .toArray();
    }

    /** Writes the canonical set of a route of a peer: {@code ORIGIN}, {@code AS_PATH}, next hop, communities. */
    static void write(Drawn drawn, int peer, boolean six, ByteSink out) {
        header(out, WELL_KNOWN, 1, 1);
        out.u8(0);
        header(out, WELL_KNOWN, 2, 2 + 4 * drawn.path.length);
        out.u8(2);
        out.u8(drawn.path.length);
        for (int asn : drawn.path) {
            out.u32(asn);
        }
        if (!six) {
            header(out, WELL_KNOWN, 3, 4);
            out.u32(0xC633_6401 + peer); // 198.51.100.1
        }
        if (drawn.communities.length > 0) {
            header(out, OPTIONAL_TRANSITIVE, 8, 4 * drawn.communities.length);
            for (int community : drawn.communities) {
                out.u32(community);
            }
        }
        if (six) {
            header(out, OPTIONAL, 14, 20);
            out.u16(2);
            out.u8(1);
            out.u8(16);
            out.i64(0x2001_0db8_0000_0000L);
            out.i64(1 + peer);
        }
        if (drawn.large.length > 0) {
            header(out, OPTIONAL_TRANSITIVE, 32, 12 * drawn.large.length);
            for (int[] community : drawn.large) {
                for (int part : community) {
                    out.u32(part);
                }
            }
        }
    }

    private static void header(ByteSink out, int flags, int type, int length) {
        out.u32(flags << 24 | type << 16 | length);
    }
}
