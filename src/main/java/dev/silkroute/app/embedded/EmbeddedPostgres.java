package dev.silkroute.app.embedded;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A real PostgreSQL server on the loopback address, with one database {@code silkroute} owned by the role of that name,
 * the only one that may come in by TCP. The superuser {@code postgres} is reached by the unix socket inside the storage
 * folder alone, which only this user can enter.
 */
public final class EmbeddedPostgres implements EmbeddedServer {
    static final String DATABASE = "silkroute";
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(8);
    private static final long INIT_SECONDS = 120;
    private static final int STATUS_LINE = 7;

    /**
     * Runs the server as a child and stops it with SIGINT (fast shutdown) when stdin ends. The server must be in no
     * terminal's process group, else Ctrl-C would stop it under the station that still drains into it.
     */
    private static final String GUARD = """
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
    private final Child child;

    private EmbeddedPostgres(int port, Child child) {
        this.port = port;
        this.child = child;
    }

    /** Starts it, made new where there is none yet, and returns once it takes connections. */
    public static EmbeddedPostgres start(
            Installation installation, DataDirectory directory, KeptPorts ports, ServerProcesses processes) {
        return start(installation, directory, ports, processes, Unprivileged.ways());
    }

    static EmbeddedPostgres start(
            Installation installation,
            DataDirectory directory,
            KeptPorts ports,
            ServerProcesses processes,
            List<Unprivileged> ways) {
        var log = directory.log("postgres.log");
        var binaries = installation.postgres().resolve("bin");
        try {
            LogTail.rotate(log);
            var storage = Files.createDirectories(directory.postgres());
            var way = Unprivileged.choose(ways, binaries.resolve("postgres"), storage);
            var cluster = storage.resolve("cluster");
            if (!Files.exists(cluster)) {
                create(way, binaries, cluster, log);
            }
            PostgresSettings.write(cluster);
            int port = ports.port("postgres");
            var child = new Child("PostgreSQL", launch(way, binaries, cluster, port, log));
            processes.remember("postgres", child.process().toHandle());
            var postgres = new EmbeddedPostgres(port, child);
            postgres.awaitReady(cluster, log);
            return postgres;
        } catch (IOException e) {
            throw new OperatorError("cannot start PostgreSQL: " + OperatorError.reason(e), e);
        }
    }

    public String jdbcUrl() {
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

    private static Process launch(Unprivileged way, Path binaries, Path cluster, int port, Path log)
            throws IOException {
        var command = new ArrayList<>(Shell.ownSession());
        command.addAll(way.prefix());
        command.addAll(List.of("sh", "-c", GUARD, "silkroute-postgres"));
        command.addAll(List.of(
                binaries.resolve("postgres").toString(), "-D", cluster.toString(), "-p", Integer.toString(port)));
        return program(command, log).start();
    }

    /** Made in a folder of its own that is renamed when it is whole: an interrupted start leaves none that is half made. */
    private static void create(Unprivileged way, Path binaries, Path cluster, Path log) throws IOException {
        var fresh = cluster.resolveSibling("cluster.new");
        Folders.delete(fresh);
        run(
                way,
                log,
                binaries.resolve("initdb").toString(),
                "-D",
                fresh.toString(),
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
        PostgresSettings.write(fresh);
        var statements = """
                create role %1$s login;
                alter role %1$s set search_path = bmp, public;
                create database %1$s owner %1$s;
                """.formatted(DATABASE);
        var script = Files.writeString(cluster.resolveSibling("create.sql"), statements);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rw-r--r--"));
        run(
                way,
                log,
                "sh",
                "-c",
                "exec \"$1\" --single -D \"$2\" postgres < \"$3\"",
                "create",
                binaries.resolve("postgres").toString(),
                fresh.toString(),
                script.toString());
        Files.delete(script);
        Files.move(fresh, cluster);
    }

    private static void run(Unprivileged way, Path log, String... arguments) throws IOException {
        var command = new ArrayList<>(way.prefix());
        command.addAll(Arrays.asList(arguments));
        var process = program(command, log)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .start();
        try {
            if (!process.waitFor(INIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            if (process.waitFor() != 0) {
                throw new OperatorError("PostgreSQL could not be set up: " + LogTail.last(log) + " (see " + log + ")");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new OperatorError("PostgreSQL was not set up: interrupted", e);
        }
    }

    private static ProcessBuilder program(List<String> command, Path log) {
        var builder = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        return builder;
    }

    /** The server writes its status to line 8 of {@code postmaster.pid}, beside the port that shows the file is its own. */
    private void awaitReady(Path cluster, Path log) throws IOException {
        var status = cluster.resolve("postmaster.pid");
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!isReady(status)) {
            if (!child.isAlive() || System.nanoTime() > deadline) {
                child.stop(STOP_LIMIT);
                throw new OperatorError("PostgreSQL did not start: " + LogTail.last(log) + " (see " + log + ")");
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
                && lines.get(STATUS_LINE).startsWith("ready")
                && isOurs(Long.parseLong(lines.getFirst().strip()));
    }

    private boolean isOurs(long pid) {
        return child.process().descendants().anyMatch(process -> process.pid() == pid);
    }
}
