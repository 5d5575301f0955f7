package dev.silkroute.app.station;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.SecretFile;
import dev.silkroute.app.config.UsageError;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jboss.logging.Logger;
import org.postgresql.util.PSQLException;

/** The PostgreSQL database that a station uses, embedded or external: connections, the schema, and error messages. */
public final class Database {
    private static final Logger LOGGER = Logger.getLogger(Database.class);
    private static final String CONNECT_SECONDS = "10";
    public static final String PASSWORD_FILE = "silkroute.jdbc-password-file";
    private static final String PREFIX = "jdbc:postgresql:";

    private Database() {}

    /** Returns the operator's URL with the password of {@code silkroute.jdbc-password-file}, if that is set. */
    public static String withPassword(String url, Optional<Path> file) {
        if (file.isEmpty()) {
            return url;
        }
        var password = SecretFile.read(PASSWORD_FILE, file.get());
        return url + (url.contains("?") ? "&" : "?") + "password="
                + URLEncoder.encode(password, StandardCharsets.UTF_8);
    }

    /**
     * Opens a connection for a command or a check.
     *
     * @throws UsageError if the URL is invalid
     * @throws OperatorError if the database is unreachable
     */
    public static Connection connect(String url) {
        if (!url.startsWith(PREFIX)) {
            throw new UsageError("'" + hidePassword(url)
                    + "' is not a JDBC URL of PostgreSQL: --jdbc-url jdbc:postgresql://HOST:PORT/DATABASE?user=USER");
        }
        var properties = new Properties();
        properties.setProperty("ApplicationName", "silkroute");
        properties.setProperty("connectTimeout", CONNECT_SECONDS);
        properties.setProperty("loginTimeout", CONNECT_SECONDS);
        try {
            return DriverManager.getConnection(url, properties);
        } catch (SQLException e) {
            throw new OperatorError(
                    "cannot reach PostgreSQL at " + hidePassword(url) + ": " + hidePassword(reason(e)), e);
        }
    }

    /** @throws OperatorError if the database is unreachable */
    static void check(String url) {
        try (var connection = connect(url)) {
            connection.isValid(1);
        } catch (SQLException e) {
            throw new OperatorError(
                    "PostgreSQL at " + hidePassword(url) + " does not respond: "
                            + hidePassword(OperatorError.reason(e)),
                    e);
        }
    }

    /**
     * Creates the schema, or applies the migrations that it lacks. A schema of an incompatible or of a newer version is
     * unchanged: during an upgrade, processes of the older version may start, and must not replace functions of the
     * newer one by their own.
     *
     * @throws OperatorError if the schema is incompatible or cannot be changed
     */
    static void migrate(String url) {
        try {
            Flyway flyway = Flyway.configure(Database.class.getClassLoader())
                    .dataSource(url, null, null)
                    .schemas("bmp")
                    .locations("classpath:db/migration")
                    .placeholderReplacement(false) // they have none, and each start would search for some
                    // An unknown migration is an error too, which migrate finds before it changes anything
                    .ignoreMigrationPatterns(new String[0])
                    .load();
            try {
                flyway.migrate();
            } catch (FlywayValidateException e) {
                MigrationInfo newer = firstUnknown(flyway)
                        .orElseThrow(() -> new OperatorError(
                                "the schema bmp of the database at " + hidePassword(url)
                                        + " was created by an incompatible version of Silkroute: use another database, or"
                                        + " remove the schema and its data with DROP SCHEMA bmp CASCADE",
                                e));
                LOGGER.warnf(
                        "The schema bmp of the database at %s is of a newer version of Silkroute and is used as it is; the"
                                + " first migration that this version does not know is %s, %s",
                        hidePassword(url), newer.getVersion(), newer.getDescription());
            }
        } catch (FlywayException e) {
            throw new OperatorError(
                    "cannot migrate the database at " + hidePassword(url) + ": "
                            + hidePassword(OperatorError.reason(e)),
                    e);
        }
    }

    private static Optional<MigrationInfo> firstUnknown(Flyway flyway) {
        return Arrays.stream(flyway.info().applied())
                .filter(migration -> migration.getState() == MigrationState.FUTURE_SUCCESS)
                .findFirst();
    }

    /** Returns the server's message with its hint, without the source locations that the driver adds. */
    public static String reason(SQLException e) {
        var server = e instanceof PSQLException error ? error.getServerErrorMessage() : null;
        if (server == null) {
            return OperatorError.reason(e);
        }
        var position = server.getPosition() > 0 ? " (at character " + server.getPosition() + ")" : "";
        var hint = server.getHint() == null ? "" : "; " + server.getHint();
        return server.getMessage() + position + hint;
    }

    /** Hides passwords in a URL, or in a driver's message that contains one. */
    public static String hidePassword(String url) {
        return url.replaceAll("(?i)([?&](ssl)?password=)[^&]*", "$1…").replaceAll("//([^/@:]*):[^/@]*@", "//$1:…@");
    }
}
