package dev.silkroute.chaos;

import dev.silkroute.app.embedded.EmbeddedKafka;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** Compares history with the topic again, from the data directory of an earlier run. */
public final class KeptData {
    private KeptData() {}

    /** @param faults the errors found; empty if there are none */
    public record Look(List<String> faults, HistoryCounts history) {
        public Look {
            faults = List.copyOf(faults);
        }
    }

    /** @param folder the data directory of the run */
    public static Look look(Path home, Path folder) throws SQLException {
        Server<EmbeddedKafka> kafka = Server.kafka(home, folder.resolve("kafka"));
        Disk disk = Disk.remount(Cluster.kafkaStorage(folder));
        PostgresPair postgres = PostgresPair.reopen(home, folder.resolve("postgres"));
        try {
            Cluster.atOnce(List.of(kafka::start, postgres.primary()::start));
            Findings findings = new Findings();
            TopicTruth truth = TopicTruth.read(kafka.get().bootstrap(), findings);
            try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl())) {
                HistoryCounts history = HistoryCheck.run(connection, truth, findings);
                return new Look(findings.texts(), history);
            }
        } finally {
            Cluster.atOnce(List.of(kafka::stop, postgres::close));
            if (disk != null) {
                disk.close();
            }
        }
    }
}
