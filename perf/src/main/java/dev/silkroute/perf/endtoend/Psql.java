package dev.silkroute.perf.endtoend;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Runs commands with {@code psql}. */
final class Psql {
    private Psql() {}

    /**
     * Runs commands one after the other until one fails.
     *
     * @param url of the database
     * @return the output, unaligned and without headers
     * @throws IOException if one fails
     */
    static String run(String url, String... commands) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("psql", "-XqAt", "-v", "ON_ERROR_STOP=1", url));
        for (String command : commands) {
            arguments.add("-c");
            arguments.add(command);
        }
        Process psql = new ProcessBuilder(arguments)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(psql.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (psql.waitFor() != 0) {
            throw new IOException("psql failed: " + String.join("; ", commands));
        }
        return answer;
    }
}
