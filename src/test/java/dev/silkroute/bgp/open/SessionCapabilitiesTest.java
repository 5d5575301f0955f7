package dev.silkroute.bgp.open;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.net.Family;
import java.util.Optional;
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

    /** The codes of BGP Role (RFC 9234, Section 4.1); a dash stands for an OPEN without the capability. */
    @ParameterizedTest
    @CsvSource({
        "03, 00, provider",
        "00, 03, customer",
        "02, 01, rs",
        "01, 02, rs-client",
        "04, 04, peer",
        "-, 00, provider",
        "03, -, provider",
        "00, -, customer",
        "02, -, rs",
        "01, -, rs-client",
        "04, -, peer",
        "-, -, -",
        "-, 05, -",
        "ff, -, -",
    })
    void theRoleOfTheNeighborIsWhatItHasSentOrElseTheCounterpart(String sent, String received, String role) {
        SessionCapabilities capabilities = SessionCapabilities.of(role(sent), role(received), false);

        assertThat(capabilities.neighborRole().map(NeighborRole::text).orElse("-"))
                .isEqualTo(role);
        assertThat(capabilities.toJson().contains("\"neighbor_role\":\"" + role + "\""))
                .isEqualTo(!role.equals("-"));
        assertThat(SessionCapabilities.of(role(sent), role(received), true).neighborRole())
                .as("OPENs of a Loc-RIB")
                .isEmpty();
        Optional<NeighborRole> configured = Optional.of(NeighborRole.PEER);
        assertThat(capabilities.orNeighborRole(configured).neighborRole())
                .isEqualTo(capabilities.neighborRole().or(() -> configured));
    }

    private static Open role(String code) {
        return OpenTest.open(code.equals("-") ? FOUR_OCTETS : FOUR_OCTETS + "0901" + code);
    }

    private static String addPath(int mode) {
        return mode == 0 ? "" : String.format("4504000101%02x", mode);
    }
}
