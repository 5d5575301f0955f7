package dev.silkroute.collector.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.TestAuthority;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names of routers in their certificates. */
class CertificateNameTest {
    @TempDir
    Path folder;

    @Test
    void theConfiguredPartIsTheName() throws Exception {
        TestAuthority authority = TestAuthority.make(folder, "authority");
        X509Certificate full = authority
                .sign(
                        "edge-1",
                        "-ext",
                        "SAN=ip:192.0.2.1,dns:Edge-1.example.net,dns:other.example.net,uri:spiffe://example.net/edge-1")
                .certificate();
        assertThat(CertificateName.SAN_DNS.of(full)).isEqualTo("edge-1.example.net");
        assertThat(CertificateName.SAN_URI.of(full)).isEqualTo("spiffe://example.net/edge-1");
        assertThat(CertificateName.CN.of(full)).isEqualTo("edge-1");
        assertThat(CertificateName.NONE.of(full)).isNull();

        X509Certificate bare = authority.sign("edge-2").certificate();
        assertThat(CertificateName.SAN_DNS.of(bare)).isNull();
        assertThat(CertificateName.SAN_URI.of(bare)).isNull();

        X509Certificate wildcard =
                authority.sign("edge-3", "-ext", "SAN=dns:*.example.net").certificate();
        assertThat(CertificateName.SAN_DNS.of(wildcard)).as("a name of many").isNull();
    }
}
