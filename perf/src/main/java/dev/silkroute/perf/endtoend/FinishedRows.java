package dev.silkroute.perf.endtoend;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The rows of a station's database, copied by {@code psql} into empty tables of the same shape in the same server. */
final class FinishedRows {
    private static final List<String> TABLES = List.of("attribute_set", "rib_route", "route_event");

    private final String url;
    private final Path folder;

    /** @param url of the database, for {@code psql} */
    FinishedRows(String url, Path folder) {
        this.url = url;
        this.folder = folder;
    }

    /** Writes the rows to files, and creates the empty tables with all indexes. */
    void export() throws IOException, InterruptedException {
        for (String table : TABLES) {
            psql(
                    "\\copy (select * from bmp." + table + ") to '" + file(table) + "' with (format binary)",
                    "create table bmp.copy_of_" + table + " (like bmp." + table + " including all)");
        }
    }

    /** Copies each file in one transaction. @return the seconds that it took */
    double copy() throws IOException, InterruptedException {
        long start = System.nanoTime();
        for (String table : TABLES) {
            psql("\\copy bmp.copy_of_" + table + " from '" + file(table) + "' with (format binary)");
        }
        return (System.nanoTime() - start) / 1e9;
    }

    long count(String table) throws IOException, InterruptedException {
        return Long.parseLong(psql("select count(*) from bmp." + table));
    }

    private Path file(String table) {
        return folder.resolve(table + ".copy");
    }

    private String psql(String... commands) throws IOException, InterruptedException {
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
