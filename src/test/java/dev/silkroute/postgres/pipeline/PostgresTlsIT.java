package dev.silkroute.postgres.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.embedded.DataDirectory;
import dev.silkroute.app.embedded.EmbeddedPostgres;
import dev.silkroute.app.embedded.Installation;
import dev.silkroute.app.embedded.PersistentPorts;
import dev.silkroute.app.embedded.ServerProcesses;
import dev.silkroute.fixture.KeyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The two clients of the station, pgjdbc and the pipelines, with one URL: TLS with verification, and several hosts. The
 * server is the embedded one, whose certificate is for the address 127.0.0.1 and no name.
 */
class PostgresTlsIT {
    private static Path folder;
    private static DataDirectory directory;
    private static EmbeddedPostgres server;
    private static String tls;

    @BeforeAll
    static void start() throws IOException {
        folder = Files.createTempDirectory(Files.createDirectories(Path.of("target/postgres-test")), "tls")
                .toAbsolutePath();
        directory = DataDirectory.open(folder, 0);
        server = EmbeddedPostgres.start(
                new Installation(
                        Path.of("target/quarkus-app"),
                        Path.of("target/embedded").toAbsolutePath()),
                directory,
                new PersistentPorts(directory),
                new ServerProcesses(directory));
        tls = server.ownerUrl().replace("verify-ca", "verify-full");
    }

    @AfterAll
    static void stop() {
        server.close();
        directory.close();
    }

    private static String byJdbc(String url, String query) throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var rows = connection.createStatement().executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static String byPipeline(String url, String query) throws PipelineException {
        try (PipelinePool pool = PipelinePool.open(url, PipelineLimits.DEFAULT)) {
            Pipeline pipeline = pool.independent().limit(Duration.ofSeconds(10));
            StatementResult result = pipeline.add(query);
            pipeline.send();
            return String.valueOf(result.row().value(0));
        }
    }

    @Test
    void connectsWithAVerifiedCertificate() throws Exception {
        String query = "SELECT client_dn FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl";
        assertThat(byJdbc(tls, query)).isEqualTo("/CN=silkroute");
        assertThat(byPipeline(tls, query)).isEqualTo("/CN=silkroute");
    }

    @Test
    void aCertificateOfAnotherAuthorityIsRejected() throws Exception {
        KeyFiles other = KeyFiles.make(folder, "other");
        String url = tls.replaceFirst("sslrootcert=[^&]*", "sslrootcert=" + other.certificate());
        assertThatThrownBy(() -> byJdbc(url, "SELECT 1")).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> byPipeline(url, "SELECT 1")).isInstanceOf(PipelineException.class);
    }

    /** With verify-ca the same name is accepted, so that the certificate's name is all that is missing. */
    @Test
    void aServerOfAnotherNameIsRejectedByVerifyFullOnly() throws Exception {
        String named = tls.replace("//127.0.0.1:", "//localhost:");
        assertThatThrownBy(() -> byJdbc(named, "SELECT 1")).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> byPipeline(named, "SELECT 1")).isInstanceOf(PipelineException.class);
        String unnamed = named.replace("verify-full", "verify-ca");
        assertThat(byJdbc(unnamed, "SELECT '1'")).isEqualTo("1");
        assertThat(byPipeline(unnamed, "SELECT '1'")).isEqualTo("1");
    }

    @Test
    void hostsAreTriedInTurn() throws Exception {
        String several = tls.replace("//127.0.0.1:", "//127.0.0.1:1,127.0.0.1:");
        for (String url : List.of(several, several + "&targetServerType=primary")) {
            assertThat(byJdbc(url, "SELECT '1'")).isEqualTo("1");
            assertThat(byPipeline(url, "SELECT '1'")).isEqualTo("1");
        }
        String standby = several + "&targetServerType=secondary";
        assertThatThrownBy(() -> byJdbc(standby, "SELECT 1")).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> byPipeline(standby, "SELECT 1"))
                .hasMessageContaining("is not a standby server, which targetServerType requires");
    }
}
