package dev.silkroute.postgres.dimension;

import static dev.silkroute.fixture.CollidingKeys.assertKeyed;
import static dev.silkroute.fixture.CollidingKeys.folded;

import dev.silkroute.postgres.copy.DatabaseIdentity;
import org.junit.jupiter.api.Test;

class DimensionCacheKeysTest {
    @Test
    void peersWhoseUnkeyedHashesAreEqualAreSpread() {
        assertKeyed(i -> new DimensionCache.PeerKey(DatabaseIdentity.NONE, 1, 1, folded(i), false, 0, 1, 1));
        assertKeyed(i -> new DimensionCache.PeerKey(DatabaseIdentity.NONE, 1, 0, 0, true, folded(i), folded(i), 1));
    }
}
