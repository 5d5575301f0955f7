package dev.silkroute.app.station;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import dev.silkroute.app.config.BmpConnect;
import dev.silkroute.app.config.BmpListener;
import dev.silkroute.app.config.BmpMd5;
import dev.silkroute.app.config.BmpTls;
import dev.silkroute.app.config.ByteSize;
import dev.silkroute.app.config.Host;
import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.console.ReadableDirectory;
import dev.silkroute.app.embedded.DataDirectory;
import dev.silkroute.app.embedded.Ports;
import dev.silkroute.app.http.HttpTls;
import dev.silkroute.app.routes.RouteFiles;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * The checks of {@code doctor}. Each is independent of the others, changes nothing, and ends after some seconds. While
 * a station runs on the data directory, its servers are checked and its ports are not.
 */
final class StationChecks {
    private static final int ENOUGH_FILES = 4_096;
    private static final Duration CERTIFICATE_WARNING = Duration.ofDays(30);
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(5);
    private static final Duration KAFKA_TIMEOUT = Duration.ofSeconds(10);
    private static final int OLDEST_POSTGRES = 15;
    private static final String OPEN_FILES = "open files";
    private static final String DATA_DIRECTORY = "data directory";
    private static final String KAFKA = "Kafka";
    private static final String BMP_TLS = "TLS for BMP";
    private static final String HTTPS = "HTTPS";
    private static final String POSTGRES = "PostgreSQL";

    private final StationConfig config;
    private final Clock clock;
    private final List<Finding> findings = new ArrayList<>();

    StationChecks(StationConfig config, Clock clock) {
        this.config = config;
        this.clock = clock;
    }

    /** Runs all checks that apply to the roles of the station. */
    List<Finding> findings() {
        findings.add(Finding.ok("configuration", "valid; roles " + config.roles()));
        openFiles();
        memory();
        dataDirectory();
        Properties running = DataDirectory.isHeld(config.dataDir()) ? StationFile.read(config.dataDir()) : null;
        if (running == null) {
            ports();
        } else {
            findings.add(Finding.ok("station", "running, process " + running.getProperty(StationFile.PID)));
        }
        check("routes", this::routes);
        check(HTTPS, this::https);
        if (config.roles().has(Role.COLLECTOR)) {
            check(BMP_TLS, this::bmpTls);
            if (config.bmpConnect().addresses().isPresent()) {
                check(
                        "routers that listen",
                        () -> Finding.ok(
                                "routers that listen",
                                BmpConnect.of(config.bmpConnect()).routers().size() + " configured"));
            }
            if (config.bmpMd5Keys().isPresent()) {
                check("TCP MD5 for BMP", () -> Finding.ok("TCP MD5 for BMP", "" + BmpMd5.of(config)));
            }
        }
        String bootstrap =
                running == null ? config.kafkaBootstrap().orElse("") : running.getProperty(StationFile.KAFKA_BOOTSTRAP);
        if (bootstrap.isEmpty()) {
            findings.add(Finding.ok(KAFKA, "the embedded broker, which is not running"));
        } else {
            check(KAFKA, () -> kafka(bootstrap));
        }
        if (config.roles().needDatabase()) {
            String url = running == null
                    ? Database.withPassword(config.jdbcUrl().orElse(""), config.jdbcPasswordFile())
                    : running.getProperty(StationFile.JDBC_URL);
            if (url.isEmpty()) {
                findings.add(Finding.ok(POSTGRES, "the embedded server, which is not running"));
            } else {
                postgres(url);
            }
        }
        return List.copyOf(findings);
    }

    /** Adds the finding of a check; an error for operators is a failure. */
    private void check(String name, Supplier<Finding> check) {
        try {
            findings.add(check.get());
        } catch (OperatorError e) {
            findings.add(Finding.failed(name, OperatorError.reason(e)));
        }
    }

    private void openFiles() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix) {
            long limit = unix.getMaxFileDescriptorCount();
            findings.add(
                    limit < ENOUGH_FILES
                            ? Finding.warning(
                                    OPEN_FILES,
                                    "the limit is " + limit + ", and each session, partition and connection needs one:"
                                            + " raise it to " + ENOUGH_FILES + " or more (ulimit -n, LimitNOFILE=)")
                            : Finding.ok(OPEN_FILES, "the limit is " + limit));
        }
    }

    private void memory() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
            long total = system.getTotalMemorySize();
            String text = ByteSize.text(total) + " of memory, " + system.getAvailableProcessors() + " processors";
            findings.add(
                    total < 2L << 30
                            ? Finding.warning("machine", text + ": 2 GiB are the least for all roles on one machine")
                            : Finding.ok("machine", text));
        }
    }

    private void dataDirectory() {
        Path directory = config.dataDir().toAbsolutePath().normalize();
        try {
            DataDirectory.check(directory, config.minFreeSpace().asLongValue());
            findings.add(Finding.ok(
                    DATA_DIRECTORY,
                    directory + (Files.exists(directory) ? "" : ", which does not exist yet") + ", "
                            + ByteSize.text(DataDirectory.freeSpace(directory)) + " free"));
        } catch (IOException e) {
            findings.add(Finding.failed(DATA_DIRECTORY, directory + ": " + OperatorError.reason(e)));
        } catch (OperatorError e) {
            findings.add(Finding.failed(DATA_DIRECTORY, OperatorError.reason(e)));
        }
    }

    private void ports() {
        if (config.roles().has(Role.COLLECTOR)) {
            check("BMP port", () -> port("BMP port", Host.bare(config.bmpHost()), config.bmpPort()));
            if (config.bmpListeners().isPresent()) {
                check("BMP listeners", this::listeners);
            }
        }
        check("HTTP port", () -> port("HTTP port", Host.bare(config.httpHost()), config.httpPort()));
        config.managementPort()
                .ifPresent(port -> check(
                        "management port", () -> port("management port", Host.bare(config.managementHost()), port)));
    }

    private Finding listeners() {
        List<BmpListener> listeners = BmpListener.of(config);
        listeners.forEach(
                listener -> Ports.check(listener.host(), listener.address().port()));
        return Finding.ok("BMP listeners", listeners + " are free");
    }

    private static Finding port(String check, String host, int port) {
        Ports.check(host, port);
        return Finding.ok(check, port == 0 ? "any free port" : Host.inUri(host) + ":" + port + " is free");
    }

    private Finding routes() {
        Path directory =
                ReadableDirectory.require("--routes-dir", config.routesDir().orElse(null));
        RouteFiles.of(config.roles(), directory).check();
        return Finding.ok(
                "routes", directory == null ? "the packaged ones" : "packaged ones and those of " + directory);
    }

    private Finding bmpTls() {
        BmpTls tls = BmpTls.of(config.bmpTls());
        return tls == null
                ? Finding.ok(BMP_TLS, "not configured")
                : certificate(BMP_TLS, tls.own().certificate(), "routers");
    }

    private Finding https() {
        HttpTls tls = HttpTls.of(config.http().tls());
        return tls == null
                ? Finding.ok(HTTPS, "not configured")
                : certificate(HTTPS, tls.own().certificate(), "clients");
    }

    /** @param clients those that reject an expired certificate */
    private Finding certificate(String check, Path file, String clients) {
        try (InputStream in = Files.newInputStream(file)) {
            var certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
            Instant end = certificate.getNotAfter().toInstant();
            String text = "certificate of " + certificate.getSubjectX500Principal() + " valid until " + end;
            if (end.isBefore(clock.instant())) {
                return Finding.failed(check, text + ": it has expired, and " + clients + " reject it");
            }
            return end.isBefore(clock.instant().plus(CERTIFICATE_WARNING))
                    ? Finding.warning(check, text + ": renew it")
                    : Finding.ok(check, text);
        } catch (IOException | CertificateException e) {
            throw new OperatorError(file + " cannot be read: " + OperatorError.reason(e), e);
        }
    }

    private Finding kafka(String bootstrap) {
        KafkaCluster.check(bootstrap);
        KafkaAccess access = KafkaAccess.of(bootstrap, config);
        try (Admin admin = access.admin("silkroute-doctor", KAFKA_TIMEOUT)) {
            int brokers = admin.describeCluster()
                    .nodes()
                    .get(KAFKA_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                    .size();
            var missing = new TreeSet<String>();
            StationTopics.configured(config, brokers).forEach(topic -> missing.add(topic.name()));
            admin.listTopics()
                    .names()
                    .get(KAFKA_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                    .forEach(missing::remove);
            String text = brokers + (brokers == 1 ? " broker" : " brokers") + " at " + bootstrap;
            return Finding.ok(
                    KAFKA, missing.isEmpty() ? text + ", all topics exist" : text + "; a start creates " + missing);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            throw new OperatorError("Kafka at " + bootstrap + " does not respond: " + OperatorError.reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new OperatorError("interrupted", e);
        }
    }

    private void postgres(String url) {
        try (Connection connection = Database.connect(url)) {
            int version = connection.getMetaData().getDatabaseMajorVersion();
            findings.add(
                    version < OLDEST_POSTGRES
                            ? Finding.failed(
                                    POSTGRES, "version " + version + ": " + OLDEST_POSTGRES + " or newer is required")
                            : Finding.ok(POSTGRES, "version " + version + " at " + Database.hidePassword(url)));
            findings.add(schema(connection));
            findings.add(durability(connection));
            findings.add(clocks(connection));
        } catch (OperatorError e) {
            findings.add(Finding.failed(POSTGRES, OperatorError.reason(e)));
        } catch (SQLException e) {
            findings.add(Finding.failed(POSTGRES, Database.hidePassword(Database.reason(e))));
        }
    }

    private static Finding schema(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select to_regnamespace('bmp') is not null,"
                        + " has_database_privilege(current_database(), 'create'), current_user, current_database()")) {
            row.next();
            if (row.getBoolean(1)) {
                return Finding.ok("database schema", "bmp exists; a start applies the migrations that it lacks");
            }
            return row.getBoolean(2)
                    ? Finding.ok("database schema", "a start creates bmp")
                    : Finding.failed(
                            "database schema",
                            "the role " + row.getString(3) + " may not create the schema bmp: GRANT CREATE ON DATABASE "
                                    + row.getString(4) + " TO " + row.getString(3));
        }
    }

    private static Finding durability(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row =
                        statement.executeQuery("select current_setting('fsync'), current_setting('synchronous_commit'),"
                                + " current_setting('full_page_writes')")) {
            row.next();
            String settings = "fsync " + row.getString(1) + ", synchronous_commit " + row.getString(2)
                    + ", full_page_writes " + row.getString(3);
            boolean safe = row.getString(1).equals("on")
                    && !row.getString(2).equals("off")
                    && row.getString(3).equals("on");
            return safe
                    ? Finding.ok("durability", settings)
                    : Finding.warning("durability", settings + ": a crash of the server can lose stored rows");
        }
    }

    /** Compares the clocks of this machine and of the database's: partitions and retention follow the latter. */
    private Finding clocks(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("select extract(epoch from clock_timestamp()) * 1000")) {
            row.next();
            Duration difference = Duration.between(Instant.ofEpochMilli(row.getLong(1)), clock.instant())
                    .abs();
            String text = "this machine and the database differ by " + difference.toMillis() + " ms";
            return difference.compareTo(CLOCK_TOLERANCE) > 0
                    ? Finding.warning("clocks", text + ": synchronize them (NTP)")
                    : Finding.ok("clocks", text);
        }
    }
}
