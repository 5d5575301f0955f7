package dev.silkroute.perf.decode;

import java.util.Arrays;
import java.util.SplittableRandom;

/** The approximate number of prefixes of each length in the Internet's routing tables. */
public final class PrefixLengths {
    /** Lengths 8 to 25 in a table of about a million prefixes. */
    public static final PrefixLengths IPV4 = new PrefixLengths(
            8, 16, 14, 41, 92, 298, 581, 1210, 2161, 13_854, 8369, 13_785, 25_080, 45_910, 53_311, 114_177, 108_013,
            632_625, 793);

    /** Lengths 28 to 48, per mille. */
    public static final PrefixLengths IPV6 =
            new PrefixLengths(28, 5, 25, 8, 3, 115, 12, 9, 6, 45, 6, 12, 7, 90, 7, 20, 9, 110, 14, 37, 22, 438);

    private final int first;
    private final int[] cumulative;

    private PrefixLengths(int first, int... weights) {
        this.first = first;
        cumulative = weights.clone();
        Arrays.parallelPrefix(cumulative, Integer::sum);
    }

    public int next(SplittableRandom random) {
        int draw = random.nextInt(cumulative[cumulative.length - 1]);
        int i = 0;
        while (draw >= cumulative[i]) {
            i++;
        }
        return first + i;
    }
}
