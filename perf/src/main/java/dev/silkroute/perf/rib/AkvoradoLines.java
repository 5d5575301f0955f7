package dev.silkroute.perf.rib;

import dev.silkroute.perf.report.Line;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lines that compare the RIB with published figures of Akvorado. */
final class AkvoradoLines {
    /**
     * Measured by its own benchmarks and a harness on its own package, on a machine like this one, outside the project.
     */
    private static final String AKVORADO = "Akvorado's RIB, as it was measured elsewhere";

    private static final double AKVORADO_COLD_NANOS = 2_385;
    private static final double AKVORADO_INSERTS = 33_375;
    private static final double AKVORADO_SECOND_NANOS = 11_879;
    private static final double AKVORADO_BYTES_REAL = 335.7;
    private static final double AKVORADO_BYTES_SYNTHETIC = 377.5;
    private static final double AKVORADO_P999_NANOS = 2_287_298;
    private static final double AKVORADO_WRITES = 45_026;

    private static final String NONE = "nothing: another program, another run";

    private final Contender own;
    private final String pages;

    AkvoradoLines(Contender own, String pages) {
        this.own = own;
        this.pages = pages;
    }

    void addTo(List<Line> lines) {
        // Flows are looked up together here; there, one by one is the only way.
        against(
                lines,
                "cold lookup, its routes, batched" + pages,
                "ns",
                AKVORADO_COLD_NANOS,
                own,
                "synthetic synthetic-cold4 fulls",
                8.0,
                20.0);
        against(
                lines,
                "cold lookup, its routes, one by one" + pages,
                "ns",
                AKVORADO_COLD_NANOS,
                own,
                "synthetic synthetic-cold4 full",
                null,
                null);
        if (own.has("routes/s, synthetic")) {
            double[] ratios = Arrays.stream(own.values("routes/s, synthetic"))
                    .map(v -> v / AKVORADO_INSERTS)
                    .toArray();
            lines.add(Line.higher("inserts, its routes" + pages, AKVORADO, "routes/s", ratios, 10.0, 25.0, NONE));
            double[] second = Arrays.stream(own.values("routes/s, second"))
                    .map(v -> v * AKVORADO_SECOND_NANOS / 1e9)
                    .toArray();
            lines.add(Line.higher("second peer's routes" + pages, AKVORADO, "routes/s", second, 6.0, 12.0, NONE));
            lines.add(Line.lower(
                    "bytes/route, real prefixes" + pages,
                    AKVORADO,
                    "bytes",
                    RibLines.scaled(own, "bytes/route, real", AKVORADO_BYTES_REAL),
                    0.5,
                    0.4,
                    NONE));
            lines.add(Line.lower(
                    "bytes/route, its routes" + pages,
                    AKVORADO,
                    "bytes",
                    RibLines.scaled(own, "bytes/route, synthetic", AKVORADO_BYTES_SYNTHETIC),
                    0.75,
                    0.6,
                    NONE));
        }
        against(
                lines,
                "read p99.9, one writer, its updates" + pages,
                "ns",
                AKVORADO_P999_NANOS,
                own,
                "p999, writers 1 same",
                20.0,
                100.0);
        if (own.has("writes/s, writers 1 same")) {
            lines.add(Line.higher(
                    "writes meanwhile" + pages,
                    AKVORADO,
                    "updates/s",
                    RibLines.scaled(own, "writes/s, writers 1 same", AKVORADO_WRITES),
                    5.0,
                    null,
                    NONE));
        }
    }

    private static void against(
            List<Line> lines,
            String measure,
            String unit,
            double theirs,
            Contender own,
            String ours,
            @Nullable Double must,
            @Nullable Double aim) {
        if (own.has(ours)) {
            double[] ratios =
                    Arrays.stream(own.values(ours)).map(value -> theirs / value).toArray();
            lines.add(Line.higher(measure, AKVORADO, "1/" + unit, ratios, must, aim, NONE));
        }
    }
}
