package dev.silkroute.app.cli;

import dev.silkroute.app.station.StationFile;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which running station a command asks: the one of a data directory. */
final class StationLocation {
    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            defaultValue = "data",
            description = "Data directory of the running station (./${DEFAULT-VALUE})")
    Path dataDirectory = Path.of("data");

    String jdbcUrl() {
        return value(StationFile.JDBC_URL);
    }

    String httpUrl() {
        return value(StationFile.HTTP_URL);
    }

    String kafkaBootstrap() {
        return value(StationFile.KAFKA_BOOTSTRAP);
    }

    private String value(String key) {
        return StationFile.read(dataDirectory).getProperty(key, "");
    }
}
