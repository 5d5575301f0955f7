package dev.silkroute.app.collector;

import dev.silkroute.app.config.BmpTls;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.PemKeyPair;
import dev.silkroute.collector.gate.RouterTrust;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CRL;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The files of {@link BmpTls} and what they contain. While a file is missing or invalid, the content of the files
 * before is kept. For one thread.
 */
final class RouterTlsFiles {
    private static final Logger LOGGER = Logger.getLogger(RouterTlsFiles.class);
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    /**
     * The content of the files.
     *
     * @param trust null if routers need no certificate
     */
    record Content(SslContext context, @Nullable RouterTrust trust) {}

    private final BmpTls files;
    private List<byte[]> loaded = List.of();
    private @Nullable String failure;

    RouterTlsFiles(BmpTls files) {
        this.files = files;
    }

    /**
     * Reads the files.
     *
     * @throws OperatorError if one is missing or invalid
     */
    Content load() {
        try {
            List<byte[]> bytes = read();
            Content content = content(bytes);
            loaded = bytes;
            return content;
        } catch (Exception e) { // declared by Vert.x
            throw new OperatorError("silkroute.bmp-tls: " + OperatorError.reason(e), e);
        }
    }

    /**
     * Reads the files again. A failure is logged once for each reason.
     *
     * @return their content, empty if they have not changed or are missing or invalid
     */
    Optional<Content> reload() {
        try {
            List<byte[]> bytes = read();
            if (isLoaded(bytes)) {
                failure = null;
                return Optional.empty();
            }
            Content content = content(bytes);
            loaded = bytes;
            failure = null;
            LOGGER.infof("Loaded the changed files of silkroute.bmp-tls");
            return Optional.of(content);
        } catch (Exception e) { // declared by Vert.x
            String reason = OperatorError.reason(e);
            if (!reason.equals(failure)) {
                LOGGER.warnf("Keeping the previous files of silkroute.bmp-tls: %s", reason);
            }
            failure = reason;
            return Optional.empty();
        }
    }

    private boolean isLoaded(List<byte[]> bytes) {
        for (int i = 0; i < bytes.size(); i++) {
            if (!Arrays.equals(bytes.get(i), loaded.get(i))) {
                return false;
            }
        }
        return true;
    }

    private List<byte[]> read() throws IOException {
        List<byte[]> bytes = new ArrayList<>();
        bytes.add(Files.readAllBytes(files.own().certificate()));
        bytes.add(Files.readAllBytes(files.own().key()));
        Path clientCa = files.clientCa();
        bytes.add(clientCa == null ? new byte[0] : Files.readAllBytes(clientCa));
        for (Path list : files.revocationLists()) {
            bytes.add(Files.readAllBytes(list));
        }
        return bytes;
    }

    private Content content(List<byte[]> bytes) throws Exception {
        Path clientCa = files.clientCa();
        RouterTrust trust = clientCa == null ? null : trust(clientCa, bytes.get(2), bytes.subList(3, bytes.size()));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                files.own().keyManagers(bytes.get(0), bytes.get(1)),
                trust == null ? null : new TrustManager[] {trust},
                null);
        return new Content(
                new JdkSslContext(
                        context,
                        false,
                        null,
                        IdentityCipherSuiteFilter.INSTANCE,
                        null,
                        trust == null ? ClientAuth.NONE : ClientAuth.REQUIRE,
                        PROTOCOLS,
                        false),
                trust);
    }

    private RouterTrust trust(Path clientCa, byte[] authorities, List<byte[]> lists) throws GeneralSecurityException {
        List<X509CRL> revoked = new ArrayList<>();
        for (int i = 0; i < lists.size(); i++) {
            revoked.addAll(revocationLists(files.revocationLists().get(i), lists.get(i)));
        }
        return RouterTrust.of(PemKeyPair.certificates(clientCa, authorities), revoked);
    }

    private static List<X509CRL> revocationLists(Path file, byte[] bytes) throws GeneralSecurityException {
        List<X509CRL> lists = new ArrayList<>();
        try {
            for (CRL list : CertificateFactory.getInstance("X.509").generateCRLs(new ByteArrayInputStream(bytes))) {
                lists.add((X509CRL) list);
            }
        } catch (GeneralSecurityException e) {
            throw new GeneralSecurityException(
                    file + " is not a certificate revocation list: " + OperatorError.reason(e), e);
        }
        if (lists.isEmpty()) {
            throw new GeneralSecurityException(file + " contains no certificate revocation list");
        }
        for (X509CRL list : lists) {
            if (list.getNextUpdate() != null && list.getNextUpdate().toInstant().isBefore(Instant.now())) {
                LOGGER.warnf(
                        "The certificate revocation list of %s in %s has expired at %s: certificates of this issuer are"
                                + " rejected until it is renewed",
                        list.getIssuerX500Principal().getName(),
                        file,
                        list.getNextUpdate().toInstant());
            }
        }
        return lists;
    }
}
