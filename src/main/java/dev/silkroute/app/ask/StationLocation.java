package dev.silkroute.app.ask;

import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.config.SecretFile;
import dev.silkroute.app.http.HttpTls;
import dev.silkroute.app.http.HttpToken;
import dev.silkroute.app.station.Database;
import dev.silkroute.app.station.StationFile;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Locates the servers of a running station by its data directory, unless an option gives their address. */
public final class StationLocation {
    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            defaultValue = "data",
            description = "Data directory of the running station (./${DEFAULT-VALUE})")
    Path dataDirectory = Path.of("data");

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    /** Returns the JDBC URL of the database, given the value of {@code --jdbc-url}. */
    public String jdbcUrl(@Nullable String option) {
        var given = option == null ? null : Database.withPassword(option, file(Database.PASSWORD_FILE));
        return choose("--jdbc-url", given, StationFile.JDBC_URL);
    }

    /**
     * Returns whether the database is the embedded one of a station on this machine, given the value of {@code
     * --jdbc-url}.
     */
    public boolean isEmbeddedDatabase(@Nullable String option) {
        return Boolean.parseBoolean(choose("--jdbc-url", option == null ? null : "", StationFile.POSTGRES_EMBEDDED));
    }

    /** Returns the URL of the REST API, given the value of {@code --url}. */
    public String httpUrl(@Nullable String option) {
        return choose("--url", option, StationFile.HTTP_URL);
    }

    /** Returns the file with the HTTP port's certificate, given the value of {@code --url}; null if there is none. */
    public @Nullable Path httpCertificate(@Nullable String option) {
        var file = configured(HttpTls.CERTIFICATE, option, StationFile.HTTP_CERTIFICATE);
        return file.isEmpty() ? null : Path.of(file);
    }

    /** Returns the token for the REST API, given the value of {@code --url}; null if there is none. */
    public @Nullable String httpToken(@Nullable String option) {
        var file = configured(HttpToken.FILE, option, StationFile.HTTP_TOKEN_FILE);
        return file.isEmpty() ? null : SecretFile.read(HttpToken.FILE, Path.of(file));
    }

    /** Returns the file that a setting names, else that of the running station; empty if there is none. */
    private String configured(String setting, @Nullable String url, String key) {
        var file = Configuration.ofProcess().find(setting);
        return file != null ? file : choose("--url", url == null ? null : "", key);
    }

    private static Optional<Path> file(String key) {
        return Optional.ofNullable(Configuration.ofProcess().find(key)).map(Path::of);
    }

    /** Returns the bootstrap servers of Kafka, given the value of {@code --kafka-bootstrap}. */
    public String kafkaBootstrap(@Nullable String option) {
        return choose("--kafka-bootstrap", option, StationFile.KAFKA_BOOTSTRAP);
    }

    /**
     * Chooses between the address that an option gives and the data directory. The option wins, unless it was set by an
     * environment variable while {@code --data-dir} is on the command line.
     */
    private String choose(String option, @Nullable String value, String key) {
        var parsed = command.commandLine().getParseResult();
        boolean directoryWins = parsed.hasMatchedOption("--data-dir") && !parsed.hasMatchedOption(option);
        return value == null || directoryWins ? StationFile.read(dataDirectory).getProperty(key, "") : value;
    }
}
