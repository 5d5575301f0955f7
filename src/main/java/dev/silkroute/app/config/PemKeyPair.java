package dev.silkroute.app.config;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

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
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

/**
 * The PEM files of a server's certificate chain and its private key. Immutable.
 *
 * @param certificate the chain, the server's own certificate first
 */
public record PemKeyPair(Path certificate, Path key) {
    /**
     * Returns key managers for the content of both files.
     *
     * @throws GeneralSecurityException if the key is not that of the certificate, which may be so while both files are
     *     being replaced
     * @throws Exception if the content is invalid
     */
    public KeyManager[] keyManagers(byte[] chain, byte[] privateKey) throws Exception {
        // The parameter is for paths, and the options contain none.
        KeyManager[] managers = new PemKeyCertOptions()
                .addCertValue(Buffer.buffer(chain))
                .addKeyValue(Buffer.buffer(privateKey))
                .getKeyManagerFactory(null)
                .getKeyManagers();
        for (KeyManager manager : managers) {
            if (manager instanceof X509KeyManager keys) {
                requirePair(keys, certificates(certificate, chain).getFirst());
            }
        }
        return managers;
    }

    private void requirePair(X509KeyManager keys, X509Certificate own) throws GeneralSecurityException {
        PublicKey publicKey = own.getPublicKey();
        String algorithm = publicKey.getAlgorithm();
        String[] aliases = keys.getServerAliases(algorithm, null);
        PrivateKey privateKey = aliases == null ? null : keys.getPrivateKey(aliases[0]);
        boolean isPair = false;
        if (privateKey != null && privateKey.getAlgorithm().equals(algorithm)) {
            Signature signature = Signature.getInstance(
                    switch (algorithm) {
                        case "RSA" -> "SHA256withRSA";
                        case "EC" -> "SHA256withECDSA";
                        default -> algorithm;
                    });
            byte[] text = {1};
            signature.initSign(privateKey);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(text);
            isPair = signature.verify(signed);
        }
        if (!isPair) {
            throw new GeneralSecurityException(key + " is not the key of the certificate in " + certificate);
        }
    }

    /**
     * Returns all certificates of a file.
     *
     * @param file appears in the error
     * @throws GeneralSecurityException if there is none
     */
    public static List<X509Certificate> certificates(Path file, byte[] bytes) throws GeneralSecurityException {
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

    /**
     * Reads a PEM file with certificates. Their content is validated when they are loaded.
     *
     * @param property appears in the error
     * @throws OperatorError if the file cannot be read or contains no certificate
     */
    public static byte[] requireCertificate(String property, Path file) {
        return require(property, file, "CERTIFICATE", "certificate");
    }

    /** Reads a PEM file with a private key, as {@link #requireCertificate} does. */
    public static byte[] requireKey(String property, Path file) {
        return require(property, file, "PRIVATE KEY", "private key");
    }

    private static byte[] require(String property, Path file, String label, String what) {
        byte[] bytes = read(property, file);
        if (!new String(bytes, ISO_8859_1).contains(label + "-----")) {
            throw new OperatorError(property + ": " + file + " contains no " + what + " in PEM format");
        }
        return bytes;
    }

    /**
     * Reads a file.
     *
     * @param property appears in the error
     * @throws OperatorError if it cannot be read
     */
    static byte[] read(String property, Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new OperatorError(property + ": " + file + " cannot be read: " + OperatorError.reason(e), e);
        }
    }
}
