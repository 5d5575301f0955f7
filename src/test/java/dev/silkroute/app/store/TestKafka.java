package dev.silkroute.app.store;

import dev.silkroute.app.embedded.KafkaBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A real Kafka broker in a JVM of its own, for the tests of one JVM: it ends with that JVM. */
final class TestKafka {
    private static TestKafka instance;

    private final String bootstrap;
    private final Path directory;
    private Process broker;

    private TestKafka() throws IOException {
        int port = freePort();
        bootstrap = "127.0.0.1:" + port;
        directory = Files.createTempDirectory("silkroute-kafka-");
        Files.writeString(directory.resolve("broker.properties"), """
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
                """.formatted(port, freePort(), directory));
        broker = start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker, directory)));
    }

    /** Kills the broker outright. What it had acknowledged is in its files. */
    static synchronized void crash() throws InterruptedException {
        instance.broker.destroyForcibly().waitFor();
    }

    static synchronized void restart() throws IOException {
        instance.broker = instance.start();
    }

    private Process start() throws IOException {
        Process started = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
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

    static synchronized String bootstrap() {
        try {
            if (instance == null) {
                instance = new TestKafka();
            }
            return instance.bootstrap;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
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
