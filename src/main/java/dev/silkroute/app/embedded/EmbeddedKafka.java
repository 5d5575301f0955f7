package dev.silkroute.app.embedded;

import dev.silkroute.app.config.OperatorError;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A real Kafka broker (KRaft, one node) in a JVM of its own, on the loopback address.
 *
 * <p>The broker ignores SIGINT, SIGHUP and SIGTERM. Ctrl-C in a terminal and service managers send them to all
 * processes, and the station must still drain into the broker. It stops when this process closes the broker's stdin,
 * or ends.
 */
public final class EmbeddedKafka implements EmbeddedServer {
    static final String HEAP = "256m";

    /** The size of the largest record batch; ample for a batch of BMP messages as the collector emits it. */
    public static final int MAX_MESSAGE_BYTES = 8 << 20;

    /** Long enough for the recovery of the log after a kill. */
    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private static final Duration READY_POLL = Duration.ofMillis(20);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(8);
    private final String bootstrap;
    private final ChildProcess child;

    private EmbeddedKafka(String bootstrap, ChildProcess child) {
        this.bootstrap = bootstrap;
        this.child = child;
    }

    /**
     * Starts the broker and returns once it accepts requests.
     *
     * @param javaOptions options for its JVM, in addition to the defaults
     * @throws OperatorError with the last error of its log if it does not start
     */
    public static EmbeddedKafka start(
            Installation installation,
            DataDirectory directory,
            PersistentPorts ports,
            ServerProcesses processes,
            List<String> javaOptions) {
        var log = directory.log("kafka.log");
        try {
            OwnerOnly.open(log).close();
            int port = ports.port("kafka");
            var settings = settings(directory.kafka(), port, ports.port("kafka-controller"));
            var child = new ChildProcess("Kafka", launch(installation, settings, log, javaOptions));
            processes.add("kafka", child.process().toHandle());
            awaitReady(child, log, START_LIMIT);
            return new EmbeddedKafka(Ports.LOOPBACK + ":" + port, child);
        } catch (IOException e) {
            throw new OperatorError("cannot start Kafka: " + OperatorError.reason(e), e);
        }
    }

    public String bootstrap() {
        return bootstrap;
    }

    @Override
    public ProcessHandle process() {
        return child.process().toHandle();
    }

    @Override
    public void close() {
        child.stop(STOP_LIMIT);
    }

    /**
     * Waits for the broker to report that it accepts requests.
     *
     * @throws OperatorError with the reason if it does not; the broker is then stopped
     */
    static void awaitReady(ChildProcess child, Path log, Duration limit) throws IOException {
        var output =
                new BufferedReader(new InputStreamReader(child.process().getInputStream(), StandardCharsets.UTF_8));
        long deadline = System.nanoTime() + limit.toNanos();
        while (!output.ready() && child.isAlive()) {
            if (System.nanoTime() > deadline) {
                throw failure(child, " within " + limit.toSeconds() + " s", ServerLog.lastError(log), log);
            }
            LockSupport.parkNanos(READY_POLL.toNanos());
        }
        var line = output.readLine();
        if (!KafkaBroker.READY.equals(line)) {
            throw failure(child, "", line == null ? ServerLog.lastError(log) : line, log);
        }
    }

    private static OperatorError failure(ChildProcess child, String time, String reason, Path log) {
        child.stop(STOP_LIMIT);
        return new OperatorError("Kafka did not start" + time + ": " + reason + " (see " + log + ")");
    }

    private static Process launch(Installation installation, Path settings, Path log, List<String> javaOptions)
            throws IOException {
        var command = new ArrayList<>(Programs.newSession());
        command.addAll(List.of("sh", "-c", "umask 077; trap '' INT HUP TERM; exec \"$@\"", "silkroute-kafka"));
        command.addAll(
                List.of(Programs.java(), "-Xms64m", "-Xmx" + HEAP, "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"));
        // The broker copies bytes and computes checksums, both intrinsic: the optimizing compiler takes a quarter of
        // the CPU time in the first minutes, and saves none (ADR 26)
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(List.of(
                "-Dlog4j2.StatusLogger.level=OFF", "-Djava.util.logging.manager=org.jboss.logmanager.LogManager"));
        command.addAll(startUpCache(installation));
        command.addAll(javaOptions);
        command.addAll(List.of(
                "-cp", classPath(installation), KafkaBroker.class.getName(), settings.toString(), log.toString()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** Returns the options for the build's ahead-of-time cache (JEP 483). A JVM ignores a cache of other jars. */
    private static List<String> startUpCache(Installation installation) {
        var cache = installation.application().resolve("kafka.aot");
        return Files.exists(cache) ? List.of("-XX:AOTCache=" + cache, "-Xlog:aot*=off,cds*=off") : List.of();
    }

    /**
     * Returns the broker's jars and all of the station's, because the set that it needs changes with Kafka's version.
     */
    private static String classPath(Installation installation) {
        var application = installation.application();
        return String.join(
                File.pathSeparator,
                application.resolve("app") + "/*",
                installation.kafka() + "/*",
                application.resolve("lib/main") + "/*",
                application.resolve("lib/boot") + "/*");
    }

    private static Path settings(Path storage, int port, int controllerPort) throws IOException {
        var logs = OwnerOnly.createDirectories(storage.resolve("logs"));
        var file = storage.resolve("broker.properties");
        return OwnerOnly.write(file, """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%2$d
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                controller.listener.names=CONTROLLER
                log.dirs=%3$s
                auto.create.topics.enable=false
                message.max.bytes=%4$d
                replica.fetch.max.bytes=%4$d
                log.segment.bytes=268435456
                # Index files are mapped at their full size, two for each of about a hundred partitions
                log.index.size.max.bytes=2097152
                log.cleaner.dedupe.buffer.size=16777216
                num.network.threads=2
                num.io.threads=4
                background.threads=2
                # After a kill a broker can register again only when its previous session has expired
                broker.session.timeout.ms=6000
                broker.heartbeat.interval.ms=1000
                # One node: no replication, and no other members to wait for
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=12
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                transaction.state.log.num.partitions=4
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                share.coordinator.state.topic.num.partitions=4
                group.initial.rebalance.delay.ms=0
                """.formatted(port, controllerPort, escape(logs), MAX_MESSAGE_BYTES));
    }

    /** Escapes a path for a properties file. Kafka splits {@code log.dirs} at commas. */
    private static String escape(Path path) {
        if (path.toString().indexOf(',') >= 0) {
            throw new OperatorError(
                    "the path of the data directory contains a comma, which Kafka does not support: " + path);
        }
        return path.toString().replace("\\", "\\\\");
    }
}
