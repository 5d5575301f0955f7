package dev.silkroute.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.HttpConfig;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.fixture.KeyFiles;
import dev.silkroute.fixture.TestConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings of TLS on the HTTP port. */
class HttpTlsTest {
    private static final String CERTIFICATE = "silkroute.http.tls.certificate";
    private static final String KEY = "silkroute.http.tls.key";

    @TempDir
    static Path folder;

    private static KeyFiles own;

    @BeforeAll
    static void keys() throws Exception {
        own = KeyFiles.make(folder, "own");
    }

    private static HttpConfig.Http http(Object... settings) {
        return TestConfig.of(settings).http();
    }

    private static void isRejected(String message, Object... settings) {
        assertThatThrownBy(() -> HttpTls.of(http(settings).tls()))
                .isInstanceOf(OperatorError.class)
                .hasMessageContaining(message);
    }

    @Test
    void withoutACertificateThePortIsPlain() {
        assertThat(HttpTls.of(http().tls())).isNull();
        assertThat(HttpTls.scheme(http())).isEqualTo("http");
    }

    @Test
    void withACertificateAndItsKeyThePortUsesTlsOnly() throws Exception {
        HttpConfig.Http config = http(CERTIFICATE, own.certificate(), KEY, own.keyAsPem());
        assertThat(HttpTls.scheme(config)).isEqualTo("https");
        HttpTls tls = HttpTls.of(config.tls());
        assertThat(tls).isNotNull();
        assertThat(tls.properties(8443))
                .containsEntry("quarkus.http.ssl-port", "8443")
                .containsEntry("quarkus.http.insecure-requests", "disabled")
                .containsEntry(
                        "quarkus.tls.http.key-store.pem.0.cert",
                        own.certificate().toString());
    }

    @Test
    void incompleteAndInvalidFilesFailTheStart() throws Exception {
        Path key = own.keyAsPem();
        Path foreign = KeyFiles.make(folder, "foreign").keyAsPem();
        Path nowhere = folder.resolve("nowhere.pem");
        Path broken = Files.writeString(
                folder.resolve("broken.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        isRejected(CERTIFICATE + " requires " + KEY, CERTIFICATE, own.certificate());
        isRejected(KEY + " requires " + CERTIFICATE, KEY, key);
        isRejected(nowhere + " cannot be read", CERTIFICATE, nowhere, KEY, key);
        isRejected(key + " contains no certificate in PEM format", CERTIFICATE, key, KEY, key);
        isRejected("silkroute.http.tls: ", CERTIFICATE, broken, KEY, key);
        isRejected(
                foreign + " is not the key of the certificate in " + own.certificate(),
                CERTIFICATE,
                own.certificate(),
                KEY,
                foreign);
    }
}
