package dev.silkroute.app.http;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.PemKeyPair;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts one certificate, whatever names are in it, and any other that the Java runtime trusts for the station's host.
 * A command on the station's machine connects to an address that is rarely among these names. Thread-safe.
 */
public final class StationTrust extends X509ExtendedTrustManager {
    private final X509Certificate own;
    private final X509ExtendedTrustManager others;

    private StationTrust(X509Certificate own, X509ExtendedTrustManager others) {
        this.own = own;
        this.others = others;
    }

    /**
     * Returns a TLS context for the connections to a station.
     *
     * @param certificate the PEM file of the station's certificate
     * @throws OperatorError if the file cannot be read or contains no certificate
     */
    public static SSLContext context(Path certificate) {
        try {
            var own = PemKeyPair.certificates(certificate, Files.readAllBytes(certificate))
                    .getFirst();
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new StationTrust(own, ofRuntime())}, null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new OperatorError(
                    HttpTls.CERTIFICATE + ": " + certificate + " cannot be read: " + OperatorError.reason(e), e);
        }
    }

    private static X509ExtendedTrustManager ofRuntime() throws GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        return Stream.of(factory.getTrustManagers())
                .filter(X509ExtendedTrustManager.class::isInstance)
                .map(X509ExtendedTrustManager.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private boolean isOwn(X509Certificate[] chain) {
        return chain.length > 0 && chain[0].equals(own);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        if (!isOwn(chain)) {
            others.checkServerTrusted(chain, type, engine);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        if (!isOwn(chain)) {
            others.checkServerTrusted(chain, type, socket);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        if (!isOwn(chain)) {
            others.checkServerTrusted(chain, type);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        others.checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        others.checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        others.checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return others.getAcceptedIssuers();
    }
}
