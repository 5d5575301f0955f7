package dev.silkroute.perf.rpki;

import dev.silkroute.perf.report.Folders;
import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Scenario;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Time and memory that a file of VRPs takes in a JVM that has just started, with a small heap. */
@Command(name = "vrps", description = "Files with the world's VRPs, as Routinator and rpki-client write them.")
public final class VrpsScenario extends Scenario {
    private static final double MUST_SECONDS = 2;
    private static final double AIM_SECONDS = 1;
    private static final double MUST_MEGABYTES = 60;
    private static final double AIM_MEGABYTES = 30;
    private static final String CHECKED = "the number of different VRPs";

    @Option(names = "--vrps", defaultValue = "500000", description = "VRPs: ${DEFAULT-VALUE}.")
    private int vrps;

    @Option(names = "--rounds", defaultValue = "5", description = "JVMs for each file: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--heap", defaultValue = "100", description = "MiB of heap of each: ${DEFAULT-VALUE}.")
    private int heap;

    /** One reading of a file. */
    private record Reading(double seconds, double megabytes) {}

    @Override
    public Integer call() throws Exception {
        Path folder = emptyFolder();
        Path json = folder.resolve("vrps.json");
        Path csv = folder.resolve("vrps.csv");
        VrpExport export = new VrpExport(vrps);
        export.writeJson(json);
        export.writeCsv(csv);
        List<Reading> ofJson = new ArrayList<>();
        List<Reading> ofCsv = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            ofJson.add(read(json));
            ofCsv.add(read(csv));
        }
        List<Line> lines = new ArrayList<>(lines("JSON", ofJson));
        lines.addAll(lines("CSV", ofCsv));
        publish(
                "%,d VRPs, heap of %d MiB".formatted(vrps, heap),
                lines,
                List.of(row("JSON", json, ofJson), row("CSV", csv, ofCsv)));
        Folders.delete(folder);
        return 0;
    }

    private Reading read(Path file) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + heap + "m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        VrpProcess.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException(file + " was not read");
        }
        System.err.println(file.getFileName() + ": " + output);
        String[] words = output.split(" ", -1);
        if (Integer.parseInt(words[0]) != vrps) {
            throw new IOException(file + ": " + words[0] + " of " + vrps + " VRPs were read");
        }
        return new Reading(Double.parseDouble(words[1]), Double.parseDouble(words[2]) / 1e6);
    }

    private static List<Line> lines(String format, List<Reading> of) {
        return List.of(
                Line.lower(
                        format + ", read by a new JVM",
                        "a second",
                        "s",
                        of.stream().mapToDouble(Reading::seconds).toArray(),
                        MUST_SECONDS,
                        AIM_SECONDS,
                        CHECKED),
                Line.lower(
                        format + ", memory of the JVM in use afterwards",
                        "a megabyte",
                        "MB",
                        of.stream().mapToDouble(Reading::megabytes).toArray(),
                        MUST_MEGABYTES,
                        AIM_MEGABYTES,
                        CHECKED));
    }

    private static Map<String, Object> row(String format, Path file, List<Reading> of) throws IOException {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("file", format);
        row.put("MB", text(Files.size(file) / 1e6));
        row.put("read, s", text(Line.median(of.stream().map(Reading::seconds).toList())));
        row.put(
                "in use afterwards, MB",
                text(Line.median(of.stream().map(Reading::megabytes).toList())));
        return row;
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
