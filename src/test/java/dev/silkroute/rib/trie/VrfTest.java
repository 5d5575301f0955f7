package dev.silkroute.rib.trie;

import static dev.silkroute.fixture.CollidingKeys.assertKeyed;
import static dev.silkroute.fixture.CollidingKeys.folded;

import dev.silkroute.net.Family;
import org.junit.jupiter.api.Test;

class VrfTest {
    @Test
    void routeDistinguishersWhoseUnkeyedHashesAreEqualAreSpread() {
        assertKeyed(i -> new Tries.Vrf(Family.EVPN, folded(i)));
    }
}
