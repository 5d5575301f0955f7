package dev.silkroute.chaos;

import dev.silkroute.app.embedded.DataDirectory;
import dev.silkroute.app.embedded.EmbeddedPostgres;
import dev.silkroute.app.embedded.PersistentPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two PostgreSQL servers with streaming replication, asynchronous, so that a standby can lag. The station's URL names
 * both and accepts the primary. Thread-safe.
 */
public final class PostgresPair implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String ADMIN = "postgres";
    private static final String ACCESS = "pair_hba.conf";

    private final List<Node> nodes;
    private int primary;

    /** A server with its directory. */
    private static final class Node {
        private final Path folder;
        private final int port;
        private final Server<EmbeddedPostgres> server;
        private @Nullable Disk disk;

        Node(Path home, Path folder) {
            this.folder = folder;
            DataDirectory directory = DataDirectory.open(folder, 0);
            PersistentPorts ports = new PersistentPorts(directory);
            port = ports.port("postgres");
            server = Server.postgres(home, directory, ports);
        }

        Path storage() {
            return folder.resolve("postgres");
        }

        Path cluster() {
            return storage().resolve("cluster");
        }
    }

    private PostgresPair(Path home, Path folder) {
        nodes = List.of(new Node(home, folder.resolve("a")), new Node(home, folder.resolve("b")));
    }

    /** Returns the pair that an earlier run has left, without starting it. */
    static PostgresPair reopen(Path home, Path folder) {
        PostgresPair pair = new PostgresPair(home, folder);
        pair.nodes.forEach(node -> node.disk = Disk.remount(node.storage()));
        boolean second = Files.exists(pair.nodes.getFirst().cluster().resolve("standby.signal"))
                || !Files.exists(pair.nodes.getFirst().cluster());
        pair.primary = second ? 1 : 0;
        return pair;
    }

    /** Starts the primary on a new cluster, then its standby. */
    public static PostgresPair start(Path home, Path folder) {
        return start(home, folder, false);
    }

    /** @param disks whether each server has a disk of its own, which can be filled */
    static PostgresPair start(Path home, Path folder, boolean disks) {
        PostgresPair pair = new PostgresPair(home, folder);
        try {
            if (disks) {
                pair.nodes.forEach(node -> node.disk = Disk.mount(node.storage()));
            }
            Node first = pair.nodes.getFirst();
            first.server.start();
            first.server.stop();
            pair.configure(first);
            first.server.start();
            pair.copy(first, pair.nodes.getLast());
            pair.nodes.getLast().server.start();
            return pair;
        } catch (RuntimeException e) {
            pair.close();
            throw e;
        }
    }

    /** Returns the station's URL, with the password. */
    public synchronized String jdbcUrl() {
        Node first = nodes.getFirst();
        String both = "127.0.0.1:" + first.port + ",127.0.0.1:" + nodes.getLast().port + "/";
        return primary().get().jdbcUrl().replaceFirst("127\\.0\\.0\\.1:\\d+/", both)
                + "&targetServerType=primary&hostRecheckSeconds=1&loginTimeout=10&connectTimeout=5";
    }

    /** Returns the port of the primary. */
    synchronized int port() {
        return nodes.get(primary).port;
    }

    /** Returns the disk of the primary. */
    Disk disk() {
        Disk disk = node(true).disk;
        if (disk == null) {
            throw new IllegalStateException("the servers have no disks of their own");
        }
        return disk;
    }

    synchronized Server<EmbeddedPostgres> primary() {
        return nodes.get(primary).server;
    }

    synchronized Server<EmbeddedPostgres> standby() {
        return nodes.get(1 - primary).server;
    }

    /** Lets the standby receive nothing more. */
    public void lag() {
        Node standby = node(false);
        execute(standby, "ALTER SYSTEM SET primary_conninfo = ''");
        execute(standby, "SELECT pg_reload_conf()");
        if (!Pause.until(LIMIT, () -> "0".equals(query(standby, "SELECT count(*) FROM pg_stat_wal_receiver")))) {
            throw new IllegalStateException("the standby still receives");
        }
    }

    /** Kills the primary and makes the standby the primary, with what it has received. */
    public void failOver() {
        Node old = node(true);
        Node standby = node(false);
        old.server.kill();
        execute(standby, "SELECT pg_promote(true, " + LIMIT.toSeconds() + ")");
        synchronized (this) {
            primary = 1 - primary;
        }
    }

    /** Kills the primary, and starts it again with a copy of its data that {@link #backup} has made. */
    public void restore(Path backup) {
        Node node = node(true);
        node.server.kill();
        Commands.run("rm", "-rf", node.cluster().toString());
        Commands.run("cp", "-a", backup.toString(), node.cluster().toString());
        node.server.start();
    }

    /** Copies the data of the running primary. */
    public void backup(Path target) {
        copyFiles(node(true), target);
    }

    /**
     * Makes the server that is down a standby of the other one, with a copy of its data. Repeats that if the other one
     * is killed meanwhile.
     */
    void rebuildStandby() {
        Node standby = node(false);
        long deadline = System.nanoTime() + 2 * LIMIT.toNanos();
        while (true) {
            try {
                copy(node(true), standby);
                break;
            } catch (IllegalStateException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Pause.millis(500);
            }
        }
        standby.server.start();
    }

    private synchronized Node node(boolean ofPrimary) {
        return nodes.get(ofPrimary ? primary : 1 - primary);
    }

    private void copy(Node from, Node to) {
        Commands.run("rm", "-rf", to.folder.resolve("client").toString());
        Commands.run("cp", "-a", from.folder.resolve("client").toString(), to.folder.toString());
        Commands.run("mkdir", "-p", to.cluster().getParent().toString());
        Commands.run(
                "chown",
                "--reference=" + from.cluster().getParent(),
                to.cluster().getParent().toString());
        copyFiles(from, to.cluster());
        configure(to);
        write(to, "standby.signal", "");
    }

    /** A base backup: what changes while the files are copied is in the log, which the copy includes. */
    private static void copyFiles(Node from, Path target) {
        Commands.run("rm", "-rf", target.toString());
        String label;
        try (Connection connection = connect(from);
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_backup_start('pair', true)");
            // Files that the server removes meanwhile do not matter, and the log comes last.
            Commands.succeeds("cp", "-a", from.cluster().toString(), target.toString());
            try (ResultSet row = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                row.next();
                label = row.getString(1);
            }
            Commands.succeeds("cp", "-a", from.cluster().resolve("pg_wal").toString(), target.toString());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        for (String file : List.of("postmaster.pid", "postmaster.opts", "postgresql.auto.conf", "standby.signal")) {
            Commands.run("rm", "-f", target.resolve(file).toString());
        }
        write(target, "backup_label", label);
    }

    private void configure(Node node) {
        int other = nodes.get(1 - nodes.indexOf(node)).port;
        write(node, "local.conf", """
                wal_level = replica
                max_wal_senders = 4
                wal_keep_size = 512MB
                hot_standby = on
                hba_file = '%s'
                primary_conninfo = 'host=127.0.0.1 port=%d user=%s sslmode=disable'
                """.formatted(node.cluster().resolve(ACCESS).toAbsolutePath(), other, ADMIN));
        try {
            String access = Files.readString(node.cluster().resolve("pg_hba.conf"));
            write(node, ACCESS, access + "host all,replication %s 127.0.0.1/32 trust\n".formatted(ADMIN));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Node node, String name, String text) {
        write(node.cluster(), name, text);
    }

    private static void write(Path cluster, String name, String text) {
        try {
            Path file = cluster.resolve(name);
            Files.writeString(file, text);
            Commands.run("chown", "--reference=" + cluster, file.toString());
            Commands.run("chmod", "600", file.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Connection connect(Node node) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + node.port + "/silkroute?sslmode=disable&user=" + ADMIN);
    }

    private static void execute(Node node, String sql) {
        try (Connection connection = connect(node);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static String query(Node node, String sql) {
        try (Connection connection = connect(node);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public void close() {
        Cluster.atOnce(nodes.stream().<Runnable>map(node -> node.server::stop).toList());
        for (Node node : nodes) {
            if (node.disk != null) {
                node.disk.close();
                node.disk = null;
            }
        }
    }
}
