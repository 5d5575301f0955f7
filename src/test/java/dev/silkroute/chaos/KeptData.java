package dev.silkroute.chaos;

import dev.silkroute.app.embedded.EmbeddedKafka;
import dev.silkroute.app.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** History against the topic once more, from the data that a run has left. */
public final class KeptData {
    private KeptData() {}

    /** @param faults what is wrong, nothing if all is well */
    public record Look(List<String> faults, HistoryCounts history) {
        public Look {
            faults = List.copyOf(faults);
        }
    }

    /** @param folder the run's data */
    public static Look look(Path home, Path folder) throws SQLException {
        Server<EmbeddedKafka> kafka = Server.kafka(home, folder.resolve("kafka"));
        Server<EmbeddedPostgres> postgres = Server.postgres(home, folder.resolve("postgres"));
        try {
            Cluster.atOnce(List.of(kafka::start, postgres::start));
            Findings findings = new Findings();
            TopicTruth truth = TopicTruth.read(kafka.get().bootstrap(), findings);
            try (Connection connection =
                    DriverManager.getConnection(postgres.get().jdbcUrl())) {
                HistoryCounts history = HistoryCheck.run(connection, truth, findings);
                return new Look(findings.texts(), history);
            }
        } finally {
            Cluster.atOnce(List.of(kafka::stop, postgres::stop));
        }
    }
}
