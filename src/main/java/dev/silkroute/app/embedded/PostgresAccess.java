package dev.silkroute.app.embedded;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PasswordUtil;

/**
 * The credentials with which the owner of a data directory connects to its PostgreSQL: a password, which the station
 * itself uses, and a client certificate, which makes a URL without a password sufficient for other programs of the same
 * user. Both are created once, in files that only the owner can read.
 *
 * <pre>
 * client/pgpass          the password, in the format of libpq's PGPASSFILE
 * client/postgres.crt    a self-signed certificate of the role, with which the server identifies itself as well
 * client/postgres.key    its private key
 * </pre>
 */
final class PostgresAccess {
    private static final long KEYTOOL_SECONDS = 60;
    private static final String ALIAS = "silkroute";

    /** A hundred years: the pair is bound to the data directory and is replaced by deleting it. */
    private static final String VALIDITY_DAYS = "36500";

    private static final int SALT_BYTES = 16;

    /**
     * Iterations make guesses expensive, and each connection and the key store, too. No number of guesses finds a
     * generated password.
     */
    private static final int ITERATIONS = 1;

    private final Path directory;

    PostgresAccess(Path directory) {
        this.directory = directory;
    }

    private Path passwordFile() {
        return directory.resolve("pgpass");
    }

    Path certificate() {
        return directory.resolve("postgres.crt");
    }

    Path key() {
        return directory.resolve("postgres.key");
    }

    /** Returns the password, null if none has been stored. */
    @Nullable
    String password() throws IOException {
        if (!Files.exists(passwordFile())) {
            return null;
        }
        var fields = Files.readString(passwordFile()).strip().split(":", -1);
        return fields.length == 5 ? fields[4] : null;
    }

    /** Stores a password that the server has accepted. */
    void store(String password) throws IOException {
        OwnerOnly.createDirectories(directory);
        var role = EmbeddedPostgres.DATABASE;
        OwnerOnly.write(passwordFile(), "%s:*:%s:%s:%s%n".formatted(Ports.LOOPBACK, role, role, password));
    }

    /**
     * Returns the SCRAM verifier of a generated password. The server stores it as it is, so that no statement contains
     * the password itself.
     */
    static String verifier(String password) {
        var salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        return PasswordUtil.encodeScramSha256(password.toCharArray(), ITERATIONS, salt);
    }

    /** Returns the parameters of a URL that authenticates by the certificate, as pgjdbc and libpq both accept them. */
    String parameters() {
        return "&sslmode=verify-ca&sslrootcert=" + encoded(certificate()) + "&sslcert=" + encoded(certificate())
                + "&sslkey=" + encoded(key());
    }

    private static String encoded(Path path) {
        return URLEncoder.encode(path.toString(), StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }

    /** Creates key and certificate unless both exist. They are made by the JDK's keytool. */
    void createCertificate() throws IOException {
        if (Files.exists(certificate()) && Files.exists(key())) {
            return;
        }
        OwnerOnly.createDirectories(directory);
        var keyStore = directory.resolve("keystore.tmp");
        Files.deleteIfExists(keyStore);
        var password = OwnerOnly.newSecret();
        try {
            runKeytool(keyStore, password);
            var store = KeyStore.getInstance(keyStore.toFile(), password.toCharArray());
            var privateKey = store.getKey(ALIAS, password.toCharArray());
            OwnerOnly.write(key(), pem("PRIVATE KEY", privateKey.getEncoded()));
            OwnerOnly.write(
                    certificate(),
                    pem("CERTIFICATE", store.getCertificate(ALIAS).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new OperatorError("cannot create a certificate for PostgreSQL: " + OperatorError.reason(e), e);
        } finally {
            Files.deleteIfExists(keyStore);
        }
    }

    private static void runKeytool(Path keyStore, String password) throws IOException {
        var keytool = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-Dkeystore.pkcs12.keyPbeIterationCount=" + ITERATIONS,
                "-J-Dkeystore.pkcs12.certPbeIterationCount=" + ITERATIONS,
                "-J-Dkeystore.pkcs12.macIterationCount=" + ITERATIONS,
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-dname",
                "CN=" + EmbeddedPostgres.DATABASE,
                "-ext",
                "san=ip:" + Ports.LOOPBACK,
                "-ext",
                "bc:critical=ca:true",
                "-validity",
                VALIDITY_DAYS,
                "-storetype",
                "PKCS12",
                "-keystore",
                keyStore.toString(),
                "-storepass:env",
                "SILKROUTE_STORE_PASSWORD");
        keytool.environment().put("SILKROUTE_STORE_PASSWORD", password);
        var process = keytool.redirectErrorStream(true).start();
        process.getOutputStream().close();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new OperatorError(
                        "cannot create a certificate for PostgreSQL: keytool failed: " + output.strip());
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new OperatorError("cannot create a certificate for PostgreSQL: interrupted", e);
        }
    }

    private static String pem(String label, byte[] der) {
        var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
    }
}
