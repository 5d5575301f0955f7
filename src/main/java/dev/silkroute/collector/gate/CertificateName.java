package dev.silkroute.collector.gate;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import org.jspecify.annotations.Nullable;

/** The part of a router's certificate that is the router's name: {@code silkroute.bmp-tls.router-name}. */
public enum CertificateName {
    /** The first subject alternative name of type dNSName, in lower case. */
    SAN_DNS("dNSName among its subject alternative names"),
    /** The first subject alternative name of type uniformResourceIdentifier, such as a SPIFFE ID. */
    SAN_URI("URI among its subject alternative names"),
    /** The common name of the subject. */
    CN("common name"),
    /** None: names are determined as without certificates. */
    NONE("name");

    // GeneralName, RFC 5280, Section 4.2.1.6
    private static final int DNS_NAME = 2;
    private static final int UNIFORM_RESOURCE_IDENTIFIER = 6;

    private final String text;

    CertificateName(String text) {
        this.text = text;
    }

    /** Returns what a certificate without the name lacks. */
    String text() {
        return text;
    }

    /** Returns the name; null if the certificate has none, or one that stands for many, as a wildcard does. */
    @Nullable
    String of(X509Certificate certificate) {
        String name = switch (this) {
            case SAN_DNS -> alternativeName(certificate, DNS_NAME);
            case SAN_URI -> alternativeName(certificate, UNIFORM_RESOURCE_IDENTIFIER);
            case CN -> commonName(certificate);
            case NONE -> null;
        };
        if (name == null || name.isBlank() || name.startsWith("*")) {
            return null;
        }
        return this == SAN_DNS ? name.toLowerCase(Locale.ROOT) : name;
    }

    private static @Nullable String alternativeName(X509Certificate certificate, int type) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            if (names != null) {
                for (List<?> name : names) {
                    if (name.getFirst().equals(type)) {
                        return String.valueOf(name.get(1));
                    }
                }
            }
            return null;
        } catch (CertificateParsingException e) {
            return null;
        }
    }

    private static @Nullable String commonName(X509Certificate certificate) {
        try {
            List<Rdn> names = new LdapName(certificate.getSubjectX500Principal().getName()).getRdns();
            for (Rdn name : names.reversed()) { // the most specific one first
                if (name.getType().equalsIgnoreCase("CN")) {
                    return String.valueOf(name.getValue());
                }
            }
            return null;
        } catch (InvalidNameException e) {
            return null;
        }
    }
}
