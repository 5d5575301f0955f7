package dev.silkroute.app.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files of routers' TLS connections, {@code silkroute.bmp-tls.…}. Quarkus's TLS registry reads them under the name {@link #NAME}, and again
 * when they are renewed.
 *
 * @param certificate the station's, with those between it and its authority
 * @param clientCa who must have signed routers' certificates; without, they need none
 */
public record BmpTls(Path certificate, Path key, @Nullable Path clientCa) {
    public static final String NAME = "bmp";

    private static final String CERTIFICATE = "silkroute.bmp-tls.certificate";
    private static final String KEY = "silkroute.bmp-tls.key";
    private static final String CLIENT_CA = "silkroute.bmp-tls.client-ca";
    private static final String PLAIN_TOO = "silkroute.bmp-tls.plain-too";
    private static final String RENEWALS_ARE_SEEN = "1m";

    /**
     * @return null if routers speak without
     * @throws OperatorError if the settings don't make sense together, or a file can't be read
     */
    public static @Nullable BmpTls of(Settings settings) {
        Path certificate = file(settings, CERTIFICATE);
        Path key = file(settings, KEY);
        Path clientCa = file(settings, CLIENT_CA);
        if (certificate != null && key != null) {
            holds(CERTIFICATE, certificate, "CERTIFICATE", "certificate");
            holds(KEY, key, "PRIVATE KEY", "private key");
            if (clientCa != null) {
                holds(CLIENT_CA, clientCa, "CERTIFICATE", "certificate");
            }
            return new BmpTls(certificate, key, clientCa);
        }
        for (String one : new String[] {CERTIFICATE, KEY, CLIENT_CA, PLAIN_TOO}) {
            if (settings.find(one) != null) {
                throw new OperatorError(one + " needs " + CERTIFICATE + " and " + KEY);
            }
        }
        return null;
    }

    private static @Nullable Path file(Settings settings, String property) {
        String text = settings.find(property);
        return text == null ? null : Path.of(text).toAbsolutePath();
    }

    /** PEM says what it is; the rest is for who reads it. */
    private static void holds(String property, Path file, String label, String what) {
        try {
            if (!Files.readString(file, ISO_8859_1).contains(label + "-----")) {
                throw new OperatorError(property + ": " + file + " has no " + what + " as PEM");
            }
        } catch (IOException e) {
            throw new OperatorError(property + ": " + file + " can't be read: " + OperatorError.reason(e), e);
        }
    }

    /** The same for Quarkus. */
    public Map<String, String> properties() {
        String prefix = "quarkus.tls." + NAME + ".";
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(prefix + "key-store.pem.0.cert", certificate.toString());
        properties.put(prefix + "key-store.pem.0.key", key.toString());
        if (clientCa != null) {
            properties.put(prefix + "trust-store.pem.certs", clientCa.toString());
        }
        properties.put(prefix + "reload-period", RENEWALS_ARE_SEEN);
        return properties;
    }
}
