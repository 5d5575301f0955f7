package dev.silkroute.app.station;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.embedded.DataDirectory;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Properties;

/** {@code station.properties} in the data directory: where the running station answers. It may hold a password: 0600. */
public final class StationFile {
    public static final String PID = "pid";
    public static final String HTTP_URL = "http.url";
    public static final String JDBC_URL = "jdbc.url";
    public static final String KAFKA_BOOTSTRAP = "kafka.bootstrap";
    public static final String BMP_PORT = "bmp.port";
    private static final String NAME = "station.properties";

    private StationFile() {}

    static void write(Path directory, Map<String, String> values) {
        var properties = new Properties();
        properties.putAll(values);
        var file = directory.resolve(NAME);
        try {
            var text = new StringWriter();
            properties.store(text, null);
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, text.toString());
        } catch (IOException e) {
            throw new OperatorError("cannot write " + file + ": " + OperatorError.reason(e), e);
        }
    }

    static void delete(Path directory) {
        try {
            Files.deleteIfExists(directory.resolve(NAME));
        } catch (IOException e) {
            throw new OperatorError("cannot remove " + NAME + ": " + OperatorError.reason(e), e);
        }
    }

    /** What the station running on a data directory says of itself; an error of use where none runs. */
    public static Properties read(Path directory) {
        var file = directory.resolve(NAME);
        if (!Files.exists(file) || !DataDirectory.isHeld(directory)) {
            throw new OperatorError("no station runs on the data directory "
                    + directory.toAbsolutePath().normalize()
                    + ": start one with ./silkroute run, or name its --data-dir");
        }
        var properties = new Properties();
        try (var reader = Files.newBufferedReader(file)) {
            properties.load(reader);
            return properties;
        } catch (IOException e) {
            throw new OperatorError("cannot read " + file + ": " + OperatorError.reason(e), e);
        }
    }
}
