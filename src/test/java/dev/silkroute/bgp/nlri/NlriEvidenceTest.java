package dev.silkroute.bgp.nlri;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What makes sense as an NLRI field, beyond what the RFCs ask of one. */
class NlriEvidenceTest {

    @ParameterizedTest
    @CsvSource({
        "1, 1, false, 18c6336418c63365, true",
        "1, 1, false, 18c6336417c63365, false",
        "1, 1, false, 0900ff, false",
        "1, 1, true, 0000000117c63364, true",
        "1, 1, true, 0000000117c63365, false",
        "2, 1, false, 2120010db801, false",
        "1, 4, false, 2fc000010a0001, false",
        "1, 128, false, 6f0001010000fbf4000000010a0002, true",
        "1, 128, false, 6f0001010000fbf4000000010a0001, false",
        "1, 1, false, 18ff, false",
    })
    void bitsBehindAPrefixMakeNoSense(int afi, int safi, boolean addPath, String hex, boolean sense) {
        assertThat(plausible(afi, safi, addPath, hex)).isEqualTo(sense);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, false, 00, true",
        "1, 1, false, 0000, false",
        "1, 1, true, 00000001000000000200, true",
        "1, 132, false, 00, true",
        "1, 132, false, 0000, false",
        "25, 70, false, 0000, false",
        "16388, 71, false, 00000000, false",
    })
    void pathIdentifiersReadAsRoutesMakeNoSense(int afi, int safi, boolean addPath, String hex, boolean sense) {
        assertThat(plausible(afi, safi, addPath, hex.replace(" ", ""))).isEqualTo(sense);
    }

    private static boolean plausible(int afi, int safi, boolean addPath, String hex) {
        byte[] b = Bytes.ofHex(hex).toArray();
        return NlriEvidence.plausible(Family.of(afi, safi), b, 0, b.length, addPath, false);
    }
}
