package dev.silkroute.perf.rib;

/** Probes one after the other. */
final class Probing {
    private Probing() {}

    static long matches(Store.Reader reader, Workload.Probes probes) {
        long sum = 0;
        if (probes.six()) {
            for (int i = 0; i < probes.high.length; i++) {
                sum += reader.match6(probes.high[i], probes.low[i]);
            }
        } else {
            for (int address : probes.four) {
                sum += reader.match4(address);
            }
        }
        return sum;
    }

    static long fulls(Store.Reader reader, Workload.Probes probes) {
        long sum = 0;
        if (probes.six()) {
            for (int i = 0; i < probes.high.length; i++) {
                sum += reader.full6(probes.high[i], probes.low[i]);
            }
        } else {
            for (int address : probes.four) {
                sum += reader.full4(address);
            }
        }
        return sum;
    }

    static String check(Store.Reader reader, Workload.Probes probes, boolean whole) {
        Digest digest = new Digest();
        for (int i = 0; i < probes.size(); i++) {
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
