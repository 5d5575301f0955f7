package dev.silkroute.perf.rib;

import static dev.silkroute.perf.rib.Contenders.*;

import dev.silkroute.perf.report.Line;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The absolute results of the rounds. */
final class RibFigures {
    private RibFigures() {}

    /** Every measure, a column for each contender: medians, and minimum and maximum where they are far apart. */
    static List<Map<String, Object>> information(Contenders contenders) {
        Map<String, Map<String, Object>> rows = new LinkedHashMap<>();
        List<Contender> all = contenders.turn(0, List.of(OWN, PLAIN, ROTONDA, BART));
        for (Contender contender : all) {
            for (String measure : contender.samples().keySet()) {
                Map<String, Object> row = rows.computeIfAbsent(measure, _ -> {
                    Map<String, Object> empty = new LinkedHashMap<>();
                    empty.put("measure", measure);
                    all.forEach(other -> empty.put(other.name(), ""));
                    return empty;
                });
                row.put(contender.name(), text(contender.values(measure)));
            }
        }
        return List.copyOf(rows.values());
    }

    static String text(double[] values) {
        double median = Line.median(values);
        double min = Arrays.stream(values).min().orElse(0);
        double max = Arrays.stream(values).max().orElse(0);
        return max > 1.1 * min ? number(median) + " (" + number(min) + "–" + number(max) + ")" : number(median);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
    }
}
