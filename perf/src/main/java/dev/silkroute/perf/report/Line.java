package dev.silkroute.perf.report;

import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * One ratio: how a measure compares with its baseline.
 *
 * @param ratio median over the samples
 * @param unit of both sides of the ratio
 * @param must the floor that is held to (a ceiling where less is better), null for a line that only informs
 * @param aim the target
 * @param better {@code higher} or {@code lower}
 * @param samples number of rounds; each gave one ratio, of runs next to each other
 * @param min smallest of the samples
 * @param max largest of them
 * @param checked what was compared to know that both sides did the same work
 */
public record Line(
        String measure,
        String baseline,
        double ratio,
        String unit,
        @Nullable Double must,
        @Nullable Double aim,
        String better,
        int samples,
        double min,
        double max,
        String checked) {

    public static Line higher(
            String measure,
            String baseline,
            String unit,
            double[] ratios,
            @Nullable Double must,
            @Nullable Double aim,
            String checked) {
        return of(measure, baseline, unit, "higher", ratios, must, aim, checked);
    }

    public static Line lower(String measure, String baseline, String unit, double[] ratios, String checked) {
        return lower(measure, baseline, unit, ratios, null, checked);
    }

    public static Line lower(
            String measure, String baseline, String unit, double[] ratios, @Nullable Double must, String checked) {
        return lower(measure, baseline, unit, ratios, must, null, checked);
    }

    public static Line lower(
            String measure,
            String baseline,
            String unit,
            double[] ratios,
            @Nullable Double must,
            @Nullable Double aim,
            String checked) {
        return of(measure, baseline, unit, "lower", ratios, must, aim, checked);
    }

    private static Line of(
            String measure,
            String baseline,
            String unit,
            String better,
            double[] ratios,
            @Nullable Double must,
            @Nullable Double aim,
            String checked) {
        double[] sorted = ratios.clone();
        Arrays.sort(sorted);
        return new Line(
                measure,
                baseline,
                rounded(median(sorted)),
                unit,
                must,
                aim,
                better,
                sorted.length,
                rounded(sorted[0]),
                rounded(sorted[sorted.length - 1]),
                checked);
    }

    public static double median(Collection<Double> values) {
        return median(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    public static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    String verdict() {
        if (must == null) {
            return "";
        }
        if (!reaches(must)) {
            return "below must";
        }
        return aim != null && reaches(aim) ? "aim reached" : "must met";
    }

    private boolean reaches(double bound) {
        return better.equals("higher") ? ratio >= bound : ratio <= bound;
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
