package dev.silkroute.app.trace;

import dev.silkroute.app.config.OutputConfig;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.UsageError;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of traces.
 *
 * @param endpoint the URL for requests with spans
 * @param ratio the share of batches that are traced, above 0 and at most 1
 * @param timeout of a request
 */
public record TraceSettings(URI endpoint, double ratio, Duration timeout) {
    private static final String PREFIX = "silkroute.tracing.";
    private static final Set<String> SCHEMES = Set.of("http", "https");

    /**
     * Returns the settings; empty if there is no receiver, so that nothing is traced.
     *
     * @throws UsageError if a setting is not valid
     */
    public static Optional<TraceSettings> of(StationConfig config) {
        OutputConfig.Tracing tracing = config.tracing();
        if (tracing.otlpEndpoint().isEmpty()) {
            return Optional.empty();
        }
        double ratio = tracing.ratio();
        if (!(ratio > 0 && ratio <= 1)) {
            throw new UsageError(PREFIX + "ratio must be above 0 and at most 1");
        }
        return Optional.of(new TraceSettings(endpoint(tracing.otlpEndpoint().get()), ratio, tracing.timeout()));
    }

    /** Returns the URL for traces below the base URL of a receiver, as OpenTelemetry defines it. */
    private static URI endpoint(String base) {
        try {
            URI uri = new URI(base.replaceFirst("/+$", "") + "/v1/traces");
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
        throw new UsageError(PREFIX + "otlp-endpoint must be a URL of the form http://host:port or https://host:port");
    }
}
