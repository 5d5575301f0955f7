package dev.silkroute.app.embedded;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The embedded database, in each of the ways in which it can run. */
class EmbeddedPostgresIT {
    private static final Installation BUILD = new Installation(
            Path.of("target/quarkus-app").toAbsolutePath(),
            Path.of("target/embedded").toAbsolutePath());

    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        // Where the user nobody can get to, which a temporary folder of root's is not
        folder = Files.createTempDirectory(Files.createDirectories(Path.of("target/postgres-test")), "data")
                .toAbsolutePath();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void removeFolder() throws IOException {
        Folders.delete(folder);
    }

    private static EmbeddedPostgres start(DataDirectory directory, List<Unprivileged> ways) {
        return EmbeddedPostgres.start(BUILD, directory, new KeptPorts(directory), new ServerProcesses(directory), ways);
    }

    private static String ask(EmbeddedPostgres postgres, String query) throws SQLException {
        try (var connection = DriverManager.getConnection(postgres.jdbcUrl());
                var rows = connection.createStatement().executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test
    void keepsItsDataWhicheverWayItRuns() throws SQLException {
        try (DataDirectory directory = DataDirectory.open(folder, 0)) {
            try (EmbeddedPostgres first = start(directory, Unprivileged.ways())) {
                try (var connection = DriverManager.getConnection(first.jdbcUrl())) {
                    connection.createStatement().execute("create table t as select 42 as n");
                }
            }
            for (Unprivileged way : Unprivileged.ways()) {
                if (!Shell.succeeds(way.prefix(), "test", "-w", "/tmp")
                        || !Shell.succeeds(
                                way.prefix(),
                                "test",
                                "-x",
                                BUILD.postgres().resolve("bin/postgres").toString())) {
                    continue;
                }
                try (EmbeddedPostgres again = start(directory, List.of(way))) {
                    assertThat(ask(again, "select n from t")).as(way.toString()).isEqualTo("42");
                }
            }
        }
    }

    @Test
    void letsInItsOwnRoleOnly() throws SQLException {
        try (DataDirectory directory = DataDirectory.open(folder, 0);
                EmbeddedPostgres postgres = start(directory, Unprivileged.ways())) {
            assertThat(ask(
                            postgres,
                            "select current_user || ' ' || rolsuper from pg_roles where rolname = current_user"))
                    .isEqualTo("silkroute false");
            assertThatThrownBy(() ->
                            DriverManager.getConnection(postgres.jdbcUrl().replace("user=silkroute", "user=postgres")))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("no pg_hba.conf entry");
            assertThat(
                            ask(
                                    postgres,
                                    "select string_agg(distinct client_addr::text, ',') from pg_stat_activity where client_addr is not null"))
                    .isEqualTo("127.0.0.1/32");
            assertThat(ask(postgres, "show synchronous_commit")).isEqualTo("on");
            assertThat(ask(postgres, "show shared_buffers")).isEqualTo("256MB");
        }
    }

    @Test
    void endsWhenItsGuardIsKilled() {
        try (DataDirectory directory = DataDirectory.open(folder, 0)) {
            EmbeddedPostgres postgres = start(directory, Unprivileged.ways());
            List<ProcessHandle> all = postgres.process().descendants().toList();
            assertThat(all).isNotEmpty();
            postgres.process().destroyForcibly();
            postgres.close();
            await().atMost(15, SECONDS).until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    @Test
    void saysWhatItsLogSaysWhereItDoesNotStart() throws IOException {
        try (DataDirectory directory = DataDirectory.open(folder, 0)) {
            start(directory, Unprivileged.ways()).close();
            Files.writeString(folder.resolve("postgres/cluster/local.conf"), "shared_buffers = 'a lot'\n");
            assertThatThrownBy(() -> start(directory, Unprivileged.ways()))
                    .isInstanceOf(OperatorError.class)
                    .hasMessageContaining("PostgreSQL did not start: FATAL:  configuration file ")
                    .hasMessageContaining("local.conf");
        }
    }

    @Test
    void saysWhereNoWayWorks() {
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        try (DataDirectory directory = DataDirectory.open(folder, 0)) {
            Unprivileged impossible = new Unprivileged(List.of("/nowhere/unshare"), "root");
            assertThatThrownBy(() -> start(directory, List.of(impossible)))
                    .isInstanceOf(OperatorError.class)
                    .hasMessageContaining("start the station as another user, or give --jdbc-url");
        }
    }
}
