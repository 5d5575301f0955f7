package dev.silkroute.app.http;

import dev.silkroute.app.config.Host;
import dev.silkroute.app.config.HttpConfig;
import dev.silkroute.app.config.UsageError;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The OpenID Connect provider whose access tokens the HTTP port accepts in addition to the station's own token. */
public final class OidcSettings {
    static final String ISSUER = "silkroute.http.oidc.issuer";

    private static final String AUDIENCE = "silkroute.http.oidc.audience";
    private static final String CLAIMS = "silkroute.http.oidc.required-claims";
    private static final String QUARKUS = "quarkus.oidc.";

    private OidcSettings() {}

    /**
     * Returns Quarkus's settings for the provider, none if no issuer is configured.
     *
     * @throws UsageError if tokens would be accepted that anybody could have sent or that are for other services
     */
    public static Map<String, String> properties(HttpConfig.Http config) {
        var oidc = config.oidc();
        var settings = new LinkedHashMap<String, String>();
        if (oidc.issuer().isEmpty()) {
            if (oidc.audience().isPresent() || oidc.requiredClaims().isPresent()) {
                throw new UsageError(AUDIENCE + " and " + CLAIMS + " require " + ISSUER);
            }
            return settings;
        }
        if (config.authentication().filter("none"::equals).isPresent()) {
            throw new UsageError(ISSUER + " has no effect if silkroute.http.authentication is none");
        }
        settings.put(QUARKUS + "tenant-enabled", "true");
        settings.put(QUARKUS + "auth-server-url", issuer(oidc.issuer().get()));
        // Without it, a token for any other service of the provider would be accepted.
        settings.put(
                QUARKUS + "token.audience",
                oidc.audience()
                        .filter(audience -> !audience.isBlank())
                        .orElseThrow(() -> new UsageError(ISSUER + " requires " + AUDIENCE)));
        claims(oidc.requiredClaims())
                .forEach((claim, values) -> settings.put(QUARKUS + "token.required-claims.\"" + claim + '"', values));
        return settings;
    }

    /** The keys of the provider come from this address. */
    private static String issuer(String value) {
        try {
            var uri = URI.create(value.strip());
            String host = uri.getHost();
            boolean isLocal = host != null && Host.isLoopback(host);
            if (host != null && ("https".equals(uri.getScheme()) || (isLocal && "http".equals(uri.getScheme())))) {
                return uri.toString();
            }
        } catch (IllegalArgumentException e) {
            throw new UsageError("'" + value + "' is not a URL: " + ISSUER, e);
        }
        throw new UsageError("'" + value + "' is not an https:// URL: " + ISSUER);
    }

    /** Returns the values of each claim, separated by commas. */
    private static Map<String, String> claims(Optional<String> setting) {
        var claims = new LinkedHashMap<String, String>();
        for (var entry : setting.orElse("").split(",")) {
            int equals = entry.indexOf('=');
            if (equals > 0
                    && !entry.contains("\"")
                    && !entry.substring(equals + 1).isBlank()) {
                claims.merge(
                        entry.substring(0, equals).strip(),
                        entry.substring(equals + 1).strip(),
                        (first, second) -> first + ',' + second);
            } else if (!entry.isBlank()) {
                throw new UsageError("'" + entry + "' is not CLAIM=VALUE: " + CLAIMS);
            }
        }
        return claims;
    }
}
