package dev.silkroute.perf.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of one run of a scenario.
 *
 * @param at when, ISO-8601 UTC
 * @param commit what was measured, with {@code +} if the tree had changes that were not committed; null if unknown
 * @param information absolute figures of this machine, one row for each thing measured; ratios are what to trust
 */
public record Result(
        String scenario,
        String at,
        @Nullable String commit,
        String machine,
        List<Line> lines,
        List<Map<String, Object>> information) {

    /** Writes {@code NAME.json} and {@code NAME.md} into a folder. */
    public void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        ObjectMapper json = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
        Files.writeString(folder.resolve(scenario + ".json"), json.writeValueAsString(this) + "\n");
        Files.writeString(folder.resolve(scenario + ".md"), markdown());
    }

    public String markdown() {
        StringBuilder text = new StringBuilder("# " + scenario + "\n\n" + at + ", "
                + (commit == null ? "" : "commit " + commit + ", ") + machine + "\n\n");
        if (!lines.isEmpty()) {
            ratios(text);
        }
        if (!information.isEmpty()) {
            text.append(lines.isEmpty() ? "" : "\n");
            row(text, information.getFirst().keySet());
            row(text, information.getFirst().keySet().stream().map(_ -> "---").toList());
            information.forEach(values -> row(text, values.values()));
        }
        return text.toString();
    }

    private void ratios(StringBuilder text) {
        text.append("| measure | baseline | ratio of | ratio | must | aim | | samples | min | max |\n");
        text.append("|---|---|---|--:|--:|--:|---|--:|--:|--:|\n");
        for (Line line : lines) {
            text.append("| %s | %s | %s | %s | %s | %s | %s | %d | %s | %s |%n"
                    .formatted(
                            line.measure(),
                            line.baseline(),
                            line.unit() + (line.better().equals("lower") ? " (less is better)" : ""),
                            number(line.ratio()),
                            bound(line.must()),
                            bound(line.aim()),
                            line.verdict(),
                            line.samples(),
                            number(line.min()),
                            number(line.max())));
        }
        lines.stream()
                .map(Line::checked)
                .distinct()
                .forEach(checked -> text.append("\nChecked: ").append(checked).append(".\n"));
    }

    private static void row(StringBuilder text, Iterable<?> cells) {
        text.append('|');
        cells.forEach(cell -> text.append(' ').append(cell).append(" |"));
        text.append('\n');
    }

    static String bound(@Nullable Double value) {
        return value == null ? "" : number(value);
    }

    static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
