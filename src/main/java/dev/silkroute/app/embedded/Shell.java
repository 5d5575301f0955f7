package dev.silkroute.app.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Small helps for starting other programs. */
final class Shell {
    private static final long PROBE_SECONDS = 10;

    private Shell() {}

    /** The java of this JVM. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** A prefix that gives a program a session of its own, away from the terminal's signals; empty where there is none. */
    static List<String> ownSession() {
        return Files.isExecutable(Path.of("/usr/bin/setsid")) ? List.of("/usr/bin/setsid") : List.of();
    }

    /** Runs a program to its end, without input or output; true where it ended with 0. */
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
            if (process.waitFor(PROBE_SECONDS, TimeUnit.SECONDS)) {
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
