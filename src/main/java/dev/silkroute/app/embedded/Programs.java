package dev.silkroute.app.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Helpers for starting other programs. */
final class Programs {
    private static final long TIMEOUT_SECONDS = 10;

    private Programs() {}

    /** Returns the {@code java} executable of this JVM. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /**
     * Returns a command prefix that detaches a program from the terminal's signals, empty if setsid is not installed.
     */
    static List<String> newSession() {
        return Files.isExecutable(Path.of("/usr/bin/setsid")) ? List.of("/usr/bin/setsid") : List.of();
    }

    /** Runs a program without input or output and returns whether its exit code is 0. */
    static boolean succeeds(List<String> prefix, String... command) {
        var all = new ArrayList<>(prefix);
        all.addAll(List.of(command));
        try {
            var process = new ProcessBuilder(all)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                return process.exitValue() == 0;
            }
            process.destroyForcibly();
            return false;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
