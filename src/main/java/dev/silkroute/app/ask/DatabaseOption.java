package dev.silkroute.app.ask;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option with the database of a command that otherwise uses that of the running station. */
public final class DatabaseOption {
    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            description = "JDBC URL of the database, used instead of --data-dir")
    private @Nullable String jdbcUrl;

    /** Returns the JDBC URL, null if the option is not given. */
    public @Nullable String jdbcUrl() {
        return jdbcUrl;
    }
}
