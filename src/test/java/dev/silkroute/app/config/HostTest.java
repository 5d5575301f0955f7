package dev.silkroute.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HostTest {
    @Test
    void ipv6AddressesHaveBracketsOnlyInUris() {
        for (String given : new String[] {"::1", "[::1]"}) {
            assertThat(Host.bare(given)).isEqualTo("::1");
            assertThat(Host.inUri(given)).isEqualTo("[::1]");
        }
        assertThat(Host.inUri("::")).isEqualTo("[::]");
        for (String given : new String[] {"127.0.0.1", "station.example", "0.0.0.0", ""}) {
            assertThat(Host.bare(given)).isEqualTo(given);
            assertThat(Host.inUri(given)).isEqualTo(given);
        }
    }
}
