package dev.silkroute.app.store;

import dev.silkroute.app.StationProcess;
import dev.silkroute.app.embedded.KafkaBroker;
import dev.silkroute.app.embedded.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A real Kafka broker in a JVM of its own, for the tests of one JVM: it ends with that JVM. */
public final class TestKafka {
    private static TestKafka instance;

    private final String bootstrap;
    private final Path directory;
    private Process broker;

    private TestKafka() throws IOException {
        int port = Ports.any(Ports.LOOPBACK);
        bootstrap = "127.0.0.1:" + port;
        directory = Files.createTempDirectory("silkroute-kafka-");
        Files.writeString(
                directory.resolve("broker.properties"), """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%2$d
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                controller.listener.names=CONTROLLER
                log.dirs=%3$s/logs
                auto.create.topics.enable=false
                log.cleaner.dedupe.buffer.size=16777216
                # One that was killed comes back when its old session has ended
                broker.session.timeout.ms=3000
                broker.heartbeat.interval.ms=500
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=4
                group.initial.rebalance.delay.ms=0
                """.formatted(port, Ports.any(Ports.LOOPBACK), directory));
        broker = start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker, directory)));
    }

    /** Kills the broker outright. What it had acknowledged is in its files. */
    public static synchronized void crash() throws InterruptedException {
        instance.broker.destroyForcibly().waitFor();
    }

    public static synchronized void restart() throws IOException {
        instance.broker = instance.start();
    }

    /** Of a broker that is not running: cuts half off a partition's only file, as a power failure may before it is on the disk. */
    public static synchronized void lose(String topic, int partition) throws IOException {
        Path log = instance.directory.resolve("logs/" + topic + "-" + partition + "/00000000000000000000.log");
        try (FileChannel file = FileChannel.open(log, StandardOpenOption.WRITE)) {
            file.truncate(file.size() / 2);
        }
    }

    private Process start() throws IOException {
        Process started = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        StationProcess.SHORT_LIVED,
                        "-Dlog4j2.StatusLogger.level=OFF",
                        "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KafkaBroker.class.getName(),
                        directory.resolve("broker.properties").toString(),
                        directory.resolve("kafka.log").toString())
                .redirectError(directory.resolve("stderr.log").toFile())
                .start();
        String said =
                new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (!"ready".equals(said)) {
            throw new IOException("Kafka said " + said + ": see " + directory);
        }
        return started;
    }

    public static synchronized String bootstrap() {
        try {
            if (instance == null) {
                instance = new TestKafka();
            }
            return instance.bootstrap;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void stop(Process broker, Path directory) {
        try {
            broker.destroyForcibly().waitFor();
            new ProcessBuilder(List.of("rm", "-rf", directory.toString()))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            // the JVM is ending
        }
    }
}
