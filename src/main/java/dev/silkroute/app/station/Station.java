package dev.silkroute.app.station;

import dev.silkroute.app.config.BmpTls;
import dev.silkroute.app.config.Host;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.Settings;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.app.embedded.DataDirectory;
import dev.silkroute.app.embedded.Ports;
import dev.silkroute.app.management.ConsoleAccess;
import dev.silkroute.app.routes.RouteFiles;
import io.quarkus.runtime.Quarkus;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One run of a station: checks and starts what it needs, runs Quarkus with the routes, and stops everything in the
 * opposite order. {@link #close} may be called from several threads and takes effect once.
 */
public final class Station implements AutoCloseable {
    /** Loggers whose level is WARN by default (application.properties) and INFO with --verbose. */
    private static final List<String> VERBOSE_LOGGERS = List.of(
            "io.quarkus",
            "org.apache.kafka",
            "org.apache.camel.main",
            "org.apache.camel.component",
            "org.apache.camel.support",
            "org.flywaydb");

    private static final int DEFAULT_MANAGEMENT_PORT = 9000;
    private static final long MINIMUM_FREE_SPACE = 512L << 20;

    private final RunOptions options;
    private final Settings settings;
    private @Nullable DataDirectory directory;
    private @Nullable Servers servers;
    private boolean closed;

    private Station(RunOptions options, Settings settings) {
        this.options = options;
        this.settings = settings;
    }

    /**
     * Runs a station until it is stopped.
     *
     * @return the exit code
     * @throws OperatorError if the start fails
     */
    public static int run(RunOptions options, Settings settings) {
        var station = new Station(options, settings);
        ShutdownSequence.install(station);
        try (station) {
            station.start();
            return station.serve();
        }
    }

    private void start() {
        checkPorts();
        RouteFiles.of(options.roles(), options.routesDirectory()).check();
        var tls = options.roles().contains(Role.COLLECTOR) ? BmpTls.of(settings) : null;
        var management = ConsoleAccess.properties(options.managementHost(), usersFile());
        var opened = DataDirectory.open(
                options.dataDirectory(), settings.bytes("silkroute.min-free-space", MINIMUM_FREE_SPACE));
        hold(opened, null);
        var started = Servers.start(options, settings, opened);
        hold(opened, started);
        // Chosen only now that the servers have bound theirs, so that none of them gets the same port.
        int bmpPort = options.has(Role.COLLECTOR) ? port(options.bmpHost(), options.bmpPort()) : 0;
        int httpPort = port(options.httpHost(), options.httpPort());
        int managementPort = managementPort();
        properties(bmpPort, httpPort, opened, started).forEach(System::setProperty);
        management.put("quarkus.management.host", options.managementHost());
        management.put("quarkus.management.port", Integer.toString(managementPort));
        management.forEach(System::setProperty);
        if (tls != null) {
            tls.properties().forEach(System::setProperty);
        }
        StationFile.write(
                opened.path(),
                Map.of(
                        StationFile.PID, Long.toString(ProcessHandle.current().pid()),
                        StationFile.HTTP_URL, "http://" + Host.inUri(options.httpHost()) + ":" + httpPort,
                        StationFile.MANAGEMENT_URL,
                                "http://" + Host.inUri(options.managementHost()) + ":" + managementPort,
                        StationFile.JDBC_URL, started.jdbcUrl(),
                        StationFile.POSTGRES_EMBEDDED, Boolean.toString(options.jdbcUrl() == null),
                        StationFile.KAFKA_BOOTSTRAP, started.bootstrap(),
                        StationFile.BMP_PORT, Integer.toString(bmpPort)));
    }

    private void checkPorts() {
        if (options.has(Role.COLLECTOR)) {
            if (options.bmpPort() == options.httpPort() && options.bmpPort() != 0) {
                throw new OperatorError("--bmp-port and --http-port are both " + options.bmpPort());
            }
            Ports.check(options.bmpHost(), options.bmpPort());
        }
        Ports.check(options.httpHost(), options.httpPort());
        var managementPort = options.managementPort();
        if (managementPort != null) {
            if (managementPort != 0 && managementPort == options.httpPort()) {
                throw new UsageError("--management-port and --http-port are both " + managementPort);
            }
            Ports.check(options.managementHost(), managementPort);
        }
    }

    private @Nullable Path usersFile() {
        var file = settings.find("silkroute.management.users-file");
        return file == null ? null : Path.of(file);
    }

    private int managementPort() {
        var requested = options.managementPort();
        if (requested != null) {
            return port(options.managementHost(), requested);
        }
        return Ports.isFree(options.managementHost(), DEFAULT_MANAGEMENT_PORT)
                ? DEFAULT_MANAGEMENT_PORT
                : Ports.reserve(options.managementHost());
    }

    private static int port(String host, int requested) {
        return requested == 0 ? Ports.reserve(host) : requested;
    }

    /** Returns the settings of this run that Quarkus, Camel and the routes read. */
    private Map<String, String> properties(int bmpPort, int httpPort, DataDirectory folder, Servers running) {
        var properties = new LinkedHashMap<String, String>();
        // An IPv6 address in brackets, because the routes put it in a URI.
        properties.put("silkroute.bmp-host", Host.inUri(options.bmpHost()));
        properties.put("silkroute.bmp-port", Integer.toString(bmpPort));
        properties.put("silkroute.http-host", Host.inUri(options.httpHost()));
        properties.put("silkroute.http-port", Integer.toString(httpPort));
        properties.put("silkroute.data-dir", folder.path().toString());
        properties.put("silkroute.kafka-bootstrap", running.bootstrap());
        properties.put("silkroute.jdbc-url", running.jdbcUrl());
        properties.put("silkroute.newest-session", Long.toString(running.newestSession()));
        properties.put("silkroute.roles", Role.text(options.roles()));
        if (options.verbose()) {
            VERBOSE_LOGGERS.forEach(logger -> properties.put("quarkus.log.category.\"" + logger + "\".level", "INFO"));
        }
        var routesDirectory = options.routesDirectory();
        if (routesDirectory != null) {
            properties.put(
                    "silkroute.routes-dir", routesDirectory.toAbsolutePath().toString());
        }
        properties.put("quarkus.http.host", options.httpHost());
        properties.put("quarkus.http.port", Integer.toString(httpPort));
        properties.put("quarkus.datasource.jdbc.url", running.jdbcUrl());
        properties.put("quarkus.datasource.bulk.jdbc.url", running.jdbcUrl());
        properties.put("kafka.bootstrap.servers", running.bootstrap());
        properties.put("camel.component.kafka.brokers", running.bootstrap());
        return properties;
    }

    /** Boots Quarkus and waits until it has stopped. */
    private static int serve() {
        var exitCode = new AtomicInteger();
        var failure = new AtomicReference<@Nullable Throwable>();
        Quarkus.run(StationApplication.class, (code, thrown) -> {
            exitCode.set(code);
            failure.set(thrown);
        });
        var thrown = failure.get();
        if (thrown != null) {
            throw StartFailure.of(thrown);
        }
        return exitCode.get();
    }

    private synchronized void hold(DataDirectory opened, @Nullable Servers started) {
        directory = opened;
        servers = started;
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (servers != null) {
            servers.close();
        }
        if (directory != null) {
            StationFile.delete(directory.path());
            directory.close();
        }
    }
}
