package dev.silkroute.app.station;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.StationConfig;
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

    private final StationConfig config;
    private final DataDirectory directory;
    private final ServerProcesses processes;
    private final PersistentPorts ports;
    private volatile @Nullable SupervisedServer<EmbeddedKafka> kafka;
    private volatile @Nullable SupervisedServer<EmbeddedPostgres> postgres;
    private volatile long newestSession;

    private Servers(StationConfig config, DataDirectory directory) {
        this.config = config;
        this.directory = directory;
        this.processes = new ServerProcesses(directory);
        this.ports = new PersistentPorts(directory);
    }

    /** Starts or checks both at once. If one fails, the other is stopped before the {@link OperatorError} is thrown. */
    static Servers start(StationConfig config, DataDirectory directory) {
        var servers = new Servers(config, directory);
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
                ? config.kafkaBootstrap().orElse("")
                : embedded.get().bootstrap();
    }

    String jdbcUrl() {
        var embedded = postgres;
        return embedded == null
                ? Database.withPassword(config.jdbcUrl().orElse(""), config.jdbcPasswordFile())
                : embedded.get().jdbcUrl();
    }

    /** Returns the URL for the ready line, without a password. */
    String shownJdbcUrl() {
        var embedded = postgres;
        return embedded == null
                ? Database.hidePassword(config.jdbcUrl().orElse(""))
                : embedded.get().ownerUrl();
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
        KafkaAccess external = KafkaAccess.of(config.kafkaBootstrap().orElse(""), config);
        if (config.kafkaBootstrap().isPresent()) {
            KafkaCluster.check(bootstrap());
        } else if (!external.security().isEmpty()) {
            throw new OperatorError(
                    "silkroute.kafka." + external.security().keySet().iterator().next()
                            + " applies to an external Kafka: --kafka-bootstrap is missing");
        }
        if (config.jdbcUrl().isPresent() && config.roles().needDatabase()) {
            Database.check(jdbcUrl());
        }
    }

    private void startKafka() {
        if (config.kafkaBootstrap().isEmpty()) {
            kafka = SupervisedServer.start(
                    "Kafka",
                    () -> EmbeddedKafka.start(Installation.find(), directory, ports, processes, kafkaJavaOptions()));
        }
        newestSession = KafkaCluster.prepare(KafkaAccess.of(bootstrap(), config), config);
    }

    private List<String> kafkaJavaOptions() {
        return config.embeddedKafka()
                .javaOpts()
                .map(text -> List.of(text.strip().split("\\s+")))
                .orElse(List.of());
    }

    private void startPostgres() {
        if (config.jdbcUrl().isEmpty()) {
            postgres = SupervisedServer.start(
                    "PostgreSQL", () -> EmbeddedPostgres.start(Installation.find(), directory, ports, processes));
        }
        if (config.roles().needDatabase()) {
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
}
