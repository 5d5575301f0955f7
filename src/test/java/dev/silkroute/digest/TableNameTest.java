package dev.silkroute.digest;

import static dev.silkroute.fixture.CollidingKeys.assertCollide;
import static dev.silkroute.fixture.CollidingKeys.assertSpread;
import static dev.silkroute.fixture.CollidingKeys.folded;
import static dev.silkroute.fixture.CollidingKeys.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TableNameTest {
    private static TableName name(String router, long distinguisher, String address) {
        return new TableName(router, 1, distinguisher, address, 1, RibView.LOC_RIB, Family.EVPN);
    }

    @Test
    void tablesWhoseUnkeyedHashesAreEqualAreSpread() {
        assertCollide(i -> Objects.hash("r", folded(i), "192.0.2.1"));
        assertSpread(i -> name("r", folded(i), "192.0.2.1").hashCode());
        assertCollide(i -> Objects.hash(text(i), 0L, text(i)));
        assertSpread(i -> name(text(i), 0, "192.0.2.1").hashCode());
        assertSpread(i -> name("r", 0, text(i)).hashCode());
    }

    @Test
    void equalNamesHaveEqualHashes() {
        assertThat(name("r", 7, "2001:db8::1"))
                .isEqualTo(name("r", 7, "2001:db8::1"))
                .hasSameHashCodeAs(name("r", 7, "2001:db8::1"));
    }
}
