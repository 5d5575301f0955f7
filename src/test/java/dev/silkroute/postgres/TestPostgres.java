package dev.silkroute.postgres;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.embedded.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A real PostgreSQL for the tests of one JVM, from the binaries that the build unpacks: started by the first test that
 * asks, stopped with the JVM. Each {@link #database()} is a new one with the station's schema.
 */
public final class TestPostgres {
    /** Another version's, to try it: {@code -Dsilkroute.test.postgres=/usr/lib/postgresql/15/bin}. */
    private static final Path BINARIES =
            Path.of(System.getProperty("silkroute.test.postgres", "target/embedded/postgres/bin"));

    private static final String TEMPLATE = "station";
    private static final String USER = "silkroute";
    private static TestPostgres instance;

    private final int port;
    private final Path data;
    private Process server;
    private int databases;

    private TestPostgres() throws IOException {
        port = Ports.any(Ports.LOOPBACK);
        data = Files.createTempDirectory("silkroute-postgres-");
        run(data, "initdb", "-D", data.toString(), "-U", USER, "--auth=trust", "-E", "UTF8", "--no-locale", "-N");
        server = start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, data)));
        awaitAnswer();
        execute("postgres", "CREATE DATABASE " + TEMPLATE);
        Flyway.configure()
                .dataSource(dataSource(TEMPLATE))
                .schemas("bmp")
                .load()
                .migrate();
    }

    private Process start() throws IOException {
        return command(
                        data,
                        "postgres",
                        List.of(
                                "-D",
                                data.toString(),
                                "-p",
                                Integer.toString(port),
                                "-c",
                                "listen_addresses=127.0.0.1",
                                "-c",
                                "unix_socket_directories=",
                                "-c",
                                "fsync=off",
                                // A checkpoint just then would make small changes look large in the log
                                "-c",
                                "full_page_writes=off"))
                .start();
    }

    private void awaitAnswer() {
        await().atMost(120, SECONDS).ignoreExceptions().until(() -> {
            dataSource("postgres").getConnection().close();
            return true;
        });
    }

    /** Stops all processes of the server where they are, as a network does that swallows packets. */
    public static synchronized void freeze() throws IOException, InterruptedException {
        signal("-STOP");
    }

    public static synchronized void thaw() throws IOException, InterruptedException {
        signal("-CONT");
    }

    /** Kills the server outright. Its data stay, and what was committed with them. */
    public static synchronized void crash() throws IOException, InterruptedException {
        signal("-KILL");
        instance.server.waitFor();
    }

    public static synchronized void restart() throws IOException {
        instance.server = instance.start();
        instance.awaitAnswer();
    }

    private static void signal(String signal) throws IOException, InterruptedException {
        List<String> kill = new ArrayList<>(List.of("kill", signal, Long.toString(instance.server.pid())));
        instance.server.descendants().forEach(child -> kill.add(Long.toString(child.pid())));
        new ProcessBuilder(kill).start().waitFor(); // a child may have ended just now
    }

    /** A new database with the schema, of the one server. */
    public static synchronized DataSource database() {
        try {
            if (instance == null) {
                instance = new TestPostgres();
            }
            String name = "test" + ++instance.databases;
            instance.execute("postgres", "CREATE DATABASE " + name + " TEMPLATE " + TEMPLATE);
            return instance.dataSource(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The database of a JDBC URL. */
    public static DataSource at(String url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        source.setUser(USER);
        return source;
    }

    /** The JDBC URL of a {@link #database()}. */
    public static String url(DataSource database) {
        return ((PGSimpleDataSource) database).getUrl();
    }

    /** What a query answers, each row as its values' texts joined by {@code |}, null as {@code -}. */
    public static List<String> query(DataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                ResultSet rows = connection.createStatement().executeQuery(sql)) {
            List<String> answer = new ArrayList<>();
            while (rows.next()) {
                List<String> values = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    String value = rows.getString(i);
                    values.add(value == null ? "-" : value);
                }
                answer.add(String.join("|", values));
            }
            return answer;
        }
    }

    private DataSource dataSource(String database) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {port});
        source.setUser(USER);
        source.setDatabaseName(database);
        source.setConnectTimeout(5);
        source.setLoginTimeout(5);
        return source;
    }

    private void execute(String database, String sql) {
        try (Connection connection = dataSource(database).getConnection()) {
            connection.createStatement().execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** PostgreSQL refuses to run as root: in a user namespace of its own it doesn't know that it is. */
    private static ProcessBuilder command(Path data, String program, List<String> arguments) {
        List<String> line = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            line.addAll(List.of("unshare", "-U"));
        }
        line.add(BINARIES.resolve(program).toAbsolutePath().toString());
        line.addAll(arguments);
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        data.resolveSibling(data.getFileName() + ".log").toFile()));
    }

    private static void run(Path data, String program, String... arguments) throws IOException {
        try {
            int exit = command(data, program, List.of(arguments)).start().waitFor();
            if (exit != 0) {
                throw new IOException(program + " ended with " + exit + ": see " + data + ".log");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static void stop(Process server, Path data) {
        try {
            // SIGQUIT: at once, without waiting for clients
            new ProcessBuilder("kill", "-QUIT", Long.toString(server.pid()))
                    .start()
                    .waitFor();
            server.waitFor();
            new ProcessBuilder("rm", "-rf", data.toString(), data + ".log")
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            server.destroyForcibly();
        }
    }
}
