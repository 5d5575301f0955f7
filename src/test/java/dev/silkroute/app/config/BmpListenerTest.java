package dev.silkroute.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.fixture.KeyFiles;
import dev.silkroute.fixture.TestConfig;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The listeners beside that of the BMP port. */
class BmpListenerTest {
    @TempDir
    Path folder;

    @Test
    void byDefaultThereIsNone() {
        assertThat(BmpListener.of(TestConfig.of())).isEmpty();
    }

    @Test
    void eachHasATransportAndAnAddress() throws Exception {
        KeyFiles own = KeyFiles.make(folder, "station");
        assertThat(BmpListener.of(TestConfig.of(
                        "silkroute.bmp-listeners",
                        "tcp://10.0.0.1:11020, tls://[2001:db8::1]:11020",
                        "silkroute.bmp-tls.certificate",
                        own.certificate(),
                        "silkroute.bmp-tls.key",
                        own.keyAsPem())))
                .containsExactly(
                        new BmpListener(false, new HostPort("10.0.0.1", 11_020)),
                        new BmpListener(true, new HostPort("[2001:db8::1]", 11_020)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "10.0.0.1:11020|'10.0.0.1:11020' is not of the form tcp://ADDRESS:PORT or tls://ADDRESS:PORT",
                "udp://10.0.0.1:1|'udp://10.0.0.1:1' is not of the form tcp://ADDRESS:PORT or tls://ADDRESS:PORT",
                "tcp://10.0.0.1|'10.0.0.1' is not HOST:PORT, an IPv6 address in brackets",
                "tcp://10.0.0.1:0|'10.0.0.1:0' has no port between 1 and 65535",
                "tls://10.0.0.1:1|tls://10.0.0.1:1 requires silkroute.bmp-tls.certificate and silkroute.bmp-tls.key",
                "tcp://10.0.0.1:11019|another BMP listener has the address of tcp://10.0.0.1:11019",
                "tcp://10.0.0.1:1,tcp://10.0.0.1:1|another BMP listener has the address of tcp://10.0.0.1:1",
                "tcp://10.0.0.1:1,tcp://0.0.0.0:1|another BMP listener has the address of tcp://0.0.0.0:1"
            })
    void anInvalidListenerIsAnErrorThatNamesIt(String listeners, String error) {
        assertThatThrownBy(() -> BmpListener.of(TestConfig.of("silkroute.bmp-listeners", listeners)))
                .isInstanceOf(OperatorError.class)
                .hasMessage("silkroute.bmp-listeners: " + error);
    }

    @Test
    void twoAddressesMayHaveTheSamePort() {
        assertThat(BmpListener.of(TestConfig.of(
                        "silkroute.bmp-host",
                        "10.0.0.1",
                        "silkroute.bmp-listeners",
                        "tcp://10.0.0.2:11019,tcp://10.0.0.3:11019")))
                .hasSize(2);
    }
}
