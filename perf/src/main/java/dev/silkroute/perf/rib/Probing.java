package dev.silkroute.perf.rib;

/** Runs probes one after the other. */
final class Probing {
    /** The number of probes whose answers are checked, the same for all contenders. */
    static final int CHECKED = 100_000;

    /** The number of lookups that share a section. */
    private static final int SECTION = 1000;

    private Probing() {}

    /** Runs probes one after the other, in sections of many. */
    static long inSections(Store.Reader reader, Workload.Probes probes, int from, int to, boolean whole) {
        long sum = 0;
        for (int first = from; first < to; first += SECTION) {
            int end = Math.min(to, first + SECTION);
            try (Store.Reader.Section _ = reader.section()) {
                sum += whole ? fulls(reader, probes, first, end) : matches(reader, probes, first, end);
            }
        }
        return sum;
    }

    static long matches(Store.Reader reader, Workload.Probes probes, int from, int to) {
        long sum = 0;
        if (probes.six()) {
            for (int i = from; i < to; i++) {
                sum += reader.match6(probes.high[i], probes.low[i]);
            }
        } else {
            for (int i = from; i < to; i++) {
                sum += reader.match4(probes.four[i]);
            }
        }
        return sum;
    }

    static long fulls(Store.Reader reader, Workload.Probes probes, int from, int to) {
        long sum = 0;
        if (probes.six()) {
            for (int i = from; i < to; i++) {
                sum += reader.full6(probes.high[i], probes.low[i]);
            }
        } else {
            for (int i = from; i < to; i++) {
                sum += reader.full4(probes.four[i]);
            }
        }
        return sum;
    }

    static String check(Store.Reader reader, Workload.Probes probes, boolean whole) {
        Digest digest = new Digest();
        for (int i = 0; i < Math.min(CHECKED, probes.size()); i++) {
            long answer = probes.six()
                    ? reader.answer6(probes.high[i], probes.low[i], whole)
                    : reader.answer4(probes.four[i], whole);
            if (answer != 0) {
                digest.add(i, answer);
            }
        }
        return digest.text();
    }
}
