package dev.silkroute.perf.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The table in {@code perf/README.md}: every line with a bound, of the newest result of each scenario. */
public final class Summary {
    private static final String BEGIN = "<!-- results: written by perf/run.sh -->\n";
    private static final String END = "<!-- end of results -->\n";

    private static final ObjectMapper JSON = new ObjectMapper();

    private Summary() {}

    /**
     * Replaces the table by one of the results that are in a folder.
     *
     * @throws IOException also if the page has no place for the table, or a result cannot be read
     */
    public static void write(Path results, Path page) throws IOException {
        String text = Files.readString(page);
        int from = text.indexOf(BEGIN);
        int to = text.indexOf(END);
        if (from < 0 || to < from) {
            throw new IOException(page + " lacks the lines around the table of results: " + BEGIN + END);
        }
        Files.writeString(page, text.substring(0, from + BEGIN.length()) + table(read(results)) + text.substring(to));
    }

    private static List<Result> read(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
        Stream.Builder<Result> results = Stream.builder();
        for (Path file : files) {
            results.add(JSON.readValue(file.toFile(), Result.class));
        }
        return results.build().toList();
    }

    static String table(List<Result> results) {
        StringBuilder text =
                new StringBuilder("| scenario | line | compared with | ratio | must | aim | | commit | date |\n");
        text.append("|---|---|---|--:|--:|--:|---|---|---|\n");
        for (Result result : results) {
            List<Line> bounded =
                    result.lines().stream().filter(line -> line.must() != null).toList();
            bounded.forEach(line -> row(
                    text,
                    result,
                    line.measure(),
                    line.baseline(),
                    Result.number(line.ratio()) + (line.better().equals("lower") ? " (less is better)" : ""),
                    Result.bound(line.must()),
                    Result.bound(line.aim()),
                    line.verdict()));
            if (bounded.isEmpty()) {
                row(text, result, "no bounds, see the result", "", "", "", "", "");
            }
        }
        return text.toString();
    }

    private static void row(StringBuilder text, Result result, String... cells) {
        text.append("| [`%s`](results/%s.md) |".formatted(result.scenario(), result.scenario()));
        for (String cell : cells) {
            text.append(' ').append(cell).append(cell.isEmpty() ? "|" : " |");
        }
        String commit = result.commit();
        text.append(" %s | %s |%n"
                .formatted(commit == null ? "not recorded" : commit, result.at().substring(0, 10)));
    }
}
