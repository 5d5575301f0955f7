package dev.silkroute.app.rpki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.HostPort;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.fixture.TestConfig;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RtrSettingsTest {
    private static final String CACHES = "silkroute.rpki.rtr.caches";

    @Test
    void cachesAreInTheOrderOfPreference() {
        RtrSettings settings = RtrSettings.of(
                        TestConfig.of(CACHES, "rtr.example.net:3323, [2001:db8::1]:8282,192.0.2.1 ,[2001:db8::2]")
                                .rpki())
                .orElseThrow();
        assertThat(settings.caches())
                .containsExactly(
                        new HostPort("rtr.example.net", 3323),
                        new HostPort("[2001:db8::1]", 8282),
                        new HostPort("192.0.2.1", 323),
                        new HostPort("[2001:db8::2]", 323));
    }

    @Test
    void withoutCachesThereAreNoSettings() {
        assertThat(RtrSettings.of(TestConfig.of().rpki())).isEmpty();
        assertThat(RtrSettings.of(
                        TestConfig.of("silkroute.rpki.vrps", "vrps.json").rpki()))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1:0|silkroute.rpki.rtr.caches: '192.0.2.1:0' has no port between 1 and 65535",
                "192.0.2.1:65536|silkroute.rpki.rtr.caches: '192.0.2.1:65536' has no port between 1 and 65535",
                "192.0.2.1:rtr|silkroute.rpki.rtr.caches: '192.0.2.1:rtr' has no port between 1 and 65535",
                "2001:db8::1|silkroute.rpki.rtr.caches: '2001:db8::1' is not HOST:PORT, an IPv6 address in brackets",
                ":323|silkroute.rpki.rtr.caches: ':323' is not HOST:PORT, an IPv6 address in brackets",
                "a b|silkroute.rpki.rtr.caches: 'a b' is not HOST:PORT, an IPv6 address in brackets",
                "192.0.2.1,192.0.2.1:323|silkroute.rpki.rtr.caches contains 192.0.2.1:323 twice",
            })
    void invalidCachesAreRejected(String caches, String message) {
        assertThatThrownBy(() -> RtrSettings.of(TestConfig.of(CACHES, caches).rpki()))
                .isInstanceOf(UsageError.class)
                .hasMessage(message);
    }

    @Test
    void aFileAndCachesExcludeEachOther() {
        assertThatThrownBy(() ->
                        OriginValidation.check(TestConfig.of(CACHES, "192.0.2.1", "silkroute.rpki.vrps", "vrps.json")))
                .isInstanceOf(UsageError.class)
                .hasMessage(
                        "silkroute.rpki.vrps and silkroute.rpki.rtr.caches exclude each other: VRPs come either from a"
                                + " file or from caches");
    }

    @Test
    void cachesAreLimited() {
        String nine = IntStream.rangeClosed(1, 9).mapToObj(i -> "192.0.2." + i).collect(Collectors.joining(","));
        assertThatThrownBy(() -> RtrSettings.of(TestConfig.of(CACHES, nine).rpki()))
                .hasMessage("silkroute.rpki.rtr.caches has 9 caches; at most 8 are possible");
    }
}
