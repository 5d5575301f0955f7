package dev.silkroute.postgres.dimension;

import static dev.silkroute.fixture.CollidingKeys.assertSpread;
import static dev.silkroute.fixture.CollidingKeys.folded;
import static dev.silkroute.fixture.CollidingKeys.high;
import static dev.silkroute.fixture.CollidingKeys.low;

import dev.silkroute.postgres.copy.DatabaseIdentity;
import org.junit.jupiter.api.Test;

class DimensionCacheKeysTest {
    @Test
    void peersWhoseUnkeyedHashesAreEqualAreSpread() {
        assertSpread(
                i -> new DimensionCache.PeerKey(DatabaseIdentity.NONE, 1, 1, folded(i), false, 0, 1, 1).hashCode());
        assertSpread(
                i -> new DimensionCache.PeerKey(DatabaseIdentity.NONE, 1, 0, 0, true, high(i), low(i), 1).hashCode());
    }
}
