package dev.silkroute.app.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files for TLS connections of routers, {@code silkroute.bmp-tls.…}. Quarkus's TLS registry reads them under
 * the name {@link #NAME} and reloads them when they change.
 *
 * @param certificate the station's certificate chain
 * @param clientCa the authorities that must have signed the certificates of routers; null if routers need none
 */
public record BmpTls(Path certificate, Path key, @Nullable Path clientCa) {
    public static final String NAME = "bmp";

    private static final String CERTIFICATE = "silkroute.bmp-tls.certificate";
    private static final String KEY = "silkroute.bmp-tls.key";
    private static final String CLIENT_CA = "silkroute.bmp-tls.client-ca";
    private static final String ALSO_PLAIN = "silkroute.bmp-tls.plain-too";
    private static final String RELOAD_PERIOD = "1m";

    /**
     * Reads the settings.
     *
     * @return null if TLS is not configured
     * @throws OperatorError if the settings are incomplete or a file cannot be read
     */
    public static @Nullable BmpTls of(StationConfig.BmpTls config) {
        Path certificate = file(config.certificate());
        Path key = file(config.key());
        Path clientCa = file(config.clientCa());
        if (certificate != null && key != null) {
            requirePem(CERTIFICATE, certificate, "CERTIFICATE", "certificate");
            requirePem(KEY, key, "PRIVATE KEY", "private key");
            if (clientCa != null) {
                requirePem(CLIENT_CA, clientCa, "CERTIFICATE", "certificate");
            }
            return new BmpTls(certificate, key, clientCa);
        }
        String incomplete = certificate != null
                ? CERTIFICATE
                : key != null ? KEY : clientCa != null ? CLIENT_CA : config.plainToo() ? ALSO_PLAIN : null;
        if (incomplete != null) {
            throw new OperatorError(incomplete + " requires " + CERTIFICATE + " and " + KEY);
        }
        return null;
    }

    private static @Nullable Path file(Optional<Path> path) {
        return path.map(Path::toAbsolutePath).orElse(null);
    }

    /** Checks that a file contains a PEM block of a type. Its content is validated when it is loaded. */
    private static void requirePem(String property, Path file, String label, String what) {
        try {
            if (!Files.readString(file, ISO_8859_1).contains(label + "-----")) {
                throw new OperatorError(property + ": " + file + " contains no " + what + " in PEM format");
            }
        } catch (IOException e) {
            throw new OperatorError(property + ": " + file + " cannot be read: " + OperatorError.reason(e), e);
        }
    }

    /** Returns the same as settings of Quarkus. */
    public Map<String, String> properties() {
        String prefix = "quarkus.tls." + NAME + ".";
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(prefix + "key-store.pem.0.cert", certificate.toString());
        properties.put(prefix + "key-store.pem.0.key", key.toString());
        if (clientCa != null) {
            properties.put(prefix + "trust-store.pem.certs", clientCa.toString());
        }
        properties.put(prefix + "reload-period", RELOAD_PERIOD);
        return properties;
    }
}
