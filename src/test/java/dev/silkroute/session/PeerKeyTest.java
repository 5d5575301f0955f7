package dev.silkroute.session;

import static dev.silkroute.fixture.CollidingKeys.assertKeyed;
import static dev.silkroute.fixture.CollidingKeys.folded;

import org.junit.jupiter.api.Test;

class PeerKeyTest {
    @Test
    void peersWhoseUnkeyedHashesAreEqualAreSpread() {
        assertKeyed(i -> new PeerKey(1, folded(i), false, 0, 1));
        assertKeyed(i -> new PeerKey(0, 0, true, folded(i), folded(i)));
    }
}
