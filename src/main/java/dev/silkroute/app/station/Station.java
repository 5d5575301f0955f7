package dev.silkroute.app.station;

import dev.silkroute.app.alert.ConfiguredRules;
import dev.silkroute.app.alert.WebhookSettings;
import dev.silkroute.app.config.BmpConnect;
import dev.silkroute.app.config.BmpListener;
import dev.silkroute.app.config.BmpMd5;
import dev.silkroute.app.config.BmpTls;
import dev.silkroute.app.config.Host;
import dev.silkroute.app.config.LogFormat;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.app.console.ReadableDirectory;
import dev.silkroute.app.embedded.DataDirectory;
import dev.silkroute.app.embedded.Ports;
import dev.silkroute.app.http.HttpTls;
import dev.silkroute.app.http.HttpToken;
import dev.silkroute.app.http.OidcSettings;
import dev.silkroute.app.management.ConsoleAccess;
import dev.silkroute.app.reconcile.TwinSettings;
import dev.silkroute.app.routes.RouteFiles;
import dev.silkroute.app.rpki.OriginValidation;
import dev.silkroute.app.trace.TraceSettings;
import io.quarkus.runtime.Quarkus;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One run of a station: checks and starts what it needs, runs Quarkus with the routes, and stops everything in the
 * opposite order. {@link #close} may be called from several threads and takes effect once.
 */
public final class Station implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger(Station.class);

    /** Loggers whose level is WARN by default (application.properties) and INFO with --verbose. */
    private static final List<String> VERBOSE_LOGGERS = List.of(
            "io.quarkus",
            "org.apache.kafka",
            "org.apache.camel.main",
            "org.apache.camel.component",
            "org.apache.camel.support",
            "org.flywaydb");

    private static final int DEFAULT_MANAGEMENT_PORT = 9000;
    private static final int MAX_PORT = 65_535;

    private final StationConfig config;
    private final String bmpHost;
    private final String httpHost;
    private final String managementHost;
    private @Nullable DataDirectory directory;
    private @Nullable Servers servers;
    private boolean closed;

    private Station(StationConfig config) {
        this.config = config;
        bmpHost = Host.bare(config.bmpHost());
        httpHost = Host.bare(config.httpHost());
        managementHost = Host.bare(config.managementHost());
    }

    /**
     * Runs a station until it is stopped.
     *
     * @return the exit code
     * @throws OperatorError if the start fails
     */
    public static int run(StationConfig config) {
        var station = new Station(config);
        ShutdownSequence.install(station);
        try (station) {
            station.start();
            return station.serve();
        }
    }

    private void start() {
        checkPorts();
        warnOfPassword();
        var routesDirectory =
                ReadableDirectory.require("--routes-dir", config.routesDir().orElse(null));
        RouteFiles.of(config.roles(), routesDirectory).check();
        OriginValidation.check(config);
        TwinSettings.of(config); // fails early
        TraceSettings.of(config); // fails early
        var tls = HttpTls.of(config.http().tls());
        var oidc = OidcSettings.properties(config.http());
        if (has(Role.COLLECTOR)) {
            BmpTls.of(config.bmpTls()); // fails early
            BmpMd5.of(config); // fails early
            BmpConnect.of(config.bmpConnect()); // fails early
        }
        if (has(Role.WRITER)) {
            ConfiguredRules.read(config); // fails early
            WebhookSettings.of(config);
        }
        var management = ConsoleAccess.properties(
                managementHost, config.management().usersFile().orElse(null));
        var opened = DataDirectory.open(config.dataDir(), config.minFreeSpace().asLongValue());
        hold(opened, null);
        var token = HttpToken.file(httpHost, config.http(), () -> opened.secret("http-token"));
        var started = Servers.start(config, opened);
        hold(opened, started);
        // Chosen only now that the servers have bound theirs, so that none of them gets the same port.
        int bmpPort = has(Role.COLLECTOR) ? port(bmpHost, config.bmpPort()) : 0;
        int httpPort = port(httpHost, config.httpPort());
        int managementPort = managementPort();
        properties(bmpPort, httpPort, opened, started).forEach(System::setProperty);
        management.put("quarkus.management.host", managementHost);
        management.put("quarkus.management.port", Integer.toString(managementPort));
        management.forEach(System::setProperty);
        if (tls != null) {
            tls.properties(httpPort).forEach(System::setProperty);
        }
        oidc.forEach(System::setProperty);
        var addresses = new HashMap<>(Map.of(
                StationFile.PID, Long.toString(ProcessHandle.current().pid()),
                StationFile.HTTP_URL, HttpTls.scheme(config.http()) + "://" + Host.inUri(httpHost) + ":" + httpPort,
                StationFile.MANAGEMENT_URL, "http://" + Host.inUri(managementHost) + ":" + managementPort,
                StationFile.JDBC_URL, started.jdbcUrl(),
                StationFile.POSTGRES_EMBEDDED, Boolean.toString(config.jdbcUrl().isEmpty()),
                StationFile.KAFKA_BOOTSTRAP, started.bootstrap(),
                StationFile.BMP_PORT, Integer.toString(bmpPort)));
        if (token != null) {
            System.setProperty(HttpToken.REQUIRED, token.toString());
            addresses.put(StationFile.HTTP_TOKEN_FILE, token.toString());
        }
        if (tls != null) {
            addresses.put(StationFile.HTTP_CERTIFICATE, tls.own().certificate().toString());
        }
        StationFile.write(opened.path(), addresses);
    }

    private static void warnOfPassword() {
        var arguments = ProcessHandle.current().info().arguments().orElse(new String[0]);
        if (Stream.of(arguments).anyMatch(argument -> argument.contains("password="))) {
            LOGGER.warn("The command line contains a password, which every user of this machine can see: set"
                    + " silkroute.jdbc-password-file, or pass the URL as the environment variable SILKROUTE_JDBC_URL");
        }
    }

    private boolean has(Role role) {
        return config.roles().has(role);
    }

    private void checkPorts() {
        requirePort("--bmp-port", config.bmpPort());
        requirePort("--http-port", config.httpPort());
        config.managementPort().ifPresent(port -> requirePort("--management-port", port));
        if (has(Role.COLLECTOR)) {
            if (config.bmpPort() == config.httpPort() && config.bmpPort() != 0) {
                throw new OperatorError("--bmp-port and --http-port are both " + config.bmpPort());
            }
            Ports.check(bmpHost, config.bmpPort());
            for (BmpListener listener : BmpListener.of(config)) {
                Ports.check(listener.host(), listener.address().port());
            }
        }
        Ports.check(httpHost, config.httpPort());
        if (config.managementPort().isPresent()) {
            int managementPort = config.managementPort().getAsInt();
            if (managementPort != 0 && managementPort == config.httpPort()) {
                throw new UsageError("--management-port and --http-port are both " + managementPort);
            }
            Ports.check(managementHost, managementPort);
        }
    }

    private static void requirePort(String option, int value) {
        if (value < 0 || value > MAX_PORT) {
            throw new UsageError(option + " " + value + " is not a port (0 to " + MAX_PORT + ")");
        }
    }

    private int managementPort() {
        if (config.managementPort().isPresent()) {
            return port(managementHost, config.managementPort().getAsInt());
        }
        return Ports.isFree(managementHost, DEFAULT_MANAGEMENT_PORT)
                ? DEFAULT_MANAGEMENT_PORT
                : Ports.reserve(managementHost);
    }

    private static int port(String host, int requested) {
        return requested == 0 ? Ports.reserve(host) : requested;
    }

    /** Returns the settings of this run that Quarkus, Camel and the routes read. */
    private Map<String, String> properties(int bmpPort, int httpPort, DataDirectory folder, Servers running) {
        var properties = new LinkedHashMap<String, String>();
        // An IPv6 address in brackets, because the routes put it in a URI.
        properties.put("silkroute.bmp-host", Host.inUri(bmpHost));
        properties.put("silkroute.bmp-port", Integer.toString(bmpPort));
        properties.put("silkroute.http-host", Host.inUri(httpHost));
        properties.put("silkroute.http-port", Integer.toString(httpPort));
        properties.put("silkroute.data-dir", folder.path().toString());
        properties.put("silkroute.kafka-bootstrap", running.bootstrap());
        properties.put("silkroute.jdbc-url", running.jdbcUrl());
        properties.put(StationApplication.SHOWN_JDBC_URL, running.shownJdbcUrl());
        properties.put(
                "station.alert-webhook",
                Boolean.toString(config.alerts().webhook().url().isPresent()));
        properties.put("station.newest-session", Long.toString(running.newestSession()));
        if (config.bmpMd5Keys().isPresent()) {
            properties.put("camel.component.netty.native-transport", "true");
        }
        properties.put(
                "quarkus.log.console.json.enabled",
                Boolean.toString(config.log().format() == LogFormat.JSON));
        if (config.verbose()) {
            VERBOSE_LOGGERS.forEach(logger -> properties.put("quarkus.log.category.\"" + logger + "\".level", "INFO"));
        }
        properties.put("quarkus.http.host", httpHost);
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
