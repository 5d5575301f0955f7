package dev.silkroute.perf.past;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * One peer's table and what happens to it, the same for the same numbers: announced whole, then an event at a time,
 * half of them about one route in a hundred, one in ten a withdrawal.
 */
final class PastTable {
    static final int SETS = 200_000;
    static final int WITHDRAWN = -1;

    private final int[] sets;
    private final SplittableRandom random = new SplittableRandom(42);

    PastTable(int routes) {
        sets = new int[routes];
        Arrays.setAll(sets, route -> route % SETS);
    }

    /** Makes one event and returns its route. */
    int next() {
        int among = random.nextBoolean() ? Math.max(1, sets.length / 100) : sets.length;
        int route = random.nextInt(among);
        sets[route] = random.nextInt(10) == 0 ? WITHDRAWN : random.nextInt(SETS);
        return route;
    }

    /** The attribute set of a route, {@link #WITHDRAWN} where it is withdrawn. */
    int set(int route) {
        return sets[route];
    }

    int[] state() {
        return sets.clone();
    }

    static String prefix(int route) {
        int third = 0x0100_0000 + (route << 8);
        return (third >>> 24) + "." + (third >> 16 & 0xFF) + "." + (third >> 8 & 0xFF) + ".0/24";
    }

    static int route(String prefix) {
        String[] parts = prefix.substring(0, prefix.indexOf('/')).split("\\.", 4);
        return (Integer.parseInt(parts[0]) << 16 | Integer.parseInt(parts[1]) << 8 | Integer.parseInt(parts[2]))
                - 0x1_0000;
    }
}
