package dev.silkroute.app.embedded;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** A properties file in the data directory. */
record PropertiesFile(Path path) {
    /** Returns the properties, none if there is no file. */
    Properties read() {
        var properties = new Properties();
        if (Files.exists(path)) {
            try (Reader reader = Files.newBufferedReader(path)) {
                properties.load(reader);
            } catch (IOException | IllegalArgumentException e) {
                throw new OperatorError("cannot read " + path + ": " + OperatorError.reason(e), e);
            }
        }
        return properties;
    }

    void write(Properties properties) {
        try {
            var text = new StringWriter();
            properties.store(text, null);
            OwnerOnly.write(path, text.toString());
        } catch (IOException e) {
            throw new OperatorError("cannot write " + path + ": " + OperatorError.reason(e), e);
        }
    }

    void delete() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new OperatorError("cannot delete " + path + ": " + OperatorError.reason(e), e);
        }
    }
}
