package dev.silkroute.app;

import dev.silkroute.app.embedded.KafkaBroker;
import dev.silkroute.app.embedded.Ports;
import dev.silkroute.endtoend.KeyFiles;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A Kafka broker that wants TLS and a password, with a certificate of its own. */
final class SecuredKafka implements AutoCloseable {
    private static final String USER = "station";
    private static final String LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required ";
    private static final long LIMIT_SECONDS = 30;

    private final String bootstrap;
    private final Path trust;
    private final String password;
    private final Process broker;

    private SecuredKafka(String bootstrap, Path trust, String password, Process broker) {
        this.bootstrap = bootstrap;
        this.trust = trust;
        this.password = password;
        this.broker = broker;
    }

    static SecuredKafka start(Path folder, String password) throws IOException, InterruptedException {
        KeyFiles keys = KeyFiles.make(folder, "broker");
        int port = Ports.any(Ports.LOOPBACK);
        Path settings = Files.writeString(
                folder.resolve("broker.properties"),
                settings(
                        folder.resolve("logs"),
                        keys.keys(),
                        port,
                        Ports.any(Ports.LOOPBACK),
                        Ports.any(Ports.LOOPBACK),
                        password));
        Process broker = launch(settings, folder);
        BufferedReader said =
                new BufferedReader(new InputStreamReader(broker.getInputStream(), StandardCharsets.UTF_8));
        String first = said.readLine();
        if (!"ready".equals(first)) {
            broker.destroyForcibly();
            throw new IOException("the broker said " + first);
        }
        return new SecuredKafka("127.0.0.1:" + port, keys.trust(), password, broker);
    }

    private static String settings(
            Path logs, Path keys, int port, int internalPort, int controllerPort, String password) {
        return """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%3$d
                listeners=SECURED://127.0.0.1:%1$d,INTERNAL://127.0.0.1:%2$d,CONTROLLER://127.0.0.1:%3$d
                advertised.listeners=SECURED://127.0.0.1:%1$d,INTERNAL://127.0.0.1:%2$d
                listener.security.protocol.map=SECURED:SASL_SSL,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT
                inter.broker.listener.name=INTERNAL
                controller.listener.names=CONTROLLER
                sasl.enabled.mechanisms=PLAIN
                listener.name.secured.plain.sasl.jaas.config=%4$suser_%5$s="%6$s";
                ssl.keystore.type=PKCS12
                ssl.keystore.location=%7$s
                ssl.keystore.password=%8$s
                log.dirs=%9$s
                auto.create.topics.enable=false
                message.max.bytes=8388608
                log.index.size.max.bytes=2097152
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=4
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                group.initial.rebalance.delay.ms=0
                """.formatted(port, internalPort, controllerPort, LOGIN, USER, password, keys, KeyFiles.PASSWORD, logs);
    }

    private static Process launch(Path settings, Path folder) throws IOException {
        Path target = Path.of("target").toAbsolutePath();
        List<String> classPath = new ArrayList<>();
        for (String part :
                List.of("quarkus-app/app", "embedded/kafka", "quarkus-app/lib/main", "quarkus-app/lib/boot")) {
            classPath.add(target.resolve(part) + "/*");
        }
        return new ProcessBuilder(
                        java("java"),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dlog4j2.StatusLogger.level=OFF",
                        "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                        "-cp",
                        String.join(File.pathSeparator, classPath),
                        KafkaBroker.class.getName(),
                        settings.toString(),
                        folder.resolve("kafka.log").toString())
                .redirectError(folder.resolve("kafka.err").toFile())
                .start();
    }

    private static String java(String tool) {
        return Path.of(System.getProperty("java.home"), "bin", tool).toString();
    }

    String bootstrap() {
        return bootstrap;
    }

    /** A client's environment that the broker lets in. */
    Map<String, String> environment() {
        return environment(password);
    }

    Map<String, String> environment(String saying) {
        return Map.of(
                "SILKROUTE_KAFKA_SECURITY_PROTOCOL",
                "SASL_SSL",
                "SILKROUTE_KAFKA_SASL_MECHANISM",
                "PLAIN",
                "SILKROUTE_KAFKA_SASL_JAAS_CONFIG",
                LOGIN + "username=\"" + USER + "\" password=\"" + saying + "\";",
                "SILKROUTE_KAFKA_SSL_TRUSTSTORE_LOCATION",
                trust.toString(),
                "SILKROUTE_KAFKA_SSL_TRUSTSTORE_PASSWORD",
                KeyFiles.PASSWORD);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        broker.getOutputStream().close();
        if (!broker.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            broker.destroyForcibly();
        }
    }
}
