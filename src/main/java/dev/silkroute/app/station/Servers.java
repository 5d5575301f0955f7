package dev.silkroute.app.station;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.Settings;
import dev.silkroute.app.embedded.DataDirectory;
import dev.silkroute.app.embedded.EmbeddedKafka;
import dev.silkroute.app.embedded.EmbeddedPostgres;
import dev.silkroute.app.embedded.Installation;
import dev.silkroute.app.embedded.PersistentPorts;
import dev.silkroute.app.embedded.ServerProcesses;
import dev.silkroute.app.embedded.SupervisedServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The Kafka and PostgreSQL servers of a run, embedded or external, prepared for the routes: topics created, schema
 * migrated.
 */
final class Servers implements AutoCloseable {
    private static final Duration PREVIOUS_STOP_LIMIT = Duration.ofSeconds(15);
    private static final Executor THREAD_PER_TASK =
            task -> Thread.ofPlatform().name("silkroute-start").start(task);

    private final RunOptions options;
    private final Settings settings;
    private final DataDirectory directory;
    private final ServerProcesses processes;
    private final PersistentPorts ports;
    private volatile @Nullable SupervisedServer<EmbeddedKafka> kafka;
    private volatile @Nullable SupervisedServer<EmbeddedPostgres> postgres;
    private volatile long newestSession;

    private Servers(RunOptions options, Settings settings, DataDirectory directory) {
        this.options = options;
        this.settings = settings;
        this.directory = directory;
        this.processes = new ServerProcesses(directory);
        this.ports = new PersistentPorts(directory);
    }

    /** Starts or checks both at once. If one fails, the other is stopped before the {@link OperatorError} is thrown. */
    static Servers start(RunOptions options, Settings settings, DataDirectory directory) {
        var servers = new Servers(options, settings, directory);
        servers.checkExternal();
        servers.processes.awaitExit(PREVIOUS_STOP_LIMIT);
        try {
            var kafka = CompletableFuture.runAsync(servers::startKafka, THREAD_PER_TASK);
            var postgres = CompletableFuture.runAsync(servers::startPostgres, THREAD_PER_TASK);
            CompletableFuture.allOf(kafka, postgres).join();
            return servers;
        } catch (CompletionException e) {
            servers.close();
            throw e.getCause() instanceof OperatorError error ? error : e;
        }
    }

    String bootstrap() {
        var embedded = kafka;
        return embedded == null
                ? orEmpty(options.kafkaBootstrap())
                : embedded.get().bootstrap();
    }

    String jdbcUrl() {
        var embedded = postgres;
        return embedded == null ? orEmpty(options.jdbcUrl()) : embedded.get().jdbcUrl();
    }

    /** Returns the result of {@link StationTopics#newestSession} at the start. */
    long newestSession() {
        return newestSession;
    }

    @Override
    public void close() {
        var kafkaStop = CompletableFuture.runAsync(() -> close(kafka), THREAD_PER_TASK);
        var postgresStop = CompletableFuture.runAsync(() -> close(postgres), THREAD_PER_TASK);
        CompletableFuture.allOf(kafkaStop, postgresStop).join();
        processes.forgetEnded();
    }

    /** Checks external servers before anything is started. */
    private void checkExternal() {
        KafkaAccess external = KafkaAccess.of(orEmpty(options.kafkaBootstrap()), settings);
        if (options.kafkaBootstrap() != null) {
            KafkaCluster.check(bootstrap());
        } else if (!external.security().isEmpty()) {
            throw new OperatorError(
                    "silkroute.kafka." + external.security().keySet().iterator().next()
                            + " applies to an external Kafka: --kafka-bootstrap is missing");
        }
        if (options.jdbcUrl() != null && Role.needDatabase(options.roles())) {
            Database.check(jdbcUrl());
        }
    }

    private void startKafka() {
        if (options.kafkaBootstrap() == null) {
            kafka = SupervisedServer.start(
                    "Kafka",
                    () -> EmbeddedKafka.start(Installation.find(), directory, ports, processes, kafkaJavaOptions()));
        }
        newestSession = KafkaCluster.prepare(KafkaAccess.of(bootstrap(), settings), settings);
    }

    private List<String> kafkaJavaOptions() {
        String javaOptions = settings.find("silkroute.embedded-kafka.java-opts");
        return javaOptions == null ? List.of() : List.of(javaOptions.split("\\s+"));
    }

    private void startPostgres() {
        if (options.jdbcUrl() == null) {
            postgres = SupervisedServer.start(
                    "PostgreSQL", () -> EmbeddedPostgres.start(Installation.find(), directory, ports, processes));
        }
        if (Role.needDatabase(options.roles())) {
            Database.migrate(jdbcUrl());
        }
    }

    private static void close(@Nullable AutoCloseable server) {
        try {
            if (server != null) {
                server.close();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }
}
