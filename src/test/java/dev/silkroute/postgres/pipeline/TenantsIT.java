package dev.silkroute.postgres.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.TestLoad;
import dev.silkroute.postgres.StoredRouter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two routers of two tenants: row-level security keeps each out of what the other's router error. */
class TenantsIT {
    private static final DataSource DATABASE = TestPostgres.database();
    private static final PipelinePool POOL = PipelinePool.open(TestPostgres.url(DATABASE), PipelineLimits.DEFAULT);
    private static String tenants;
    private static String operators;

    @BeforeAll
    static void twoRouters() throws Exception {
        String suffix =
                TestPostgres.query(DATABASE, "SELECT current_database()").getFirst();
        tenants = "tenants_" + suffix;
        operators = "operators_" + suffix;
        LoadPlan plan = TestLoad.of(2, 1, 20).allFamiliesAndViews().changes(5).plan();
        for (int i = 0; i < 2; i++) {
            new StoredRouter(DATABASE, plan, i, i + 1).rest(Instant.now().minusSeconds(60));
        }
        execute("UPDATE bmp.router SET name_source = 'configured'");
        execute("CREATE ROLE " + tenants, "CREATE ROLE " + operators);
        execute("INSERT INTO bmp.tenant_router VALUES ('acme', 'load-0001'), ('globex', 'load-0002'),"
                + " ('both', 'load-0001'), ('both', 'load-0002'), ('later', 'not-there-yet')");
        execute("SELECT bmp.keep_tenants_apart('" + tenants + "')");
        execute("SELECT bmp.keep_tenants_apart('" + operators + "', true)");
    }

    @AfterAll
    static void close() {
        POOL.close();
    }

    private static void execute(String... statements) throws Exception {
        try (var connection = DATABASE.getConnection()) {
            for (String sql : statements) {
                connection.createStatement().execute(sql);
            }
        }
    }

    private static Pipeline as(String tenant) {
        return POOL.transaction().role(tenants).set("silkroute.tenant", tenant).readOnly();
    }

    private static Set<String> routers(Pipeline pipeline, String from) throws PipelineException {
        StatementResult answer = pipeline.add("SELECT DISTINCT router FROM " + from + " ORDER BY 1");
        pipeline.send();
        Set<String> routers = new TreeSet<>();
        for (ResultRow row : answer.rows()) {
            routers.add(String.valueOf(row.value(0)));
        }
        return routers;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bmp.v_routers",
                "bmp.v_peers",
                "bmp.v_rib",
                "bmp.v_route_history",
                "bmp.v_peer_events",
                "bmp.v_stats",
                "bmp.rib_at(now())",
            })
    void aTenantSeesItsOwnRoutersOnly(String from) throws Exception {
        assertThat(routers(as("acme"), from)).containsExactly("load-0001");
        assertThat(routers(as("globex"), from)).containsExactly("load-0002");
        assertThat(routers(as("both"), from)).containsExactly("load-0001", "load-0002");
        assertThat(routers(as("later"), from)).isEmpty();
        assertThat(routers(as(""), from)).isEmpty();
        assertThat(routers(POOL.transaction().role(tenants), from)).isEmpty();
        assertThat(routers(POOL.transaction().role(operators), from)).containsExactly("load-0001", "load-0002");
        assertThat(routers(POOL.transaction(), from)).containsExactly("load-0001", "load-0002");
    }

    @Test
    void aTenantsRoutesAreAllOfItsRouter() throws Exception {
        List<String> own =
                TestPostgres.query(DATABASE, "SELECT count(*) FROM bmp.v_rib WHERE router = 'load-0001' AND NOT stale");
        Pipeline pipeline = as("acme");
        StatementResult answer = pipeline.add("SELECT count(*) FROM bmp.v_rib WHERE NOT stale");
        pipeline.send();

        assertThat(own).isNotEqualTo(List.of("0"));
        assertThat(answer.row().text(0)).isEqualTo(own.getFirst());
    }

    /** One connection serves all tenants: nothing of one is left for the next. */
    @Test
    void tenantsTakeTurnsOnOneConnection() throws Exception {
        long before = POOL.statistics().opened();
        for (int i = 0; i < 10; i++) {
            assertThat(routers(as("acme"), "bmp.v_rib")).containsExactly("load-0001");
            assertThat(routers(POOL.transaction().role(tenants), "bmp.v_rib")).isEmpty();
            assertThat(routers(as("globex"), "bmp.v_rib")).containsExactly("load-0002");
        }
        assertThat(POOL.statistics().opened() - before).isLessThanOrEqualTo(1);
    }

    @Test
    void everyTableThatBelongsToRoutersOrPeersHasARule() throws Exception {
        assertThat(TestPostgres.query(DATABASE, """
            SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = 'bmp'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
              AND a.attname IN ('router_id', 'peer_id') AND NOT c.relrowsecurity\
            """)).isEmpty();
    }

    @Test
    void aTenantChangesNothingAndDoesNotSeeTheOthers() {
        for (String sql : List.of(
                "UPDATE bmp.router SET name = 'mine'",
                "SELECT * FROM bmp.tenant_router",
                "INSERT INTO bmp.tenant_router VALUES ('acme', 'load-0002')",
                "SELECT bmp.keep_tenants_apart('" + tenants + "', true)")) {
            Pipeline pipeline = POOL.transaction().role(tenants).set("silkroute.tenant", "acme");
            pipeline.add(sql);
            assertThatThrownBy(pipeline::send).as(sql).hasMessageContaining("permission denied");
        }
    }

    @Test
    void afterTheEndOfTenantsOtherRolesReadAllRowsAgainAndTenantsNone() throws Exception {
        try (Connection connection = DATABASE.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("CREATE ROLE other");
            statement.execute("GRANT USAGE ON SCHEMA bmp TO other");
            statement.execute("GRANT SELECT ON ALL TABLES IN SCHEMA bmp TO other");
            assertThat(countRouters(statement, "other")).isZero();

            statement.execute("RESET ROLE");
            statement.execute("SELECT bmp.end_tenants()");

            assertThat(countRouters(statement, "other")).isEqualTo(2);
            assertThat(countRouters(statement, operators)).isEqualTo(2);
            assertThatThrownBy(() -> countRouters(statement, tenants)).hasMessageContaining("permission denied");
            connection.rollback();
        }
    }

    private static long countRouters(Statement statement, String role) throws SQLException {
        statement.execute("SET LOCAL ROLE " + role);
        try (ResultSet row = statement.executeQuery("SELECT count(*) FROM bmp.v_routers")) {
            row.next();
            return row.getLong(1);
        }
    }

    /** As an upgrade that replaces a view does. */
    @Test
    void whatAnUpdateBringsIsUnderTheRulesToo() throws Exception {
        execute(
                "ALTER VIEW bmp.v_routers RESET (security_invoker)",
                "CREATE TABLE bmp.added (peer_id int)",
                "INSERT INTO bmp.added SELECT peer_id FROM bmp.peer");

        Flyway.configure().dataSource(DATABASE).schemas("bmp").load().migrate();

        assertThat(routers(as("acme"), "bmp.v_routers")).containsExactly("load-0001");
        Pipeline pipeline = as("acme");
        StatementResult added = pipeline.add("SELECT count(*) FROM bmp.added");
        StatementResult own = pipeline.add("SELECT count(*) FROM bmp.peer");
        pipeline.send();
        assertThat(added.row().number(0)).isEqualTo(own.row().number(0)).isPositive();
        execute("DROP TABLE bmp.added");
    }

    @Test
    void aRouterThatMerelyClaimsItsNameIsInNoTenant() throws Exception {
        for (String claimed : List.of("'sys-name'", "'bgp-id'", "'address'", "'disambiguated'", "NULL")) {
            execute("UPDATE bmp.router SET name_source = " + claimed + " WHERE name = 'load-0001'");
            for (String view : List.of("bmp.v_routers", "bmp.v_peers", "bmp.v_rib", "bmp.v_route_history")) {
                assertThat(routers(as("acme"), view)).as(claimed).isEmpty();
                assertThat(routers(as("both"), view)).as(claimed).containsExactly("load-0002");
            }
        }
        execute("UPDATE bmp.router SET name_source = 'certificate' WHERE name = 'load-0001'");
        assertThat(routers(as("acme"), "bmp.v_rib")).containsExactly("load-0001");
    }

    /** An upgrade replaces the views, each migration in a transaction of its own, and then fails. */
    @Test
    void aMigrationThatFailsAfterTheViewsLeavesNoneOfThemWider(@TempDir Path migrations) throws Exception {
        Path packaged = Path.of("src/main/resources/db/migration");
        try (Stream<Path> files = Files.list(packaged)) {
            for (Path file : files.toList()) {
                String sql = Files.readString(file);
                Files.writeString(
                        migrations.resolve(file.getFileName()),
                        file.endsWith("R__2_views.sql") ? sql + "-- of another version\n" : sql);
            }
        }
        Files.writeString(migrations.resolve("R__8_fails.sql"), "SELECT 1 / 0;");
        Flyway upgrade = Flyway.configure()
                .dataSource(DATABASE)
                .schemas("bmp")
                .locations("filesystem:" + migrations)
                .load();
        assertThatThrownBy(upgrade::migrate).hasMessageContaining("division by zero");

        assertThat(TestPostgres.query(
                        DATABASE,
                        "SELECT count(*) FROM bmp.flyway_schema_history WHERE script = 'R__2_views.sql' AND success"))
                .as("the views have been replaced")
                .containsExactly("2");
        assertThat(TestPostgres.query(DATABASE, """
            SELECT relname FROM pg_class WHERE relnamespace = 'bmp'::regnamespace AND relkind = 'v'
              AND NOT coalesce(reloptions @> '{security_invoker=true}', false)\
            """)).isEmpty();
        for (String view : List.of("bmp.v_routers", "bmp.v_rib", "bmp.v_route_history")) {
            assertThat(routers(as("acme"), view)).containsExactly("load-0001");
        }
    }

    @Test
    void aRoleForWhichNoRuleCountsIsRejected() {
        assertThatThrownBy(() -> execute("SELECT bmp.keep_tenants_apart('silkroute')"))
                .hasMessageContaining("row level security does not apply to role silkroute");
        assertThatThrownBy(() -> execute("SELECT bmp.keep_tenants_apart('nobody')"))
                .hasMessageContaining("role nobody does not exist");
    }
}
