package dev.silkroute.bgp.open;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.net.Family;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionCapabilitiesTest {
    private static final String FOUR_OCTETS = "41040000fde9";

    /** Modes: 1 receive, 2 send, 3 both. */
    @ParameterizedTest
    @CsvSource({
        "1, 2, true, false",
        "2, 1, false, true",
        "3, 3, true, true",
        "1, 1, false, false",
        "2, 2, false, false",
        "3, 1, false, true",
        "3, 0, false, false",
        "3, 9, false, false",
    })
    void addPathIsAskedByDirection(int sent, int received, boolean adjRibIn, boolean adjRibOut) {
        // Given
        Open ours = OpenTest.open(FOUR_OCTETS + addPath(sent));
        Open theirs = OpenTest.open(FOUR_OCTETS + addPath(received));

        // When
        SessionCapabilities capabilities = SessionCapabilities.of(ours, theirs, false);

        // Then
        assertThat(capabilities.addPath(false).contains(Family.IPV4_UNICAST)).isEqualTo(adjRibIn);
        assertThat(capabilities.addPath(true).contains(Family.IPV4_UNICAST)).isEqualTo(adjRibOut);
        assertThat(capabilities.addPath(true).contains(Family.IPV6_UNICAST)).isFalse();
    }

    @Test
    void openOfALocRibDescribesItsMessages() {
        // Given
        Open open = OpenTest.open(addPath(1));

        // When
        SessionCapabilities capabilities = SessionCapabilities.of(open, OpenTest.open(""), true);

        // Then
        assertThat(capabilities.addPath(false)).isEqualTo(AddPathFamilies.of(Family.IPV4_UNICAST));
        assertThat(capabilities.addPath(true)).isEqualTo(capabilities.addPath(false));
        assertThat(capabilities.fourOctetAs()).isTrue();
    }

    @Test
    void bothSidesMustSupportFourOctetsUnlessTheFlagShowsThatTheRouterSendsThem() {
        // Given
        SessionCapabilities capabilities =
                SessionCapabilities.of(OpenTest.open(FOUR_OCTETS), OpenTest.open("0200"), false);

        // Then
        assertThat(capabilities.fourOctetAs()).isFalse();
        assertThat(capabilities.fourOctetAs(true)).isFalse();
        assertThat(capabilities.fourOctetAs(false)).isTrue();
    }

    @Test
    void theRestIsWhatBothHave() throws Exception {
        // Given: extended next hop for 1/1 and 1/128, extended message, two labels for 1/4
        Open ours = OpenTest.open("050c" + "000100010002" + "000100800002" + "0600" + "080400010402");
        Open theirs = OpenTest.open("0506" + "000100010002" + "0600" + "080400010403");

        // When
        SessionCapabilities capabilities = SessionCapabilities.of(ours, theirs, false);

        // Then
        assertThat(capabilities.extendedNextHop()).containsExactly(Family.IPV4_UNICAST);
        assertThat(capabilities.extendedMessage()).isTrue();
        assertThat(capabilities.multipleLabels()).containsExactly(Family.IPV4_LABELED_UNICAST);
        assertThat(new ObjectMapper()
                        .readTree(capabilities.toJson())
                        .get("extended_message")
                        .asBoolean())
                .isTrue();
    }

    private static String addPath(int mode) {
        return mode == 0 ? "" : String.format("4504000101%02x", mode);
    }
}
