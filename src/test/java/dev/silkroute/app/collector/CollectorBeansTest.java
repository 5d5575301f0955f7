package dev.silkroute.app.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.session.identity.RouterValues;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Settings of the collector, and the errors for invalid values. */
class CollectorBeansTest {
    private static final String PROPERTY = "silkroute.bmp-allow";

    @Test
    void addressesAndPrefixesAreSeparatedByCommas() {
        assertThat(CollectorBeans.prefixes(PROPERTY, Optional.of("192.0.2.1, 2001:db8::/32,")))
                .containsExactly(IpPrefix.parse("192.0.2.1"), IpPrefix.parse("2001:db8::/32"));
        assertThat(CollectorBeans.prefixes(PROPERTY, Optional.empty())).isEmpty();
    }

    @Test
    void anInvalidPrefixIsAnErrorThatNamesIt() {
        assertThatThrownBy(() -> CollectorBeans.prefixes(PROPERTY, Optional.of("192.0.2.1,10.0.0.0/33")))
                .isInstanceOf(OperatorError.class)
                .hasMessage("silkroute.bmp-allow: '10.0.0.0/33' is not a valid IPv4 prefix");
    }

    @Test
    void anUnreadableValueIsReportedWithTheNameOfItsSetting() {
        assertThatThrownBy(() -> CollectorBeans.read("silkroute.router-names", "edge", RouterValues::parse))
                .isInstanceOf(OperatorError.class)
                .hasMessage("silkroute.router-names: 'edge' is not of the form PREFIX=VALUE");
        assertThatThrownBy(() -> CollectorBeans.read(
                        "silkroute.decode.add-path-routers", "192.0.2.1=maybe", CollectorBeans::addPathRouters))
                .isInstanceOf(OperatorError.class)
                .hasMessage(
                        "silkroute.decode.add-path-routers: 'maybe' is not an ADD-PATH policy; use one of strict, heuristic, force");
        for (String roles : List.of("64500", "64500=", "x=peer", "64500=peer=rs", "64500=friend", "4294967296=peer")) {
            assertThatThrownBy(
                            () -> CollectorBeans.read("silkroute.decode.neighbor-roles", roles, NeighborRole::ofAsns))
                    .isInstanceOf(OperatorError.class)
                    .hasMessageStartingWith("silkroute.decode.neighbor-roles: ");
        }
        assertThat(NeighborRole.ofAsns("64500=provider, 4294967295=rs-client,"))
                .isEqualTo(Map.of(64500, NeighborRole.PROVIDER, -1, NeighborRole.RS_CLIENT));
    }

    @Test
    void numbersBelowTheirMinimumAreReportedWithTheNameOfTheirSetting() {
        assertThat(CollectorBeans.atLeast("silkroute.sessions.max-decoded-messages", 2048, 2048))
                .isEqualTo(2048);
        assertThatThrownBy(() -> CollectorBeans.atLeast("silkroute.sessions.max-decoded-messages", 2047, 2048))
                .isInstanceOf(OperatorError.class)
                .hasMessage("silkroute.sessions.max-decoded-messages is 2047: it must be at least 2048");
    }
}
