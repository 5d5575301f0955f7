package dev.silkroute.app.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The embedded database, as each user that can run it. */
class EmbeddedPostgresIT {
    private static final Installation BUILD = new Installation(
            Path.of("target/quarkus-app").toAbsolutePath(),
            Path.of("target/embedded").toAbsolutePath());

    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        // The user nobody must be able to enter it; a temporary directory of root's would not do.
        folder = Files.createTempDirectory(Files.createDirectories(Path.of("target/postgres-test")), "data")
                .toAbsolutePath();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void removeFolder() throws IOException {
        Directories.delete(folder);
    }

    private static EmbeddedPostgres start(DataDirectory directory, List<UserSwitch> candidates) {
        return EmbeddedPostgres.start(
                BUILD, directory, new PersistentPorts(directory), new ServerProcesses(directory), candidates);
    }

    private static String query(EmbeddedPostgres postgres, String query) throws SQLException {
        try (var connection = DriverManager.getConnection(postgres.jdbcUrl());
                var rows = connection.createStatement().executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test
    void keepsItsDataWhicheverUserRunsIt() throws SQLException {
        try (DataDirectory directory = DataDirectory.open(folder, 0)) {
            try (EmbeddedPostgres first = start(directory, UserSwitch.candidates())) {
                try (var connection = DriverManager.getConnection(first.jdbcUrl())) {
                    connection.createStatement().execute("create table t as select 42 as n");
                }
            }
            List<UserSwitch> usable = UserSwitch.candidates().stream()
                    .filter(EmbeddedPostgresIT::isUsable)
                    .toList();
            assertThat(usable).isNotEmpty();
            for (UserSwitch user : usable) {
                try (EmbeddedPostgres again = start(directory, List.of(user))) {
                    assertThat(query(again, "select n from t"))
                            .as(user.toString())
                            .isEqualTo("42");
                }
            }
        }
    }

    private static boolean isUsable(UserSwitch user) {
        Path program = BUILD.postgres().resolve("bin/postgres");
        return Programs.succeeds(user.prefix(), "test", "-w", "/tmp")
                && Programs.succeeds(user.prefix(), "test", "-x", program.toString());
    }

    @Test
    void acceptsOnlyItsOwnRole() throws SQLException {
        try (DataDirectory directory = DataDirectory.open(folder, 0);
                EmbeddedPostgres postgres = start(directory, UserSwitch.candidates())) {
            assertThat(query(
                            postgres,
                            "select current_user || ' ' || rolsuper from pg_roles where rolname = current_user"))
                    .isEqualTo("silkroute false");
            assertThatThrownBy(() ->
                            DriverManager.getConnection(postgres.jdbcUrl().replace("user=silkroute", "user=postgres")))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("no pg_hba.conf entry");
            assertThat(
                            query(
                                    postgres,
                                    "select string_agg(distinct client_addr::text, ',') from pg_stat_activity where client_addr is not null"))
                    .isEqualTo("127.0.0.1/32");
            assertThat(query(postgres, "show synchronous_commit")).isEqualTo("on");
            assertThat(query(postgres, "show shared_buffers")).isEqualTo("256MB");
        }
    }

    /** A client that prefers TLS would be rejected, because it has no certificate, and connect again without TLS. */
    @Test
    void itsOwnConnectionsSucceedAtOnceWithoutTls() throws SQLException {
        try (DataDirectory directory = DataDirectory.open(folder, 0);
                EmbeddedPostgres postgres = start(directory, UserSwitch.candidates())) {
            assertThat(query(postgres, "select ssl from pg_stat_ssl where pid = pg_backend_pid()"))
                    .isEqualTo("f");
            assertThat(folder.resolve("log/postgres.log")).content().doesNotContain("FATAL");
        }
    }

    /** As another program of the same user connects, by pgjdbc and by libpq; and as another user of the machine. */
    @Test
    void onlyTheOwnerOfTheDataDirectoryCanLogIn() throws Exception {
        try (DataDirectory directory = DataDirectory.open(folder, 0);
                EmbeddedPostgres postgres = start(directory, UserSwitch.candidates())) {
            String owner = postgres.ownerUrl();
            assertThat(owner).doesNotContain("password");
            try (var connection = DriverManager.getConnection(owner);
                    var rows = connection
                            .createStatement()
                            .executeQuery("select client_dn from pg_stat_ssl where pid = pg_backend_pid()")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getString(1)).isEqualTo("/CN=silkroute");
            }
            boolean hasPsql = Programs.succeeds(List.of(), "psql", "--version");
            List<List<String>> logins = logins(owner);
            for (List<String> login : logins) {
                assertThat(Programs.succeeds(login, "-c", "select 1"))
                        .as("%s by the owner", login)
                        .isEqualTo(hasPsql);
            }

            String bare = owner.substring(0, owner.indexOf("&"));
            for (String url : List.of(bare, bare + "&sslmode=require", bare + "&password=guessed")) {
                assertThatThrownBy(() -> DriverManager.getConnection(url))
                        .as(url)
                        .isInstanceOf(SQLException.class);
            }
            List<String> other = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
            assumeThat(Programs.succeeds(other, "true")).isTrue();
            for (String file :
                    List.of("client/pgpass", "client/postgres.key", "postgres", "kafka", "log/postgres.log")) {
                assertThat(Programs.succeeds(
                                other, "test", "-r", folder.resolve(file).toString()))
                        .as(file)
                        .isFalse();
            }
            for (List<String> login : logins) {
                List<String> asOther = new ArrayList<>(other);
                asOther.addAll(login);
                assertThat(Programs.succeeds(asOther, "-c", "select 1"))
                        .as("%s by another user", login)
                        .isFalse();
            }
        }
    }

    /** Commands with which the owner can log in: over TCP with the certificate or the password, and by the socket. */
    private List<List<String>> logins(String ownerUrl) {
        Path client = folder.resolve("client");
        String port = Integer.toString(URI.create(ownerUrl.replace("jdbc:", "")).getPort());
        return List.of(
                List.of("psql", "-w", ownerUrl.replace("jdbc:", "")),
                List.of(
                        "env",
                        "PGPASSFILE=" + client.resolve("pgpass"),
                        "psql",
                        "-w",
                        "host=127.0.0.1 port=" + port + " user=silkroute dbname=silkroute"),
                List.of(
                        "psql",
                        "-w",
                        "host=" + folder.resolve("postgres/cluster") + " port=" + port
                                + " user=postgres dbname=postgres"));
    }

    /** A cluster of a version that trusted every local user. */
    @Test
    void aClusterWithoutPasswordGetsOne() throws Exception {
        try (DataDirectory directory = DataDirectory.open(folder, 0)) {
            try (EmbeddedPostgres first = start(directory, UserSwitch.candidates())) {
                try (var connection = DriverManager.getConnection(first.jdbcUrl())) {
                    connection.createStatement().execute("create table kept as select 7 as n");
                    connection.createStatement().execute("alter role silkroute password null");
                }
            }
            Directories.delete(folder.resolve("client"));
            try (EmbeddedPostgres again = start(directory, UserSwitch.candidates())) {
                assertThat(query(again, "select n from kept")).isEqualTo("7");
                String password = Files.readString(folder.resolve("client/pgpass"))
                        .strip()
                        .split(":")[4];
                assertThat(again.jdbcUrl()).endsWith("&password=" + password);
                assertThat(folder.resolve("log/postgres.log")).content().doesNotContain(password);
                assertThat(again.process()
                                .descendants()
                                .map(ProcessHandle::info)
                                .map(Object::toString))
                        .noneMatch(line -> line.contains(password));
            }
        }
    }

    @Test
    void licencesArePackaged() throws IOException {
        Path licences = BUILD.embedded().resolve("licenses");
        String notice = Files.readString(licences.resolve("NOTICE"));
        for (String library : List.of("postgresql", "openssl", "icu", "libxml2", "libxslt", "zlib")) {
            assertThat(notice).contains(library + ".txt");
            assertThat(licences.resolve(library + ".txt")).isNotEmptyFile();
        }
    }

    @Test
    void stopsWhenItsGuardIsKilled() {
        try (DataDirectory directory = DataDirectory.open(folder, 0)) {
            EmbeddedPostgres postgres = start(directory, UserSwitch.candidates());
            List<ProcessHandle> all = postgres.process().descendants().toList();
            assertThat(all).isNotEmpty();
            postgres.process().destroyForcibly();
            postgres.close();
            await().until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
        }
    }

    @Test
    void aFailedStartIsReportedWithTheLastErrorOfTheLog() throws IOException {
        try (DataDirectory directory = DataDirectory.open(folder, 0)) {
            start(directory, UserSwitch.candidates()).close();
            Files.writeString(folder.resolve("postgres/cluster/local.conf"), "shared_buffers = 'a lot'\n");
            assertThatThrownBy(() -> start(directory, UserSwitch.candidates()))
                    .isInstanceOf(OperatorError.class)
                    .hasMessageContaining("PostgreSQL did not start: FATAL:  configuration file ")
                    .hasMessageContaining("local.conf");
        }
    }

    @Test
    void aStartWithoutAUsableUserIsReported() {
        assumeThat(System.getProperty("user.name")).isEqualTo("root");
        try (DataDirectory directory = DataDirectory.open(folder, 0)) {
            UserSwitch impossible = new UserSwitch(List.of("/nowhere/unshare"), "root");
            assertThatThrownBy(() -> start(directory, List.of(impossible)))
                    .isInstanceOf(OperatorError.class)
                    .hasMessageContaining("start the station as another user, or use --jdbc-url");
        }
    }
}
