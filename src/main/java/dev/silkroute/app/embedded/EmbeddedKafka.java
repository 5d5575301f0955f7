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
 * <p>The broker ignores SIGINT, SIGHUP and SIGTERM: a Ctrl-C in the terminal or a service manager reaches it together with
 * the station, which must still drain into it. It ends when this process closes its stdin, or ends.
 */
public final class EmbeddedKafka implements EmbeddedServer {
    static final String HEAP = "256m";
    /** The largest record: a batch of BMP messages as the collector emits it, with room to spare. */
    public static final int MESSAGE_BYTES = 8 << 20;

    /** As long as PostgreSQL has: after a kill its log recovers first. */
    private static final Duration START_LIMIT = Duration.ofMinutes(2);

    private static final Duration READY_POLL = Duration.ofMillis(20);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(8);
    private final String bootstrap;
    private final Child child;

    private EmbeddedKafka(String bootstrap, Child child) {
        this.bootstrap = bootstrap;
        this.child = child;
    }

    /**
     * Starts it and returns once it serves; an {@link OperatorError} with its own last words where it doesn't.
     *
     * @param javaOptions more options for its JVM, after the station's own
     */
    public static EmbeddedKafka start(
            Installation installation,
            DataDirectory directory,
            KeptPorts ports,
            ServerProcesses processes,
            List<String> javaOptions) {
        var log = directory.log("kafka.log");
        try {
            int port = ports.port("kafka");
            var settings = settings(directory.kafka(), port, ports.port("kafka-controller"));
            var child = new Child("Kafka", launch(installation, settings, log, javaOptions));
            processes.remember("kafka", child.process().toHandle());
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

    /** Returns once it says that it serves; else it is stopped, and the {@link OperatorError} says why. */
    static void awaitReady(Child child, Path log, Duration limit) throws IOException {
        var output =
                new BufferedReader(new InputStreamReader(child.process().getInputStream(), StandardCharsets.UTF_8));
        long deadline = System.nanoTime() + limit.toNanos();
        while (!output.ready() && child.isAlive()) {
            if (System.nanoTime() > deadline) {
                throw failure(child, " within " + limit.toSeconds() + " s", LogTail.last(log), log);
            }
            LockSupport.parkNanos(READY_POLL.toNanos());
        }
        var said = output.readLine();
        if (!KafkaBroker.READY.equals(said)) {
            throw failure(child, "", said == null ? LogTail.last(log) : said, log);
        }
    }

    private static OperatorError failure(Child child, String late, String reason, Path log) {
        child.stop(STOP_LIMIT);
        return new OperatorError("Kafka did not start" + late + ": " + reason + " (see " + log + ")");
    }

    private static Process launch(Installation installation, Path settings, Path log, List<String> javaOptions)
            throws IOException {
        var command = new ArrayList<>(Shell.ownSession());
        command.addAll(List.of("sh", "-c", "trap '' INT HUP TERM; exec \"$@\"", "silkroute-kafka"));
        command.addAll(
                List.of(Shell.java(), "-Xms64m", "-Xmx" + HEAP, "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(List.of(
                "-Dlog4j2.StatusLogger.level=OFF", "-Djava.util.logging.manager=org.jboss.logmanager.LogManager"));
        command.addAll(javaOptions);
        command.addAll(List.of(
                "-cp", classPath(installation), KafkaBroker.class.getName(), settings.toString(), log.toString()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** The broker's jars and all of the station's: which of those it needs changes with Kafka's version. */
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
        var logs = Files.createDirectories(storage.resolve("logs"));
        var file = storage.resolve("broker.properties");
        return Files.writeString(file, """
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
                # Index files are mapped at their full size, two for each of some hundred partitions
                log.index.size.max.bytes=2097152
                log.cleaner.dedupe.buffer.size=16777216
                num.network.threads=2
                num.io.threads=4
                background.threads=2
                # A broker that was killed may come back only when its old session has ended
                broker.session.timeout.ms=6000
                broker.heartbeat.interval.ms=1000
                # One node: nobody to replicate to, nobody to wait for
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=12
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                transaction.state.log.num.partitions=4
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                share.coordinator.state.topic.num.partitions=4
                group.initial.rebalance.delay.ms=0
                """.formatted(port, controllerPort, escape(logs), MESSAGE_BYTES));
    }

    /** A path as a value of a properties file; Kafka splits {@code log.dirs} at commas. */
    private static String escape(Path path) {
        if (path.toString().indexOf(',') >= 0) {
            throw new OperatorError("the data directory's path holds a comma, which Kafka can't take: " + path);
        }
        return path.toString().replace("\\", "\\\\");
    }
}
