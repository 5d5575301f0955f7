package dev.silkroute.app.collector;

import dev.silkroute.app.config.BmpTls;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.collector.gate.RouterTrust;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CRL;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509KeyManager;
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
    private final Vertx vertx;
    private List<byte[]> loaded = List.of();
    private @Nullable String failure;

    RouterTlsFiles(BmpTls files, Vertx vertx) {
        this.files = files;
        this.vertx = vertx;
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
        bytes.add(Files.readAllBytes(files.certificate()));
        bytes.add(Files.readAllBytes(files.key()));
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
        context.init(keys(bytes.get(0), bytes.get(1)), trust == null ? null : new TrustManager[] {trust}, null);
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

    private KeyManager[] keys(byte[] certificate, byte[] key) throws Exception {
        KeyManager[] managers = new PemKeyCertOptions()
                .addCertValue(Buffer.buffer(certificate))
                .addKeyValue(Buffer.buffer(key))
                .getKeyManagerFactory(vertx)
                .getKeyManagers();
        for (KeyManager manager : managers) {
            if (manager instanceof X509KeyManager keys) {
                requirePair(keys, certificates(files.certificate(), certificate).getFirst());
            }
        }
        return managers;
    }

    /** Checks that the key is that of the certificate: while both are being replaced, one may be newer. */
    private void requirePair(X509KeyManager keys, X509Certificate certificate) throws GeneralSecurityException {
        PublicKey key = certificate.getPublicKey();
        String algorithm = key.getAlgorithm();
        String[] aliases = keys.getServerAliases(algorithm, null);
        PrivateKey own = aliases == null ? null : keys.getPrivateKey(aliases[0]);
        boolean isPair = false;
        if (own != null && own.getAlgorithm().equals(algorithm)) {
            Signature signature = Signature.getInstance(
                    switch (algorithm) {
                        case "RSA" -> "SHA256withRSA";
                        case "EC" -> "SHA256withECDSA";
                        default -> algorithm;
                    });
            byte[] text = {1};
            signature.initSign(own);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(key);
            signature.update(text);
            isPair = signature.verify(signed);
        }
        if (!isPair) {
            throw new GeneralSecurityException(
                    files.key() + " is not the key of the certificate in " + files.certificate());
        }
    }

    private static List<X509Certificate> certificates(Path file, byte[] bytes) throws GeneralSecurityException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Certificate certificate :
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(bytes))) {
            certificates.add((X509Certificate) certificate);
        }
        if (certificates.isEmpty()) {
            throw new GeneralSecurityException(file + " contains no certificate");
        }
        return certificates;
    }

    private RouterTrust trust(Path clientCa, byte[] authorities, List<byte[]> lists) throws GeneralSecurityException {
        List<X509CRL> revoked = new ArrayList<>();
        for (int i = 0; i < lists.size(); i++) {
            revoked.addAll(revocationLists(files.revocationLists().get(i), lists.get(i)));
        }
        return RouterTrust.of(certificates(clientCa, authorities), revoked);
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
