package dev.silkroute.app.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestConfig;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.load.TestLoad;
import dev.silkroute.postgres.StoredRouter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import javax.sql.DataSource;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
import org.junit.jupiter.api.Test;

/** The packaged routes: partitions are created, routers' counts are compared, and metrics report both. */
class MaintenanceRouteIT {
    private final DataSource database = TestPostgres.database();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private double reconciled(String state) {
        return meters.get("silkroute.reconcile.tables")
                .tag("view", "adj-rib-in-post")
                .tag("state", state)
                .gauge()
                .value();
    }

    @Test
    void partitionsAreMadeAndARouterThatCountsOtherwiseRaisesTheAlarm() throws Exception {
        // Given
        StoredRouter router = new StoredRouter(
                database,
                TestLoad.of(5, 2, 10)
                        .views(RibView.ADJ_RIB_IN_POST_POLICY)
                        .changes(1)
                        .plan(),
                0,
                1);
        router.tables(Instant.now());
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            Properties settings = new Properties();
            settings.setProperty("silkroute.maintenance.interval", "200");
            settings.setProperty("silkroute.maintenance.delay", "0");
            settings.setProperty("silkroute.reconcile.interval", "200");
            settings.setProperty("silkroute.reconcile.delay", "0");
            settings.setProperty("silkroute.reconcile.alarm-after", "1s");
            context.getPropertiesComponent().setInitialProperties(settings);
            context.getRegistry().bind("dataSource", database);
            context.getRegistry().bind("maintenance", new MaintenanceTask(database, meters, TestConfig.of()));
            context.getRegistry().bind("reconcileGauges", new ReconcileGauges(meters));
            PluginHelper.getRoutesLoader(context)
                    .loadRoutes(
                            PluginHelper.getResourceLoader(context)
                                    .resolveResource("classpath:routes/error-handling.camel.yaml"),
                            PluginHelper.getResourceLoader(context)
                                    .resolveResource("classpath:routes/maintenance.camel.yaml"));

            // When
            context.start();

            // Then: two peers, one family and all families together
            await().until(() -> reconciled("equal") == 4);
            await().until(() -> TestPostgres.query(database, "SELECT count(*) FROM bmp.history_partitions()")
                    .equals(List.of("4")));
            await().until(() -> meters.get("silkroute.maintenance.step.duration.seconds")
                            .tag("step", "partitions")
                            .timer()
                            .count()
                    == 1);
            assertThat(meters.get("silkroute.reconcile.alarm").gauge().value()).isZero();

            // When
            try (Connection connection = database.getConnection()) {
                connection
                        .createStatement()
                        .execute(
                                "DELETE FROM bmp.rib_route WHERE prefix = (SELECT min(prefix) FROM bmp.rib_route) AND peer_id = (SELECT min(peer_id) FROM bmp.peer)");
            }

            // Then
            await().until(() -> reconciled("differs") == 2);
            await().until(() -> meters.get("silkroute.reconcile.alarm").gauge().value() == 1);
        }
    }
}
