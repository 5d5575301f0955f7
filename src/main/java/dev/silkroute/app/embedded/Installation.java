package dev.silkroute.app.embedded;

import dev.silkroute.app.config.OperatorError;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directories of the installed program: {@code quarkus-app} with the station's jars, and beside it {@code
 * embedded} with the jars of the Kafka broker and the binaries of PostgreSQL.
 */
public record Installation(Path application, Path embedded) {

    /** Finds the installation by the jar of this class, {@code quarkus-app/app/silkroute-….jar}. */
    public static Installation find() {
        try {
            var source = Installation.class.getProtectionDomain().getCodeSource();
            var application =
                    Path.of(source.getLocation().toURI()).resolve("../..").normalize();
            return new Installation(application, application.resolveSibling("embedded"));
        } catch (URISyntaxException | RuntimeException e) {
            throw new OperatorError("cannot find the installation of Silkroute: " + OperatorError.reason(e), e);
        }
    }

    /**
     * Returns the directory of the broker's jars.
     *
     * @throws OperatorError if this installation does not include them
     */
    Path kafka() {
        return part("kafka", "Kafka broker", "--kafka-bootstrap");
    }

    /**
     * Returns the directory of PostgreSQL's binaries.
     *
     * @throws OperatorError if this installation does not include them
     */
    Path postgres() {
        return part("postgres", "PostgreSQL server", "--jdbc-url");
    }

    private Path part(String folder, String what, String option) {
        var path = embedded.resolve(folder);
        if (!Files.isDirectory(path)) {
            throw new OperatorError("this installation does not include a " + what + " (" + path + "): use " + option);
        }
        return path;
    }
}
