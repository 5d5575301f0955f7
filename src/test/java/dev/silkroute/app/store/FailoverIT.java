package dev.silkroute.app.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.chaos.PostgresPair;
import dev.silkroute.fixture.TestKafka;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.postgres.TestBatch;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The lanes of a running station when the database goes back in time under them: a standby that lags takes over, and
 * then an old backup is restored.
 */
class FailoverIT extends LaneHarness {
    /** More than the ids by which PostgreSQL's sequences are ahead in the log, so that a standby uses some again. */
    private static final int ROUTERS = 50;

    @TempDir
    private Path folder;

    private final List<String> sent = new ArrayList<>();
    private DataSource pairOf;

    /** Sends a route of each router of a group, whose prefix and MED identify the router. */
    private void announce(int group, int partition) throws Exception {
        byte[][] records = new byte[ROUTERS][];
        for (int i = 0; i < ROUTERS; i++) {
            String router = "r" + group + "-" + i;
            String prefix = prefix(group, partition, i);
            int med = med(group, partition, i);
            records[i] = TestBatch.of(router, group + 1, sent.size() + i)
                    .announce(prefix, med)
                    .bytes();
        }
        send("bmp.routes", partition, records);
        for (int i = 0; i < ROUTERS; i++) {
            sent.add("r" + group + "-" + i + "|" + prefix(group, partition, i) + "|" + med(group, partition, i));
        }
    }

    private static String prefix(int group, int partition, int number) {
        return "10." + (10 * group + partition) + "." + number + ".0/24";
    }

    private static int med(int group, int partition, int number) {
        return group * 1000 + partition * 100 + number;
    }

    private void assertStoredOnce() {
        await().untilAsserted(() -> {
            assertThat(routes("v_route_history")).containsExactlyInAnyOrderElementsOf(sent);
            assertThat(routes("v_rib")).containsExactlyInAnyOrderElementsOf(sent);
        });
    }

    private List<String> routes(String view) throws SQLException {
        return TestPostgres.query(pairOf, "SELECT router, prefix, med FROM bmp." + view);
    }

    @Test
    void givenADatabaseThatGoesBackWhenLanesContinueThenEachRouteIsStoredOnceAndBelongsToItsRouter() throws Exception {
        try (PostgresPair pair = PostgresPair.start(Path.of(""), folder)) {
            pairOf = TestPostgres.at(pair.jdbcUrl());
            Flyway.configure().dataSource(pairOf).schemas("bmp").load().migrate();
            context =
                    station(pairOf, TestKafka.bootstrap(), topics, meters, "history.camel.yaml", "current.camel.yaml");
            context.start();
            announce(0, 0);
            assertStoredOnce();
            Path yesterday = folder.resolve("backup");
            pair.backup(yesterday);

            pair.lag();
            announce(1, 1);
            announce(1, 2);
            assertStoredOnce();
            awaitCommitted("silkroute-history", "bmp.routes");
            awaitCommitted("silkroute-current", "bmp.routes");
            pair.failOver();
            announce(2, 3);
            announce(1, 3);
            assertStoredOnce();

            awaitCommitted("silkroute-history", "bmp.routes");
            awaitCommitted("silkroute-current", "bmp.routes");
            pair.restore(yesterday);
            announce(3, 0);
            announce(2, 0);
            announce(1, 0);
            assertStoredOnce();

            awaitCommitted("silkroute-history", "bmp.routes");
            awaitCommitted("silkroute-current", "bmp.routes");
            pair.restore(yesterday);
            assertStoredOnce(); // although no more records arrive
        }
    }
}
