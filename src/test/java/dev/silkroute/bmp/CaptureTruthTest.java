package dev.silkroute.bmp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.Outcome.Kind;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streams of real routers' software, decoded as tshark and a second decoder say. */
class CaptureTruthTest {

    /**
     * GoBGP's Loc-RIB carries path identifiers in families for which its OPENs announce none; telling that from the bytes is not this
     * decoder's job, so these rows are counted and left out.
     */
    @ParameterizedTest
    @CsvSource({
        "gobgp-all, 5221, 277",
        "gobgp-mirror, 836, 0",
        "frr-noap, 4928, 0",
        "frr-labeled, 507, 0",
        "frr-malformed, 1051, 0",
        "bird-noap, 5413, 0",
    })
    void everyMessageSaysWhatTheTruthSays(String name, int compared, int skipped) {
        // Given
        Capture capture = Capture.of(name);

        // When
        TruthCheck.Result result = TruthCheck.check(capture);

        // Then
        assertThat(result.skipped())
                .as("rows with unannounced path identifiers")
                .isEqualTo(skipped);
        assertThat(result.compared()).isEqualTo(compared);
        assertThat(result.quarantined()).isZero();
        assertThat(result.outcomes()).doesNotContainKeys(Kind.TREAT_AS_WITHDRAW, Kind.AS_SIZE_MISMATCH);
    }
}
