package dev.silkroute.app.http;

import dev.silkroute.app.config.HttpConfig;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.PemKeyPair;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * TLS on the HTTP port, {@code silkroute.http.tls.…}. Quarkus serves it, and loads changed files.
 *
 * @param own absolute paths
 */
public record HttpTls(PemKeyPair own, Duration reloadInterval) {
    /** The setting with the file of the certificate. */
    public static final String CERTIFICATE = "silkroute.http.tls.certificate";

    private static final String KEY = "silkroute.http.tls.key";

    /**
     * Reads the settings and checks the files.
     *
     * @return null if TLS is not configured
     * @throws OperatorError if the settings are incomplete, or a file is missing or invalid
     */
    public static @Nullable HttpTls of(HttpConfig.Http.Tls config) {
        var certificate = config.certificate().map(Path::toAbsolutePath).orElse(null);
        var key = config.key().map(Path::toAbsolutePath).orElse(null);
        if (certificate == null && key == null) {
            return null;
        }
        if (certificate == null || key == null) {
            throw new OperatorError(
                    (key == null ? CERTIFICATE : KEY) + " requires " + (key == null ? KEY : CERTIFICATE));
        }
        var own = new PemKeyPair(certificate, key);
        try {
            own.keyManagers(PemKeyPair.requireCertificate(CERTIFICATE, certificate), PemKeyPair.requireKey(KEY, key));
        } catch (OperatorError e) {
            throw e;
        } catch (Exception e) { // declared by Vert.x
            throw new OperatorError("silkroute.http.tls: " + OperatorError.reason(e), e);
        }
        return new HttpTls(own, config.reloadInterval());
    }

    /** Returns the scheme of the URL of the HTTP port. */
    public static String scheme(HttpConfig.Http config) {
        return config.tls().certificate().isPresent() ? "https" : "http";
    }

    /** Returns Quarkus's settings for a port that uses TLS only. */
    public Map<String, String> properties(int port) {
        return Map.of(
                "quarkus.tls.http.key-store.pem.0.cert", own.certificate().toString(),
                "quarkus.tls.http.key-store.pem.0.key", own.key().toString(),
                "quarkus.tls.http.reload-period", reloadInterval.toString(),
                "quarkus.http.tls-configuration-name", "http",
                "quarkus.http.insecure-requests", "disabled",
                "quarkus.http.ssl-port", Integer.toString(port));
    }
}
