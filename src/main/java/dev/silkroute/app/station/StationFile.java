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

/**
 * The file {@code station.properties} in the data directory, which contains the addresses of the running station. The
 * JDBC URL may include a password, so only the owner can read it.
 */
public final class StationFile {
    public static final String PID = "pid";
    public static final String HTTP_URL = "http.url";
    /** The file with the certificate of the HTTP port; absent if it does not use TLS. */
    public static final String HTTP_CERTIFICATE = "http.certificate";
    /** The file with the token that HTTP requires; absent if it requires none. */
    public static final String HTTP_TOKEN_FILE = "http.token-file";

    public static final String MANAGEMENT_URL = "management.url";
    public static final String JDBC_URL = "jdbc.url";
    public static final String POSTGRES_EMBEDDED = "postgres.embedded";
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
            throw new OperatorError("cannot delete " + NAME + ": " + OperatorError.reason(e), e);
        }
    }

    /**
     * Reads the file of the station that runs on a data directory.
     *
     * @throws OperatorError if no station runs on it
     */
    public static Properties read(Path directory) {
        var file = directory.resolve(NAME);
        if (!Files.exists(file) || !DataDirectory.isHeld(directory)) {
            throw new OperatorError("no station runs on the data directory "
                    + directory.toAbsolutePath().normalize()
                    + ": start one with ./silkroute run, or give its --data-dir");
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
