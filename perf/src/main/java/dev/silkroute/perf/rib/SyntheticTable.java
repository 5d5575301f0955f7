package dev.silkroute.perf.rib;

/**
 * IPv4 prefixes as the benchmark of Akvorado's RIB draws them: lengths as in potaroo.net's {@code bgp-prefix-vector},
 * addresses even over 0.0.0.0 to 223.255.255.255, duplicates left in.
 */
final class SyntheticTable {
    private static final int[] LENGTHS = {
        0, 0, 0, 0, 0, 0, 0, 0, 16, 14, 41, 92, 298, 581, 1210, 2161, 13854, 8369, 13785, 25080, 45910, 53311, 114177,
        108013, 632625, 793, 0, 0, 0, 0, 0, 0, 0
    };
    private static final int TOTAL = java.util.Arrays.stream(LENGTHS).sum();

    private final GoRandom random;

    SyntheticTable(GoRandom random) {
        this.random = random;
    }

    RealTable.Prefix next() {
        int length = AttributeDraw.weighted(LENGTHS, random.below(TOTAL));
        int address = random.below(224) << 24 | random.below(256) << 16 | random.below(256) << 8 | random.below(256);
        return new RealTable.Prefix((long) address << 32 & Oracle.mask(length), 0, length, false);
    }
}
