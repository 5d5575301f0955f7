package dev.silkroute.postgres.pipeline;

import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Converts a JDBC URL into options of the Vert.x driver, so that the database is configured once for the whole station.
 */
final class ConnectOptions {
    /** How long the server keeps the locks of a client that disappeared in the middle of a pipeline. */
    private static final String IDLE_IN_TRANSACTION = "60s";

    private ConnectOptions() {}

    /** @throws IllegalArgumentException if the argument is not a JDBC URL of PostgreSQL */
    static PgConnectOptions of(String url, PipelineLimits limits) {
        Properties properties = Driver.parseURL(url, new Properties());
        if (properties == null) {
            throw new IllegalArgumentException("not a JDBC URL of PostgreSQL");
        }
        PgConnectOptions options = new PgConnectOptions()
                .setHost(first(get(properties, PGProperty.PG_HOST, "localhost")))
                .setPort(Integer.parseInt(first(get(properties, PGProperty.PG_PORT, "5432"))))
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
        String root = PGProperty.SSL_ROOT_CERT.getOrDefault(properties);
        if (root != null) {
            options.setPemTrustOptions(new PemTrustOptions().addCertPath(root));
        } else if (options.getSslMode() == SslMode.PREFER || options.getSslMode() == SslMode.REQUIRE) {
            options.setTrustAll(true); // as in libpq, these two modes encrypt without verifying the certificate
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

    /** The first of several servers: a pipeline uses one. */
    private static String first(@Nullable String list) {
        return list == null ? "" : list.split(",", 2)[0];
    }
}
