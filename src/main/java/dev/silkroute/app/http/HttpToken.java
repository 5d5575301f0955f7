package dev.silkroute.app.http;

import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.config.Host;
import dev.silkroute.app.config.HttpConfig;
import dev.silkroute.app.config.SecretFile;
import dev.silkroute.app.config.UsageError;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides whether requests must have a bearer token, and which file contains it. */
public final class HttpToken {
    /** The setting with the operator's file. */
    public static final String FILE = "silkroute.http.token-file";

    /** The property of the running station with the file that is in force; absent if no token is required. */
    public static final String REQUIRED = "station.http-token-file";

    private static final String AUTHENTICATION = "silkroute.http.authentication";
    private static final int MINIMUM_LENGTH = 16;

    private HttpToken() {}

    /**
     * Returns the file with the token, null if requests need none: on a loopback address unless a file or an OpenID
     * Connect provider is configured, elsewhere only if {@code silkroute.http.authentication} is {@code none}.
     *
     * @param host the address that the HTTP port listens on
     * @param generated creates a file with a new token, or returns the one created before
     * @throws dev.silkroute.app.config.OperatorError if the file cannot be used
     */
    public static @Nullable Path file(String host, HttpConfig.Http config, Supplier<Path> generated) {
        var file = config.tokenFile();
        boolean isRequired = file.isPresent() || config.oidc().issuer().isPresent() || !Host.isLoopback(host);
        var authentication = config.authentication().orElse(isRequired ? "token" : "none");
        return switch (authentication) {
            case "none" -> null;
            case "token" ->
                file.isEmpty() ? generated.get() : checked(file.get().toAbsolutePath());
            default ->
                throw new UsageError("'" + authentication + "' is not token or none: " + AUTHENTICATION + " ("
                        + Configuration.variable(AUTHENTICATION) + ")");
        };
    }

    private static Path checked(Path file) {
        if (SecretFile.read(FILE, file).length() < MINIMUM_LENGTH) {
            throw new UsageError(FILE + ": the token in " + file + " has fewer than " + MINIMUM_LENGTH + " characters");
        }
        return file;
    }
}
