package dev.silkroute.chaos;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.embedded.DataDirectory;
import dev.silkroute.app.embedded.EmbeddedKafka;
import dev.silkroute.app.embedded.EmbeddedPostgres;
import dev.silkroute.app.embedded.EmbeddedServer;
import dev.silkroute.app.embedded.Installation;
import dev.silkroute.app.embedded.PersistentPorts;
import dev.silkroute.app.embedded.ServerProcesses;
import dev.silkroute.fixture.StationProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Kafka or PostgreSQL, which can be killed, stopped and restarted on the same data and port. Thread-safe. */
final class Server<S extends EmbeddedServer> implements Victim {
    private static final Duration COMES_BACK = Duration.ofSeconds(60);

    private final String name;
    private final Supplier<S> starter;
    private @Nullable S server;

    private Server(String name, Supplier<S> starter) {
        this.name = name;
        this.starter = starter;
    }

    static Server<EmbeddedKafka> kafka(Path home, Path folder) {
        Installation installation = installation(home);
        DataDirectory directory = DataDirectory.open(folder, 0);
        PersistentPorts ports = new PersistentPorts(directory);
        return new Server<>(
                "kafka",
                () -> EmbeddedKafka.start(
                        installation,
                        directory,
                        ports,
                        new ServerProcesses(directory),
                        List.of(StationProcess.SHORT_LIVED)));
    }

    static Server<EmbeddedPostgres> postgres(Path home, DataDirectory directory, PersistentPorts ports) {
        Installation installation = installation(home);
        return new Server<>(
                "postgres",
                () -> EmbeddedPostgres.start(installation, directory, ports, new ServerProcesses(directory)));
    }

    private static Installation installation(Path home) {
        Path target = home.toAbsolutePath().resolve("target");
        return new Installation(target.resolve("quarkus-app"), target.resolve("embedded"));
    }

    synchronized S get() {
        if (server == null) {
            throw new IllegalStateException(name + " is not there");
        }
        return server;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public synchronized boolean isUp() {
        return server != null && server.process().isAlive();
    }

    @Override
    public synchronized void kill() {
        Processes.kill(Processes.tree(get().process()));
    }

    /** Kills one of the server's processes for clients, which the server detects. Returns false if there is none. */
    synchronized boolean killBackend(int n) {
        List<ProcessHandle> backends = get().process()
                .descendants()
                .filter(process -> process.info().command().orElse("").endsWith("/postgres"))
                .filter(process -> process.parent()
                        .flatMap(parent -> parent.info().command())
                        .orElse("")
                        .endsWith("/postgres"))
                .toList();
        if (!backends.isEmpty()) {
            Processes.kill(List.of(backends.get(n % backends.size())));
        }
        return !backends.isEmpty();
    }

    /** Suspends the server: it accepts connections without replies. */
    synchronized void freeze() {
        Processes.signal("STOP", Processes.tree(get().process()));
    }

    synchronized void thaw() {
        Processes.signal("CONT", Processes.tree(get().process()));
    }

    synchronized void stop() {
        if (server != null) {
            server.close();
        }
    }

    /** Starts it if its process has ended. */
    synchronized void startIfDown() {
        if (!isUp()) {
            start();
        }
    }

    /** Restarts repeatedly, because a killed server can start only after its remaining processes have ended. */
    @Override
    public synchronized void start() {
        long deadline = System.nanoTime() + COMES_BACK.toNanos();
        while (true) {
            try {
                server = starter.get();
                return;
            } catch (OperatorError e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Pause.millis(200);
            }
        }
    }
}
