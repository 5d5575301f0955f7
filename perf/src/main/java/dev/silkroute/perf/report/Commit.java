package dev.silkroute.perf.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The commit that a result belongs to. */
final class Commit {
    private Commit() {}

    /**
     * Returns the abbreviated commit of a folder's repository, followed by {@code +} if sources differ from it; null
     * outside a repository. Results of runs before, and the table of them, are not sources.
     */
    static @Nullable String describe(Path folder) throws IOException {
        String commit = git(folder, "rev-parse", "--short=8", "HEAD");
        if (commit == null) {
            return null;
        }
        String changes = git(folder, "status", "--porcelain", "--", ":/", ":(exclude)results", ":(exclude)README.md");
        return changes == null || changes.isEmpty() ? commit : commit + "+";
    }

    private static @Nullable String git(Path folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            return process.waitFor() == 0 ? output : null;
        } catch (InterruptedException e) {
            throw new IOException("interrupted while git was running", e);
        }
    }
}
