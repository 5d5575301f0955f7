package dev.silkroute.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.fixture.TestConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The routers to which the station connects. */
class BmpConnectTest {
    private static BmpConnect of(Object... keysAndValues) {
        return BmpConnect.of(TestConfig.of(keysAndValues).bmpConnect());
    }

    @Test
    void byDefaultThereAreNone() {
        assertThat(of())
                .isEqualTo(new BmpConnect(
                        List.of(), Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofMinutes(1)));
    }

    @Test
    void aRouterIsANameOrAddressWithAPort() {
        assertThat(of("silkroute.bmp-connect.addresses", "192.0.2.1:11019, [2001:db8::1]:5000,edge.example.net:11019")
                        .routers())
                .containsExactly(
                        new HostPort("192.0.2.1", 11_019),
                        new HostPort("[2001:db8::1]", 5000),
                        new HostPort("edge.example.net", 11_019));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "192.0.2.1|'192.0.2.1' is not HOST:PORT, an IPv6 address in brackets",
                "2001:db8::1:11019|'2001:db8::1:11019' is not HOST:PORT, an IPv6 address in brackets",
                "192.0.2.1:0|'192.0.2.1:0' has no port between 1 and 65535",
                "a:1,b:70000|'b:70000' has no port between 1 and 65535"
            })
    void anInvalidRouterIsAnErrorThatNamesIt(String routers, String error) {
        assertThatThrownBy(() -> of("silkroute.bmp-connect.addresses", routers))
                .isInstanceOf(OperatorError.class)
                .hasMessage("silkroute.bmp-connect.addresses: " + error);
    }

    @Test
    void aRouterMustNotBeListedTwice() {
        assertThatThrownBy(() -> of("silkroute.bmp-connect.addresses", "192.0.2.1:1,192.0.2.1:2,192.0.2.1:1"))
                .isInstanceOf(OperatorError.class)
                .hasMessage("silkroute.bmp-connect.addresses contains 192.0.2.1:1 twice");
    }

    @Test
    void theTimesAreBounded() {
        assertThatThrownBy(() -> of("silkroute.bmp-connect.timeout", "0s"))
                .isInstanceOf(OperatorError.class)
                .hasMessageContaining("silkroute.bmp-connect.timeout is PT0S: it must be positive and at most 1 day");
        assertThatThrownBy(() -> of("silkroute.bmp-connect.max-retry-delay", "2d"))
                .isInstanceOf(OperatorError.class)
                .hasMessageContaining("silkroute.bmp-connect.max-retry-delay is PT48H");
        assertThatThrownBy(() ->
                        of("silkroute.bmp-connect.retry-delay", "3s", "silkroute.bmp-connect.max-retry-delay", "2s"))
                .isInstanceOf(OperatorError.class)
                .hasMessage("silkroute.bmp-connect.retry-delay must not be longer than"
                        + " silkroute.bmp-connect.max-retry-delay");
    }
}
