package dev.silkroute.collector.gate;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateRevokedException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Checks routers' certificates against authorities and their revocation lists. The message of each rejection contains
 * the subject and serial number of the certificate and the reason. Nothing is fetched from the network. Thread-safe.
 */
public final class RouterTrust extends X509ExtendedTrustManager implements CertifiedConnections.Check {
    private static final String RSA = "RSA";

    private final X509ExtendedTrustManager checks;

    /** A rejection whose message needs no addition. */
    private static class RejectedException extends CertificateException {
        private static final long serialVersionUID = 1L;

        RejectedException(X509Certificate certificate, String reason) {
            super(RouterTrust.text(certificate) + " " + reason);
        }
    }

    /** A rejection for lack of a current revocation list: the certificate may be valid. */
    static final class UndeterminedException extends RejectedException {
        private static final long serialVersionUID = 1L;

        UndeterminedException(X509Certificate certificate, String reason) {
            super(certificate, reason);
        }
    }

    private RouterTrust(X509ExtendedTrustManager checks) {
        this.checks = checks;
    }

    /**
     * @param authorities trusted to sign routers' certificates
     * @param revocationLists if there are any, each authority of a chain needs one that has not expired
     */
    public static RouterTrust of(Collection<X509Certificate> authorities, Collection<X509CRL> revocationLists)
            throws GeneralSecurityException {
        Set<TrustAnchor> anchors = new HashSet<>();
        authorities.forEach(authority -> anchors.add(new TrustAnchor(authority, null)));
        PKIXBuilderParameters parameters = parameters(anchors);
        parameters.setRevocationEnabled(!revocationLists.isEmpty());
        if (!revocationLists.isEmpty()) {
            parameters.addCertStore(
                    CertStore.getInstance("Collection", new CollectionCertStoreParameters(revocationLists)));
            PKIXRevocationChecker lists = (PKIXRevocationChecker)
                    CertPathValidator.getInstance("PKIX").getRevocationChecker();
            lists.setOptions(
                    EnumSet.of(PKIXRevocationChecker.Option.PREFER_CRLS, PKIXRevocationChecker.Option.NO_FALLBACK));
            parameters.addCertPathChecker(lists);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(new CertPathTrustManagerParameters(parameters));
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager checks) {
                return new RouterTrust(checks);
            }
        }
        throw new GeneralSecurityException("no trust manager for X.509");
    }

    private static PKIXBuilderParameters parameters(Set<TrustAnchor> anchors)
            throws InvalidAlgorithmParameterException {
        return new PKIXBuilderParameters(anchors, null);
    }

    /** Returns a certificate's subject and serial number. */
    static String text(X509Certificate certificate) {
        // The text comes from the client: it must not contain line breaks
        String subject = certificate.getSubjectX500Principal().getName().replaceAll("\\p{Cntrl}", "?");
        return "certificate " + subject + ", serial number "
                + certificate.getSerialNumber().toString(16) + ",";
    }

    /** Returns the chain that the other side of a session has presented, empty if it has presented none. */
    static X509Certificate[] chain(SSLSession session) {
        try {
            Certificate[] presented = session.getPeerCertificates();
            return List.of(presented).toArray(X509Certificate[]::new);
        } catch (SSLPeerUnverifiedException e) {
            return new X509Certificate[0];
        }
    }

    /** Returns the rejection of a certificate that made a handshake fail, null if something else did. */
    static @Nullable CertificateException rejection(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException rejection) {
                return rejection;
            }
        }
        return null;
    }

    static void checkPeriod(X509Certificate certificate) throws CertificateException {
        try {
            certificate.checkValidity();
        } catch (CertificateExpiredException e) {
            throw new RejectedException(
                    certificate, "has expired at " + certificate.getNotAfter().toInstant());
        } catch (CertificateNotYetValidException e) {
            throw new RejectedException(
                    certificate,
                    "is not valid before " + certificate.getNotBefore().toInstant());
        }
    }

    /** Calls the JDK's check of a chain. */
    private interface Checking {
        void run() throws CertificateException;
    }

    private static void check(X509Certificate[] chain, Checking checking) throws CertificateException {
        checkPeriod(chain[0]);
        try {
            checking.run();
        } catch (CertificateException e) {
            throw explain(chain, e);
        }
    }

    private static CertificateException explain(X509Certificate[] chain, CertificateException rejection) {
        for (Throwable cause = rejection; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertPathValidatorException invalid) {
                X509Certificate certificate = chain[0];
                if (invalid.getIndex() > 0
                        && invalid.getCertPath() != null
                        && invalid.getCertPath().getCertificates().get(invalid.getIndex())
                                instanceof X509Certificate issuer) {
                    certificate = issuer;
                }
                if (invalid.getCause() instanceof CertificateRevokedException revoked) {
                    return new RejectedException(
                            certificate,
                            "was revoked at " + revoked.getRevocationDate().toInstant() + ": "
                                    + revoked.getRevocationReason()
                                            .name()
                                            .toLowerCase(Locale.ROOT)
                                            .replace('_', ' '));
                }
                if (invalid.getReason() == BasicReason.UNDETERMINED_REVOCATION_STATUS) {
                    return new UndeterminedException(
                            certificate,
                            "may have been revoked: silkroute.bmp-tls.revocation-lists has no current list of its issuer "
                                    + certificate.getIssuerX500Principal().getName());
                }
            }
        }
        return new RejectedException(
                chain[0],
                "is not signed by an authority of silkroute.bmp-tls.client-ca, its issuer is "
                        + chain[0].getIssuerX500Principal().getName() + ": " + rejection.getMessage());
    }

    @Override
    public void check(X509Certificate[] chain) throws CertificateException {
        check(chain, () -> checks.checkClientTrusted(chain, RSA)); // of the algorithm, PKIX checks nothing
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain, () -> checks.checkClientTrusted(chain, authType));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain, () -> checks.checkClientTrusted(chain, authType, socket));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, () -> checks.checkClientTrusted(chain, authType, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        checks.checkServerTrusted(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        checks.checkServerTrusted(chain, authType, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        checks.checkServerTrusted(chain, authType, engine);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return checks.getAcceptedIssuers();
    }
}
