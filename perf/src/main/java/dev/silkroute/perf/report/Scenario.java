package dev.silkroute.perf.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** A scenario of {@code perf/run.sh}. The name of its command is also that of its result and of its folder. */
@Command(mixinStandardHelpOptions = true)
public abstract class Scenario implements Callable<Integer> {
    /** The folder {@code perf}. */
    public static final Path HOME =
            Path.of(System.getProperty("perf.home", "perf")).toAbsolutePath();
    /** The command of the station that is built here. */
    public static final Path LAUNCHER = HOME.resolveSibling("silkroute");

    protected static final Path RESULTS = HOME.resolve("results");

    private String name() {
        return Objects.requireNonNull(getClass().getAnnotation(Command.class)).name();
    }

    /** Returns the folder of the scenario's files, with those of earlier runs. */
    protected final Path folder() throws IOException {
        return Files.createDirectories(HOME.resolve("target").resolve(name()));
    }

    /** Returns the folder of the scenario's files, empty. */
    protected final Path emptyFolder() throws IOException {
        Folders.delete(folder());
        return folder();
    }

    protected final Result publish(List<Line> lines, List<Map<String, Object>> information) throws IOException {
        return publish("", lines, information);
    }

    /** {@link #print Prints} a result and {@link #store stores} it. */
    protected final Result publish(String conditions, List<Line> lines, List<Map<String, Object>> information)
            throws IOException {
        Result result = print(conditions, lines, information);
        store(result);
        return result;
    }

    /** Writes a result into the folder of results and the table in {@code README.md}. */
    protected static void store(Result result) throws IOException {
        result.write(RESULTS);
        Summary.write(RESULTS, HOME.resolve("README.md"));
    }

    /**
     * Prints a result.
     *
     * @param conditions what the figures depend on beside the machine
     */
    protected final Result print(String conditions, List<Line> lines, List<Map<String, Object>> information)
            throws IOException {
        Result result = new Result(
                name(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                Commit.describe(HOME),
                Machine.describe() + (conditions.isEmpty() ? "" : "; " + conditions),
                lines,
                information);
        System.out.println(result.markdown());
        return result;
    }
}
