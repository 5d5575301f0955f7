package dev.silkroute.perf.endtoend;

import java.io.IOException;
import java.nio.file.Path;
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
            Psql.run(
                    url,
                    "\\copy (select * from bmp." + table + ") to '" + file(table) + "' with (format binary)",
                    "create table bmp.copy_of_" + table + " (like bmp." + table + " including all)");
        }
    }

    /** Copies each file in one transaction. @return the seconds that it took */
    double copy() throws IOException, InterruptedException {
        long start = System.nanoTime();
        for (String table : TABLES) {
            Psql.run(url, "\\copy bmp.copy_of_" + table + " from '" + file(table) + "' with (format binary)");
        }
        return (System.nanoTime() - start) / 1e9;
    }

    long count(String table) throws IOException, InterruptedException {
        return Long.parseLong(Psql.run(url, "select count(*) from bmp." + table));
    }

    private Path file(String table) {
        return folder.resolve(table + ".copy");
    }
}
