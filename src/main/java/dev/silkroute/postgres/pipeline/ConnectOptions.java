package dev.silkroute.postgres.pipeline;

import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Converts a JDBC URL into options of the Vert.x driver, so that the database is configured once for the whole station.
 *
 * @param hosts the options for each host of the URL, in its order; at least one
 * @param role which of the hosts are accepted
 */
record ConnectOptions(List<PgConnectOptions> hosts, ServerRole role) {
    /** The time for which the server keeps the locks of a client that disappeared in the middle of a pipeline. */
    private static final String IDLE_IN_TRANSACTION = "60s";

    /** The default of libpq and pgjdbc for the modes that verify the server's certificate. */
    private static final String DEFAULT_ROOT = Path.of(System.getProperty("user.home", ""), ".postgresql", "root.crt")
            .toString();

    ConnectOptions {
        hosts = List.copyOf(hosts);
    }

    /** @throws IllegalArgumentException if the argument is not a JDBC URL of PostgreSQL */
    static ConnectOptions of(String url, PipelineLimits limits) {
        Properties properties = Driver.parseURL(url, new Properties());
        if (properties == null) {
            throw new IllegalArgumentException("not a JDBC URL of PostgreSQL");
        }
        // The driver's parser gives as many ports as hosts.
        String[] names = get(properties, PGProperty.PG_HOST, "localhost").split(",");
        String[] ports = get(properties, PGProperty.PG_PORT, "5432").split(",");
        List<PgConnectOptions> hosts = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            hosts.add(host(properties, limits, names[i], Integer.parseInt(ports[Math.min(i, ports.length - 1)])));
        }
        return new ConnectOptions(hosts, ServerRole.of(PGProperty.TARGET_SERVER_TYPE.getOrDefault(properties)));
    }

    private static PgConnectOptions host(Properties properties, PipelineLimits limits, String name, int port) {
        PgConnectOptions options = new PgConnectOptions()
                .setHost(name)
                .setPort(port)
                .setDatabase(get(properties, PGProperty.PG_DBNAME, ""))
                .setUser(get(properties, PGProperty.USER, System.getProperty("user.name", "")))
                .setPassword(get(properties, PGProperty.PASSWORD, ""))
                .addProperty("application_name", get(properties, PGProperty.APPLICATION_NAME, "silkroute"))
                .addProperty("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION)
                .addProperty("TimeZone", "UTC")
                // The pipeline caches prepared statements itself and prepares all new ones in one round trip.
                .setCachePreparedStatements(false)
                .setPipeliningLimit(Integer.MAX_VALUE);
        options.setConnectTimeout((int) limits.connect().toMillis());
        options.setTcpKeepAlive(true);
        String schema = get(properties, PGProperty.CURRENT_SCHEMA, "");
        if (!schema.isEmpty()) {
            options.addProperty("search_path", schema);
        }
        return encrypted(options, properties);
    }

    private static PgConnectOptions encrypted(PgConnectOptions options, Properties properties) {
        String mode = PGProperty.SSL_MODE.getOrDefault(properties);
        if (mode == null) {
            boolean ssl = PGProperty.SSL.isPresent(properties)
                    && !"false".equalsIgnoreCase(PGProperty.SSL.getOrDefault(properties));
            mode = ssl ? "verify-full" : "prefer";
        }
        options.setSslMode(SslMode.of(mode));
        boolean verifies = options.getSslMode() == SslMode.VERIFY_CA || options.getSslMode() == SslMode.VERIFY_FULL;
        String root = PGProperty.SSL_ROOT_CERT.getOrDefault(properties);
        if (root != null || verifies) {
            options.setPemTrustOptions(new PemTrustOptions().addCertPath(root == null ? DEFAULT_ROOT : root));
        } else if (options.getSslMode() == SslMode.PREFER || options.getSslMode() == SslMode.REQUIRE) {
            options.setTrustAll(true); // as in libpq, these two modes encrypt without verifying the certificate
        }
        String certificate = PGProperty.SSL_CERT.getOrDefault(properties);
        String key = PGProperty.SSL_KEY.getOrDefault(properties);
        if (certificate != null && key != null) {
            options.setPemKeyCertOptions(
                    new PemKeyCertOptions().addCertPath(certificate).addKeyPath(key));
        }
        if (options.getSslMode() == SslMode.VERIFY_FULL) {
            options.setHostnameVerificationAlgorithm("HTTPS");
        }
        return options;
    }

    private static String get(Properties properties, PGProperty property, String otherwise) {
        String value = property.getOrDefault(properties);
        return value == null ? otherwise : value;
    }
}
