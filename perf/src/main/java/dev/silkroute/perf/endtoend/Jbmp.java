package dev.silkroute.perf.endtoend;

import dev.silkroute.perf.postgres.JbmpHistory;
import dev.silkroute.perf.postgres.JbmpState;
import dev.silkroute.perf.station.CpuTimes;
import dev.silkroute.perf.station.RunningStation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Runs {@link JbmpWriter} on the records, the Kafka and the PostgreSQL of a station. The records are decoded already
 * and stored in Kafka, so it has less to do than the station.
 */
final class Jbmp {
    private static final String HEAP = "-Xmx1g";

    private final RunningStation station;

    Jbmp(RunningStation station) {
        this.station = station;
    }

    /** @param events the events of which the records must have at least as many */
    Phase run(String name, long events) throws SQLException, IOException, InterruptedException {
        createTables();
        CpuTimes before = station.cpu();
        Process writer = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP,
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        JbmpWriter.class.getName(),
                        station.jdbcUrl(),
                        station.bootstrap(),
                        "bmp.routes"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String[] output = new String(writer.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .strip()
                .split(" ", -1);
        if (writer.waitFor() != 0 || Long.parseLong(output[2]) < events) {
            throw new IOException("jBMP's writers failed: " + String.join(" ", output));
        }
        CpuTimes used = station.cpu().minus(before);
        double seconds = Math.max(Double.parseDouble(output[0]), Double.parseDouble(output[1]));
        return new Phase(
                name,
                events,
                0,
                seconds,
                new CpuTimes(Double.parseDouble(output[3]), used.kafka(), used.postgres()),
                null);
    }

    private void createTables() throws SQLException {
        try (Connection connection = DriverManager.getConnection(station.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + JbmpWriter.SCHEMA);
            statement.execute("SET search_path = " + JbmpWriter.SCHEMA);
            for (String table : JbmpHistory.schema()) {
                statement.execute(table);
            }
            for (String table : JbmpState.schema()) {
                statement.execute(table);
            }
        }
    }
}
