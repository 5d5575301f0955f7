package dev.silkroute.app.ask;

import dev.silkroute.app.station.StationFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which running station a command asks: the one of a data directory. */
public final class StationLocation {
    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            defaultValue = "data",
            description = "Data directory of the running station (./${DEFAULT-VALUE})")
    Path dataDirectory = Path.of("data");

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec command;

    /** The database, where {@code --jdbc-url} has this value. */
    public String jdbcUrl(@Nullable String value) {
        return choose("--jdbc-url", value, StationFile.JDBC_URL);
    }

    /** The REST API, where {@code --url} has this value. */
    public String httpUrl(@Nullable String value) {
        return choose("--url", value, StationFile.HTTP_URL);
    }

    /** Kafka, where {@code --kafka-bootstrap} has this value. */
    public String kafkaBootstrap(@Nullable String value) {
        return choose("--kafka-bootstrap", value, StationFile.KAFKA_BOOTSTRAP);
    }

    /** The option goes before the data directory, unless only the latter is on the command line and the former a variable. */
    private String choose(String option, @Nullable String value, String key) {
        var given = command.commandLine().getParseResult();
        boolean named = given.hasMatchedOption("--data-dir") && !given.hasMatchedOption(option);
        return value == null || named ? StationFile.read(dataDirectory).getProperty(key, "") : value;
    }
}
