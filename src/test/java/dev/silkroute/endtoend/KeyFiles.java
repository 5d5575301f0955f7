package dev.silkroute.endtoend;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A key with a certificate that it has signed itself, for 127.0.0.1, made anew.
 *
 * @param keys PKCS #12, with the key
 * @param trust PKCS #12, with the certificate alone
 * @param certificate the certificate as PEM
 */
public record KeyFiles(String name, Path keys, Path trust, Path certificate) {
    public static final String PASSWORD = "changeit";

    public static KeyFiles make(Path folder, String name) throws IOException, InterruptedException {
        Path keys = folder.resolve(name + "-keys.p12");
        Path certificate = folder.resolve(name + ".pem");
        Path trust = folder.resolve(name + "-trust.p12");
        keytool(
                keys,
                "-genkeypair",
                name,
                Stream.of("-keyalg", "EC", "-ext", "SAN=IP:127.0.0.1", "-validity", "2", "-dname", "CN=" + name));
        keytool(keys, "-exportcert", name, Stream.of("-rfc", "-file", certificate.toString()));
        keytool(trust, "-importcert", name, Stream.of("-noprompt", "-file", certificate.toString()));
        return new KeyFiles(name, keys, trust, certificate);
    }

    /** The key as PEM (PKCS #8), written beside. */
    public Path keyAsPem() throws IOException, GeneralSecurityException {
        byte[] key = load(keys).getKey(name, PASSWORD.toCharArray()).getEncoded();
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(Objects.requireNonNull(key));
        return Files.writeString(
                keys.resolveSibling(name + "-key.pem"),
                "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n");
    }

    /** TLS that shows this certificate and believes another's. */
    public SSLContext context(KeyFiles other) throws IOException, GeneralSecurityException {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(load(keys), PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusting(other).getTrustManagers(), null);
        return context;
    }

    /** TLS that believes this certificate and shows none. */
    public SSLContext believed() throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trusting(this).getTrustManagers(), null);
        return context;
    }

    private static TrustManagerFactory trusting(KeyFiles files) throws IOException, GeneralSecurityException {
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(load(files.trust));
        return trusted;
    }

    private static KeyStore load(Path store) throws IOException, GeneralSecurityException {
        KeyStore loaded = KeyStore.getInstance("PKCS12");
        try (InputStream bytes = Files.newInputStream(store)) {
            loaded.load(bytes, PASSWORD.toCharArray());
        }
        return loaded;
    }

    private static void keytool(Path store, String what, String alias, Stream<String> how)
            throws IOException, InterruptedException {
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> command = Stream.concat(
                        Stream.of(tool, what, "-keystore", store.toString(), "-storepass", PASSWORD, "-alias", alias),
                        how)
                .toList();
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (keytool.waitFor() != 0) {
            throw new IOException(said);
        }
    }
}
