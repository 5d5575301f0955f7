package dev.silkroute.perf.postgres;

import dev.silkroute.app.embedded.DataDirectory;
import dev.silkroute.app.embedded.EmbeddedPostgres;
import dev.silkroute.app.embedded.Installation;
import dev.silkroute.app.embedded.PersistentPorts;
import dev.silkroute.app.embedded.ServerProcesses;
import dev.silkroute.perf.report.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The station's embedded PostgreSQL with the station's settings, and two more: its superuser comes in by TCP, and
 * autovacuum is off, so that it cannot affect one arm and not another. Its files are new at each start.
 */
public final class Server implements AutoCloseable {
    private static final String OWN_SETTINGS = """
            hba_file = '%s'
            autovacuum = off
            """;

    /** More settings for a look inside, separated by semicolons: {@code -Dperf.postgres=…}. */
    private static final String MORE = System.getProperty("perf.postgres", "").replace(';', '\n') + "\n";

    private static final String OWN_HBA = "host all all 127.0.0.1/32 trust\n";
    private static final List<String> REPORTED = List.of(
            "server_version",
            "fsync",
            "synchronous_commit",
            "full_page_writes",
            "wal_level",
            "wal_compression",
            "shared_buffers",
            "max_wal_size");

    private final Path folder;
    private final DataDirectory directory;
    private final EmbeddedPostgres postgres;
    private final int port;

    public Server(Path folder) throws IOException {
        this.folder = folder;
        Folders.delete(folder);
        directory = DataDirectory.open(folder, 4L << 30);
        // The first start makes the files; the superuser's way in is there from the second on.
        start().close();
        Path cluster = folder.resolve("postgres").resolve("cluster");
        Path access = Files.writeString(cluster.resolve("perf_hba.conf"), OWN_HBA);
        Files.writeString(cluster.resolve("local.conf"), OWN_SETTINGS.formatted(access.toAbsolutePath()) + MORE);
        postgres = start();
        port = port(postgres.jdbcUrl());
    }

    private EmbeddedPostgres start() {
        return EmbeddedPostgres.start(
                Installation.find(), directory, new PersistentPorts(directory), new ServerProcesses(directory));
    }

    private static int port(String url) {
        Matcher matcher = Pattern.compile(":(\\d+)/").matcher(url);
        if (!matcher.find()) {
            throw new IllegalStateException(url);
        }
        return Integer.parseInt(matcher.group(1));
    }

    int port() {
        return port;
    }

    String url(String database, String user) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database + "?user=" + user;
    }

    /** An empty database that belongs to the station's role. */
    public Database create(String name) throws SQLException {
        return create(name, "template1");
    }

    /**
     * A copy of another database, file by file, with nothing of it in the server's memory, and no log to be written for
     * it.
     */
    public Database create(String name, String template) throws SQLException {
        superuser("DROP DATABASE IF EXISTS " + name);
        superuser("CREATE DATABASE " + name + " TEMPLATE " + template + " OWNER silkroute STRATEGY file_copy");
        return new Database(this, name);
    }

    public Database open(String name) throws SQLException {
        return new Database(this, name);
    }

    void drop(String name) throws SQLException {
        superuser("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
    }

    /** Writes everything to disk (checkpoint). Afterwards the first change of each page logs the complete page. */
    public void checkpoint() throws SQLException {
        superuser("CHECKPOINT");
    }

    private void superuser(String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url("postgres", "postgres"));
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    /** Starts a count of bytes logged and CPU seconds used. */
    public Meter meter() throws SQLException {
        return new Meter(this, postgres.process());
    }

    long walPosition() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url("postgres", "postgres"))) {
            return number(connection, "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
        }
    }

    /** The one number that a query answers. */
    public static long number(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Returns the relevant settings as the server reports them. */
    public String settings() throws SQLException {
        StringBuilder text = new StringBuilder("PostgreSQL ");
        try (Connection connection = DriverManager.getConnection(url("postgres", "postgres"))) {
            for (String name : REPORTED) {
                try (Statement statement = connection.createStatement();
                        ResultSet row = statement.executeQuery("SHOW " + name)) {
                    row.next();
                    String value = row.getString(1);
                    text.append(name.equals("server_version") ? value : ", " + name + " " + value);
                }
            }
        }
        return text + ", autovacuum off";
    }

    @Override
    public void close() throws IOException {
        postgres.close();
        directory.close();
        Folders.delete(folder);
    }
}
