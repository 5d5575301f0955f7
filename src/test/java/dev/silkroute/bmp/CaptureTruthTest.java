package dev.silkroute.bmp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.DecodeOutcome.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streams of real routers' software, compared with tshark and a second decoder. */
class CaptureTruthTest {

    /**
     * Of the departures: GoBGP's Loc-RIB carries path identifiers in families for which its OPENs announce none, FRR
     * sends none where it agreed on them.
     */
    @ParameterizedTest
    @CsvSource({
        "gobgp-all, 5498, PATH_IDENTIFIERS_UNANNOUNCED, 277",
        "gobgp-mirror, 836,,",
        "frr-all, 6074, PATH_IDENTIFIERS_MISSING, 280",
        "frr-noap, 4928,,",
        "frr-labeled, 507,,",
        "frr-malformed, 1051,,",
        "bird-noap, 5413,,",
    })
    void everyMessageAgreesWithTheTruth(String name, int compared, Kind departure, Integer departures) {
        // Given
        Capture capture = Capture.of(name);

        // When
        TruthCheck.Result result = TruthCheck.check(capture);

        // Then
        assertThat(result.compared()).isEqualTo(compared);
        assertThat(result.quarantined()).isZero();
        assertThat(result.outcomes()).doesNotContainKeys(Kind.TREAT_AS_WITHDRAW, Kind.AS_SIZE_MISMATCH);
        for (Kind kind : new Kind[] {Kind.PATH_IDENTIFIERS_MISSING, Kind.PATH_IDENTIFIERS_UNANNOUNCED}) {
            assertThat(result.outcomes().getOrDefault(kind, 0))
                    .as(kind.text())
                    .isEqualTo(kind == departure ? departures : 0);
        }
    }
}
