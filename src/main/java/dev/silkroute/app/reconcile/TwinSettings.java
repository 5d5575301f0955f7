package dev.silkroute.app.reconcile;

import dev.silkroute.app.config.SecretFile;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.UsageError;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The address of the twin station.
 *
 * @param url without a path
 * @param tokenFile the file with the token of the twin's REST API
 */
public record TwinSettings(URI url, Optional<Path> tokenFile, Duration timeout) {
    private static final String URL = "silkroute.twin.http-url";
    private static final String TOKEN_FILE = "silkroute.twin.token-file";
    private static final Set<String> SCHEMES = Set.of("http", "https");

    /**
     * Returns the settings; empty if no twin is configured.
     *
     * @throws UsageError if a setting is not valid
     * @throws dev.silkroute.app.config.OperatorError if the file with the token cannot be used
     */
    public static Optional<TwinSettings> of(StationConfig config) {
        var twin = config.twin();
        if (twin.httpUrl().isEmpty()) {
            return Optional.empty();
        }
        var settings = new TwinSettings(
                uri(twin.httpUrl().get()), twin.tokenFile(), config.reconcile().timeout());
        settings.token(); // fails early
        return Optional.of(settings);
    }

    /**
     * Returns the token in the file, which may have been replaced.
     *
     * @throws dev.silkroute.app.config.OperatorError if the file cannot be used
     */
    Optional<String> token() {
        return tokenFile.map(file -> SecretFile.read(TOKEN_FILE, file));
    }

    private static URI uri(String value) {
        try {
            URI uri = new URI(value.replaceFirst("/+$", ""));
            if (uri.getScheme() != null
                    && SCHEMES.contains(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Reported below.
        }
        throw new UsageError(URL + " must be a URL of the form http://host:port or https://host, not '" + value + "'");
    }
}
