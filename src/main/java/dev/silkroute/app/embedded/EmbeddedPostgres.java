package dev.silkroute.app.embedded;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A real PostgreSQL server on the loopback address, with one database {@code silkroute} owned by the role of the same
 * name. Only this role can connect over TCP, with the password or the certificate of {@link PostgresAccess}. The
 * superuser {@code postgres} can connect only through the unix socket in the storage directory, which other users
 * cannot enter.
 */
public final class EmbeddedPostgres implements EmbeddedServer {
    static final String DATABASE = "silkroute";
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(8);
    private static final long INIT_SECONDS = 120;
    private static final int STATUS_LINE = 7;

    /**
     * A shell script that runs the server as a child and stops it with SIGINT (fast shutdown) when stdin ends. The
     * server must not belong to the process group of a terminal: Ctrl-C would stop it while the station still drains
     * into it.
     */
    private static final String GUARD = """
            umask 077
            exec 3<&0 </dev/null
            "$@" 3<&- &
            server=$!
            (while read -r _ <&3; do :; done; kill -INT "$server") 2>/dev/null &
            watcher=$!
            exec 3<&-
            trap 'kill -INT "$server" 2>/dev/null' INT HUP TERM
            wait "$server"; status=$?
            while kill -0 "$server" 2>/dev/null; do wait "$server"; status=$?; done
            kill "$watcher" 2>/dev/null
            exit "$status"
            """;

    private final int port;
    private final ChildProcess child;
    private final PostgresAccess access;
    private final String password;

    private EmbeddedPostgres(int port, ChildProcess child, PostgresAccess access, String password) {
        this.port = port;
        this.child = child;
        this.access = access;
        this.password = password;
    }

    /**
     * Starts the server and returns once it accepts connections. The cluster is created if it does not exist.
     *
     * @throws OperatorError with the last error of its log if it does not start
     */
    public static EmbeddedPostgres start(
            Installation installation, DataDirectory directory, PersistentPorts ports, ServerProcesses processes) {
        return start(installation, directory, ports, processes, UserSwitch.candidates());
    }

    static EmbeddedPostgres start(
            Installation installation,
            DataDirectory directory,
            PersistentPorts ports,
            ServerProcesses processes,
            List<UserSwitch> candidates) {
        var log = directory.log("postgres.log");
        var binaries = installation.postgres().resolve("bin");
        try {
            ServerLog.prepare(log);
            var storage = OwnerOnly.createDirectories(directory.postgres());
            var user = UserSwitch.choose(candidates, binaries.resolve("postgres"), storage);
            var cluster = storage.resolve("cluster");
            var access = directory.postgresAccess();
            access.createCertificate();
            var password = prepare(user, binaries, cluster, access, log);
            int port = ports.port("postgres");
            var child = new ChildProcess("PostgreSQL", launch(user, binaries, cluster, port, log));
            processes.add("postgres", child.process().toHandle());
            var postgres = new EmbeddedPostgres(port, child, access, password);
            postgres.awaitReady(cluster, log);
            return postgres;
        } catch (IOException e) {
            throw new OperatorError("cannot start PostgreSQL: " + OperatorError.reason(e), e);
        }
    }

    /**
     * Returns the URL with the password, for the station itself; it must not be printed or logged. Clients would try
     * TLS first by default, for which the server requires a certificate.
     */
    public String jdbcUrl() {
        return baseUrl() + "&sslmode=disable&password=" + password;
    }

    /** Returns a URL without a secret, which works for programs of the owner of the data directory. */
    public String ownerUrl() {
        return baseUrl() + access.parameters();
    }

    private String baseUrl() {
        return "jdbc:postgresql://" + Ports.LOOPBACK + ":" + port + "/" + DATABASE + "?user=" + DATABASE;
    }

    @Override
    public ProcessHandle process() {
        return child.process().toHandle();
    }

    @Override
    public void close() {
        child.stop(STOP_LIMIT);
    }

    private static Process launch(UserSwitch user, Path binaries, Path cluster, int port, Path log) throws IOException {
        var command = new ArrayList<>(Programs.newSession());
        command.addAll(user.prefix());
        command.addAll(List.of("sh", "-c", GUARD, "silkroute-postgres"));
        command.addAll(List.of(
                binaries.resolve("postgres").toString(), "-D", cluster.toString(), "-p", Integer.toString(port)));
        return program(command, log).start();
    }

    /**
     * Creates the cluster, or sets the password of one that an earlier version created without, and writes the
     * settings.
     *
     * @return the password of the role
     */
    private static String prepare(UserSwitch user, Path binaries, Path cluster, PostgresAccess access, Path log)
            throws IOException {
        var stored = access.password();
        var password = stored == null ? OwnerOnly.newSecret() : stored;
        var verifier = PostgresAccess.verifier(password);
        if (!Files.exists(cluster)) {
            create(user, binaries, cluster, access, verifier, log);
        } else {
            PostgresSettings.write(cluster, access);
            if (stored == null) {
                execute(user, binaries, cluster, "alter role " + DATABASE + " password '" + verifier + "';\n", log);
            }
        }
        if (stored == null) {
            access.store(password);
        }
        return password;
    }

    /** Creates the cluster in a temporary directory that is renamed when complete, so that none is left incomplete. */
    private static void create(
            UserSwitch user, Path binaries, Path cluster, PostgresAccess access, String verifier, Path log)
            throws IOException {
        var temporary = cluster.resolveSibling("cluster.new");
        Directories.delete(temporary);
        run(
                user,
                log,
                binaries.resolve("initdb").toString(),
                "-D",
                temporary.toString(),
                "-U",
                "postgres",
                "-E",
                "UTF8",
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--auth=trust",
                "--no-instructions",
                "--no-sync");
        PostgresSettings.write(temporary, access);
        var statements = """
                create role %1$s login password '%2$s';
                alter role %1$s set search_path = bmp, public;
                create database %1$s owner %1$s;
                """.formatted(DATABASE, verifier);
        execute(user, binaries, temporary, statements, log);
        Files.move(temporary, cluster);
    }

    /** Executes statements in single-user mode, one per line, while the server is not running. */
    private static void execute(UserSwitch user, Path binaries, Path cluster, String statements, Path log)
            throws IOException {
        var script = OwnerOnly.writeForOwnerOfDirectory(cluster.resolveSibling("statements.sql"), statements);
        run(
                user,
                log,
                "sh",
                "-c",
                "exec \"$1\" --single -D \"$2\" postgres < \"$3\"",
                "statements",
                binaries.resolve("postgres").toString(),
                cluster.toString(),
                script.toString());
        Files.delete(script);
    }

    private static void run(UserSwitch user, Path log, String... arguments) throws IOException {
        var command = new ArrayList<>(user.prefix());
        command.addAll(Arrays.asList(arguments));
        var process = program(command, log)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        try {
            if (!process.waitFor(INIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            if (process.waitFor() != 0) {
                throw new OperatorError(
                        "cannot prepare the PostgreSQL cluster: " + ServerLog.lastError(log) + " (see " + log + ")");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new OperatorError("cannot prepare the PostgreSQL cluster: interrupted", e);
        }
    }

    private static ProcessBuilder program(List<String> command, Path log) {
        var builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        return builder;
    }

    /**
     * Waits until the server accepts connections, as a standby if the operator's settings make it one. It writes its
     * status to line 8 of {@code postmaster.pid}; the process id on line 1 identifies a file of an earlier server.
     */
    private void awaitReady(Path cluster, Path log) throws IOException {
        var status = cluster.resolve("postmaster.pid");
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!isReady(status)) {
            if (!child.isAlive() || System.nanoTime() > deadline) {
                child.stop(STOP_LIMIT);
                throw new OperatorError("PostgreSQL did not start: " + ServerLog.lastError(log) + " (see " + log + ")");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private boolean isReady(Path status) throws IOException {
        if (!Files.exists(status)) {
            return false;
        }
        var lines = Files.readAllLines(status);
        return lines.size() > STATUS_LINE
                && (lines.get(STATUS_LINE).startsWith("ready")
                        || lines.get(STATUS_LINE).startsWith("standby"))
                && isOwnServer(Long.parseLong(lines.getFirst().strip()));
    }

    private boolean isOwnServer(long pid) {
        return child.process().descendants().anyMatch(process -> process.pid() == pid);
    }
}
