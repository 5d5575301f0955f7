package dev.silkroute.app.station;

import dev.silkroute.app.config.OperatorError;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.postgresql.util.PSQLException;

/** The PostgreSQL database that a station uses, embedded or given: found to answer, its schema brought up to date. */
public final class Database {
    private static final String CONNECT_SECONDS = "10";
    private static final String PREFIX = "jdbc:postgresql:";

    private Database() {}

    /** A connection for a command or a check; an {@link OperatorError} where there is none to be had. */
    public static Connection connect(String url) {
        if (!url.startsWith(PREFIX)) {
            throw new OperatorError("'" + hidePassword(url)
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

    static void check(String url) {
        try (var connection = connect(url)) {
            connection.isValid(1);
        } catch (SQLException e) {
            throw new OperatorError(
                    "PostgreSQL at " + hidePassword(url) + " does not answer: " + hidePassword(OperatorError.reason(e)),
                    e);
        }
    }

    /**
     * Creates the schema, or brings it up to date. A schema that an incompatible version created is left as it is.
     *
     * @throws OperatorError if the schema is incompatible or cannot be changed
     */
    static void migrate(String url) {
        try {
            Flyway.configure(Database.class.getClassLoader())
                    .dataSource(url, null, null)
                    .schemas("bmp")
                    .locations("classpath:db/migration")
                    .load()
                    .migrate();
        } catch (FlywayValidateException e) {
            throw new OperatorError(
                    "the schema bmp of the database at " + hidePassword(url)
                            + " was created by an incompatible version of Silkroute: use another database, or remove"
                            + " the schema and its data with DROP SCHEMA bmp CASCADE",
                    e);
        } catch (FlywayException e) {
            throw new OperatorError(
                    "cannot bring the database at " + hidePassword(url) + " up to date: "
                            + hidePassword(OperatorError.reason(e)),
                    e);
        }
    }

    /** What the server said, without the places in its source that pgjdbc adds. */
    public static String reason(SQLException e) {
        var server = e instanceof PSQLException answered ? answered.getServerErrorMessage() : null;
        if (server == null) {
            return OperatorError.reason(e);
        }
        var position = server.getPosition() > 0 ? " (at character " + server.getPosition() + ")" : "";
        var hint = server.getHint() == null ? "" : "; " + server.getHint();
        return server.getMessage() + position + hint;
    }

    /** The URL as it may be shown, also within a text: what drivers say has it too. */
    public static String hidePassword(String url) {
        return url.replaceAll("(?i)([?&](ssl)?password=)[^&]*", "$1…").replaceAll("//([^/@:]*):[^/@]*@", "//$1:…@");
    }
}
