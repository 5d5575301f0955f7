package dev.silkroute.app.alert;

import dev.silkroute.app.config.OutputConfig;
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
 * The settings of the endpoint that receives alerts.
 *
 * @param keptOpen how long Alertmanager keeps an alert open that is not sent again
 * @param stationUrl without a slash at its end
 */
public record WebhookSettings(
        URI url,
        WebhookFormat format,
        Optional<Path> tokenFile,
        Duration timeout,
        int retries,
        Duration retryDelay,
        Duration maxAge,
        Duration keptOpen,
        Optional<String> stationUrl) {
    private static final String PREFIX = "silkroute.alerts.webhook.";
    private static final String TOKEN_FILE = PREFIX + "token-file";
    private static final Set<String> SCHEMES = Set.of("http", "https");

    /**
     * Returns the settings; empty if there is no URL.
     *
     * @throws UsageError if a setting is not valid, or if alerts are off
     * @throws dev.silkroute.app.config.OperatorError if the file with the token cannot be used
     */
    public static Optional<WebhookSettings> of(StationConfig config) {
        OutputConfig.Alerts.Webhook webhook = config.alerts().webhook();
        if (webhook.url().isEmpty()) {
            return Optional.empty();
        }
        if (!config.routes().alerts().enabled()) {
            throw new UsageError(PREFIX + "url requires silkroute.routes.alerts.enabled");
        }
        WebhookSettings settings = new WebhookSettings(
                uri("url", webhook.url().get()),
                format(webhook.format()),
                webhook.tokenFile(),
                webhook.timeout(),
                webhook.retries(),
                webhook.retryDelay(),
                webhook.maxAge(),
                config.alerts().notificationInterval().multipliedBy(2),
                webhook.stationUrl()
                        .map(url -> uri("station-url", url).toString().replaceFirst("/+$", "")));
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

    /** Returns the endpoint without its path, which is a secret for some services. */
    String host() {
        return url.getScheme() + "://" + url.getRawAuthority();
    }

    private static WebhookFormat format(String name) {
        try {
            return WebhookFormat.of(name);
        } catch (IllegalArgumentException e) {
            throw new UsageError(PREFIX + "format: " + e.getMessage(), e);
        }
    }

    /** The errors do not contain the value, which may be a secret. */
    private static URI uri(String key, String value) {
        try {
            URI uri = new URI(value);
            if (uri.getScheme() != null
                    && SCHEMES.contains(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawFragment() == null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Reported below.
        }
        throw new UsageError(PREFIX + key + " must be a URL of the form http://host:port/path or https://host/path");
    }
}
