package dev.silkroute.app.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.BmpTls;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.PemKeyPair;
import dev.silkroute.collector.gate.RouterTrust;
import dev.silkroute.fixture.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files for TLS that change while the station runs. */
class RouterTlsFilesTest {
    @TempDir
    static Path folder;

    private static TestAuthority authority;
    private static TestAuthority.Signed edge;
    private static List<Path> station;
    private static List<Path> renewed;

    private Path certificate;
    private Path key;
    private Path list;
    private RouterTlsFiles files;

    @BeforeAll
    static void keys() throws Exception {
        authority = TestAuthority.make(folder, "authority");
        edge = authority.sign("edge");
        station = authority.sign("station").pem(folder, "station-1");
        renewed = authority.sign("station-2").pem(folder, "station-2");
    }

    @BeforeEach
    void load() throws Exception {
        certificate = replace("certificate.pem", station.get(0));
        key = replace("key.pem", station.get(1));
        list = replace("list.crl", authority.revoke("none.crl"));
        files = new RouterTlsFiles(
                new BmpTls(new PemKeyPair(certificate, key), authority.certificate(), List.of(list)));
        check(files.load());
    }

    private static Path replace(String name, Path by) throws IOException {
        return Files.copy(by, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    private static void check(RouterTlsFiles.Content content) throws CertificateException {
        RouterTrust trust = content.trust();
        assertThat(trust).isNotNull();
        trust.check(new X509Certificate[] {edge.certificate()});
    }

    @Test
    void givenARenewedRevocationListThenItIsInForceWithoutRestart() throws Exception {
        assertThat(files.reload()).as("nothing has changed").isEmpty();
        replace("list.crl", authority.revoke("edge.crl", edge));
        Optional<RouterTlsFiles.Content> changed = files.reload();
        assertThat(changed).isPresent();
        assertThatThrownBy(() -> check(changed.get()))
                .isInstanceOf(CertificateException.class)
                .hasMessageStartingWith("certificate CN=edge, serial number " + edge.serialNumber() + ", was revoked");
        assertThat(files.reload()).as("nothing has changed since").isEmpty();
    }

    @Test
    void givenABrokenFileThenTheOneBeforeStaysUntilItIsRepaired() throws Exception {
        Files.writeString(list, "-----BEGIN X509 CRL-----\nbroken");
        assertThat(files.reload()).isEmpty();
        Files.delete(list);
        assertThat(files.reload()).isEmpty();
        replace("list.crl", authority.revoke("edge.crl", edge));
        assertThat(files.reload()).isPresent();
    }

    @Test
    void givenAKeyThatIsRenewedAfterItsCertificateThenBothAreLoadedTogether() throws Exception {
        replace("certificate.pem", renewed.get(0));
        assertThat(files.reload()).isEmpty();
        replace("key.pem", renewed.get(1));
        assertThat(files.reload()).isPresent();
    }

    @Test
    void givenFilesThatDoNotBelongTogetherThenTheStartFails() {
        BmpTls wrong = new BmpTls(new PemKeyPair(certificate, renewed.get(1)), null, List.of());
        assertThatThrownBy(() -> new RouterTlsFiles(wrong).load())
                .isInstanceOf(OperatorError.class)
                .hasMessageContaining("station-2-key.pem is not the key of the certificate in ");
        BmpTls noList = new BmpTls(new PemKeyPair(certificate, key), authority.certificate(), List.of(certificate));
        assertThatThrownBy(() -> new RouterTlsFiles(noList).load())
                .isInstanceOf(OperatorError.class)
                .hasMessageContaining("certificate.pem is not a certificate revocation list");
    }
}
