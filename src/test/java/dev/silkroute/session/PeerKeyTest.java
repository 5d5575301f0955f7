package dev.silkroute.session;

import static dev.silkroute.fixture.CollidingKeys.assertSpread;
import static dev.silkroute.fixture.CollidingKeys.folded;
import static dev.silkroute.fixture.CollidingKeys.high;
import static dev.silkroute.fixture.CollidingKeys.low;

import org.junit.jupiter.api.Test;

class PeerKeyTest {
    @Test
    void peersWhoseUnkeyedHashesAreEqualAreSpread() {
        assertSpread(i -> new PeerKey(1, folded(i), false, 0, 1).hashCode());
        assertSpread(i -> new PeerKey(0, 0, true, high(i), low(i)).hashCode());
    }
}
