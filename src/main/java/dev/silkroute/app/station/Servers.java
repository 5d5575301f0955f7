package dev.silkroute.app.station;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.Settings;
import dev.silkroute.app.embedded.DataDirectory;
import dev.silkroute.app.embedded.EmbeddedKafka;
import dev.silkroute.app.embedded.EmbeddedPostgres;
import dev.silkroute.app.embedded.Installation;
import dev.silkroute.app.embedded.KeptPorts;
import dev.silkroute.app.embedded.KeptServer;
import dev.silkroute.app.embedded.ServerProcesses;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Kafka and PostgreSQL of a run, embedded or given, ready for the routes: topics made, schema up to date. */
final class Servers implements AutoCloseable {
    private static final Duration TAKE_OVER_LIMIT = Duration.ofSeconds(15);
    private static final Executor EACH_ITS_THREAD =
            task -> Thread.ofPlatform().name("silkroute-start").start(task);

    private final RunOptions options;
    private final Settings settings;
    private final DataDirectory directory;
    private final ServerProcesses processes;
    private final KeptPorts ports;
    private volatile @Nullable KeptServer<EmbeddedKafka> kafka;
    private volatile @Nullable KeptServer<EmbeddedPostgres> postgres;
    private volatile long newestSession;

    private Servers(RunOptions options, Settings settings, DataDirectory directory) {
        this.options = options;
        this.settings = settings;
        this.directory = directory;
        this.processes = new ServerProcesses(directory);
        this.ports = new KeptPorts(directory);
    }

    /** Starts or checks both at once. Where one fails, the other is stopped before the {@link OperatorError} is thrown. */
    static Servers start(RunOptions options, Settings settings, DataDirectory directory) {
        var servers = new Servers(options, settings, directory);
        servers.checkGiven();
        servers.processes.awaitGone(TAKE_OVER_LIMIT);
        try {
            var kafka = CompletableFuture.runAsync(servers::startKafka, EACH_ITS_THREAD);
            var postgres = CompletableFuture.runAsync(servers::startPostgres, EACH_ITS_THREAD);
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
                ? given(options.kafkaBootstrap())
                : embedded.get().bootstrap();
    }

    String jdbcUrl() {
        var embedded = postgres;
        return embedded == null ? given(options.jdbcUrl()) : embedded.get().jdbcUrl();
    }

    /** {@link Topics#newestSession} when the servers were started. */
    long newestSession() {
        return newestSession;
    }

    @Override
    public void close() {
        var first = CompletableFuture.runAsync(() -> close(kafka), EACH_ITS_THREAD);
        var second = CompletableFuture.runAsync(() -> close(postgres), EACH_ITS_THREAD);
        CompletableFuture.allOf(first, second).join();
        processes.forget();
    }

    /** Given servers that don't answer are told before anything is started. */
    private void checkGiven() {
        KafkaAccess given = KafkaAccess.of(given(options.kafkaBootstrap()), settings);
        if (options.kafkaBootstrap() != null) {
            KafkaServer.check(bootstrap());
        } else if (!given.security().isEmpty()) {
            throw new OperatorError(
                    "silkroute.kafka." + given.security().keySet().iterator().next()
                            + " is for a Kafka of your own: --kafka-bootstrap is missing");
        }
        if (options.jdbcUrl() != null && Role.needDatabase(options.roles())) {
            Database.check(jdbcUrl());
        }
    }

    private void startKafka() {
        if (options.kafkaBootstrap() == null) {
            kafka = KeptServer.start(
                    "Kafka",
                    () -> EmbeddedKafka.start(Installation.find(), directory, ports, processes, kafkaJavaOptions()));
        }
        newestSession = KafkaServer.prepare(KafkaAccess.of(bootstrap(), settings), settings);
    }

    private List<String> kafkaJavaOptions() {
        String words = settings.find("silkroute.embedded-kafka.java-opts");
        return words == null ? List.of() : List.of(words.split("\\s+"));
    }

    private void startPostgres() {
        if (options.jdbcUrl() == null) {
            postgres = KeptServer.start(
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

    private static String given(@Nullable String value) {
        return value == null ? "" : value;
    }
}
