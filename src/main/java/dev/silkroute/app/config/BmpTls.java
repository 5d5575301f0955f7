package dev.silkroute.app.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files for TLS connections of routers, {@code silkroute.bmp-tls.…}.
 *
 * @param own the station's certificate and key
 * @param clientCa the authorities that must have signed the certificates of routers; null if routers need none
 * @param revocationLists lists of these authorities; routers' certificates are not checked for revocation if empty
 */
public record BmpTls(PemKeyPair own, @Nullable Path clientCa, List<Path> revocationLists) {
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
    public static @Nullable BmpTls of(CollectorConfig.BmpTls config) {
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
            PemKeyPair.requireCertificate(CERTIFICATE, certificate);
            PemKeyPair.requireKey(KEY, key);
            if (clientCa != null) {
                PemKeyPair.requireCertificate(CLIENT_CA, clientCa);
            }
            lists.forEach(list -> PemKeyPair.read(REVOCATION_LISTS, list));
            return new BmpTls(new PemKeyPair(certificate, key), clientCa, lists);
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
}
