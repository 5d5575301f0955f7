package dev.silkroute.component.pgstate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.RouteBlock;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.load.TestLoad;
import dev.silkroute.postgres.StoredRouter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Instant;
import javax.sql.DataSource;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.junit.jupiter.api.Test;

/**
 * The metrics of {@code pgstate:withdrawals} with a router, and with a database, that stays unavailable; and the route
 * of its page.
 */
class PgStateMetersIT {
    private final DataSource database = TestPostgres.database();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private volatile boolean unavailable;

    private double withdrawn(String cause) {
        return meters.get("silkroute.pgstate.withdrawn.routes")
                .tag("cause", cause)
                .functionCounter()
                .count();
    }

    private double count(String name) {
        return meters.get(name).functionCounter().count();
    }

    private double gauge(String name) {
        return meters.get(name).gauge().value();
    }

    private DataSource flaky() {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (unavailable && method.getName().equals("getConnection")) {
                        throw new SQLException("unavailable");
                    }
                    try {
                        return method.invoke(database, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void givenARouterThatStaysDownThenTheMetricsReportIt() throws Exception {
        // Given
        Instant before = Instant.now();
        StoredRouter router = new StoredRouter(
                database,
                TestLoad.of(5, 2, 10)
                        .views(RibView.ADJ_RIB_IN_POST_POLICY)
                        .changes(1)
                        .plan(),
                0,
                1);
        router.tables(Instant.now());
        double routes = Double.parseDouble(
                TestPostgres.query(database, "SELECT count(*) FROM bmp.v_rib").getFirst());
        assertThat(routes).isPositive();
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            context.getRegistry().bind("dataSource", flaky());
            context.getRegistry().bind("meters", meters);
            context.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    from("pgstate:withdrawals?delay=50&initialDelay=0&staleTimeout=100&expiryInterval=50&batchSize=3")
                            .to("log:withdrawn?level=DEBUG");
                }
            });
            context.start();
            await().until(() -> count("silkroute.pgstate.purges") >= 2);
            assertThat(gauge("silkroute.pgstate.last.purge.timestamp.seconds"))
                    .isBetween((double) before.getEpochSecond(), Instant.now().getEpochSecond() + 1.0);
            assertThat(gauge("silkroute.pgstate.last.purge.duration.seconds")).isPositive();
            // Its tables were sent, and nothing was missing in them
            assertThat(withdrawn("end-of-rib")
                            + withdrawn("stale-timeout")
                            + withdrawn("peer-down")
                            + withdrawn("resync-timeout"))
                    .isZero();

            // When
            router.lose(Instant.now());

            // Then
            await().until(() -> withdrawn("stale-timeout") == routes);
            assertThat(withdrawn("end-of-rib") + withdrawn("peer-down") + withdrawn("resync-timeout"))
                    .isZero();
            assertThat(count("silkroute.pgstate.expired.tables")).isEqualTo(2);
            await().until(() -> gauge("silkroute.pgstate.pending.tables") == 0);
            assertThat(TestPostgres.query(database, "SELECT count(*) FROM bmp.v_route_history WHERE synthetic"))
                    .containsExactly(Long.toString((long) routes));

            // When
            assertThat(count("silkroute.pgstate.purge.failures")).isZero();
            unavailable = true;

            // Then
            await().until(() -> count("silkroute.pgstate.purge.failures") > 0);
            double last = gauge("silkroute.pgstate.last.purge.timestamp.seconds");
            unavailable = false;
            await().until(() -> gauge("silkroute.pgstate.last.purge.timestamp.seconds") > last);
        }
        assertThat(meters.getMeters()).isEmpty();
    }

    /** A Peer Down ends the routes of the peer at once, whatever the timeouts are. */
    @Test
    void theRouteOfTheDocumentationWithdrawsRoutes() throws Exception {
        StoredRouter router = new StoredRouter(
                database,
                TestLoad.of(5, 2, 10)
                        .views(RibView.ADJ_RIB_IN_POST_POLICY)
                        .changes(1)
                        .down(true)
                        .plan(),
                0,
                1);
        router.tables(Instant.now());
        String routes =
                TestPostgres.query(database, "SELECT count(*) FROM bmp.v_rib").getFirst();
        assertThat(routes).isNotEqualTo("0");
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            context.getRegistry().bind("dataSource", database);
            PluginHelper.getRoutesLoader(context)
                    .loadRoutes(ResourceHelper.fromString("page.yaml", RouteBlock.WITHDRAWALS.text()));
            context.getRouteDefinitions().getFirst().to("mock:withdrawn");
            MockEndpoint withdrawn = context.getEndpoint("mock:withdrawn", MockEndpoint.class);
            context.start();
            router.rest(Instant.now());
            await().until(() -> withdrawn.getExchanges().stream()
                            .mapToLong(exchange -> exchange.getMessage().getHeader("PgStateRoutes", Long.class))
                            .sum()
                    == Long.parseLong(routes));
            assertThat(TestPostgres.query(database, "SELECT count(*) FROM bmp.rib_route"))
                    .containsExactly("0");
        }
    }
}
