package dev.silkroute.app.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files for TLS connections of routers, {@code silkroute.bmp-tls.…}.
 *
 * @param certificate the station's certificate chain
 * @param clientCa the authorities that must have signed the certificates of routers; null if routers need none
 * @param revocationLists lists of these authorities; routers' certificates are not checked for revocation if empty
 */
public record BmpTls(Path certificate, Path key, @Nullable Path clientCa, List<Path> revocationLists) {
    private static final String CERTIFICATE = "silkroute.bmp-tls.certificate";
    private static final String KEY = "silkroute.bmp-tls.key";
    private static final String CLIENT_CA = "silkroute.bmp-tls.client-ca";
    private static final String REVOCATION_LISTS = "silkroute.bmp-tls.revocation-lists";
    private static final String ALSO_PLAIN = "silkroute.bmp-tls.plain-too";

    public BmpTls {
        revocationLists = List.copyOf(revocationLists);
    }

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
        List<Path> lists = Stream.of(config.revocationLists().orElse("").split(",", -1))
                .map(String::strip)
                .filter(list -> !list.isEmpty())
                .map(list -> Path.of(list).toAbsolutePath())
                .toList();
        if (!lists.isEmpty() && clientCa == null) {
            throw new OperatorError(REVOCATION_LISTS + " requires " + CLIENT_CA);
        }
        if (certificate != null && key != null) {
            requirePem(CERTIFICATE, certificate, "CERTIFICATE", "certificate");
            requirePem(KEY, key, "PRIVATE KEY", "private key");
            if (clientCa != null) {
                requirePem(CLIENT_CA, clientCa, "CERTIFICATE", "certificate");
            }
            lists.forEach(list -> read(REVOCATION_LISTS, list));
            return new BmpTls(certificate, key, clientCa, lists);
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
        if (!new String(read(property, file), ISO_8859_1).contains(label + "-----")) {
            throw new OperatorError(property + ": " + file + " contains no " + what + " in PEM format");
        }
    }

    private static byte[] read(String property, Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new OperatorError(property + ": " + file + " cannot be read: " + OperatorError.reason(e), e);
        }
    }
}
