package dev.silkroute.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FamilyTest {

    @ParameterizedTest
    @CsvSource({
        "1, 1, ipv4-unicast",
        "1, 4, ipv4-labeled-unicast",
        "1, 128, vpnv4",
        "2, 128, vpnv6",
        "25, 70, evpn",
        "1, 133, ipv4-flowspec",
        "1, 134, vpnv4-flowspec",
        "16388, 71, bgp-ls",
        "1, 132, rt-constraint",
        "25, 65, vpls",
        "1, 73, ipv4-sr-policy",
        "7, 99, afi-7/safi-99",
        "65535, 255, afi-65535/safi-255",
    })
    void familyIsOneIntWithAName(int afi, int safi, String text) {
        // When
        int family = Family.of(afi, safi);

        // Then
        assertThat(Family.afi(family)).isEqualTo(afi);
        assertThat(Family.safi(family)).isEqualTo(safi);
        assertThat(Family.text(family)).isEqualTo(text);
    }
}
