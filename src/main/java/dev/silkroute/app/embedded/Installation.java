package dev.silkroute.app.embedded;

import dev.silkroute.app.config.OperatorError;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the station's files lie: {@code quarkus-app} with its own jars, and beside it {@code embedded} with the broker's
 * jars and PostgreSQL's binaries.
 */
public record Installation(Path application, Path embedded) {

    /** Found from where this class was loaded: {@code quarkus-app/app/silkroute-….jar}. */
    public static Installation find() {
        try {
            var source = Installation.class.getProtectionDomain().getCodeSource();
            var application =
                    Path.of(source.getLocation().toURI()).resolve("../..").normalize();
            return new Installation(application, application.resolveSibling("embedded"));
        } catch (URISyntaxException | RuntimeException e) {
            throw new OperatorError("cannot tell where Silkroute is installed: " + OperatorError.reason(e), e);
        }
    }

    /** The broker's jars; an error of use where this installation comes without. */
    Path kafka() {
        return part("kafka", "Kafka broker", "--kafka-bootstrap");
    }

    /** PostgreSQL's binaries; an error of use where this installation comes without. */
    Path postgres() {
        return part("postgres", "PostgreSQL server", "--jdbc-url");
    }

    private Path part(String folder, String what, String option) {
        var path = embedded.resolve(folder);
        if (!Files.isDirectory(path)) {
            throw new OperatorError("this installation has no embedded " + what + " (" + path + "): give " + option);
        }
        return path;
    }
}
