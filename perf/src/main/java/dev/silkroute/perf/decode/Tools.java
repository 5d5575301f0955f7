package dev.silkroute.perf.decode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The programs of this machine that the scenario can use. */
public final class Tools {
    private Tools() {}

    /** Returns the prefix of a command that reserves the last core for it; empty without {@code taskset}. */
    public static List<String> onOneCore() {
        int last = Runtime.getRuntime().availableProcessors() - 1;
        return find("taskset")
                .map(taskset -> List.of(taskset, "-c", Integer.toString(last)))
                .orElse(List.of());
    }

    public static Optional<String> find(String program) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            Path file = Path.of(folder, program);
            if (!folder.isEmpty() && Files.isExecutable(file)) {
                return Optional.of(file.toString());
            }
        }
        return Optional.empty();
    }

    /** Runs a command in a folder, its output to a file; what went wrong, or empty. */
    public static Optional<String> run(Path folder, Path log, List<String> command)
            throws IOException, InterruptedException {
        Optional<String> program = find(command.getFirst());
        if (program.isEmpty()) {
            return Optional.of(command.getFirst() + " is not installed");
        }
        int exit = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        return exit == 0
                ? Optional.empty()
                : Optional.of(command.getFirst() + " failed, see " + log.getFileName() + " in target/contenders");
    }
}
