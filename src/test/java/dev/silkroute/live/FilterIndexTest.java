package dev.silkroute.live;

import static dev.silkroute.fixture.CollidingKeys.assertSpread;
import static dev.silkroute.fixture.CollidingKeys.folded;
import static dev.silkroute.fixture.CollidingKeys.high;
import static dev.silkroute.fixture.CollidingKeys.low;

import org.junit.jupiter.api.Test;

class FilterIndexTest {
    @Test
    void prefixesWhoseUnkeyedHashesAreEqualAreSpread() {
        assertSpread(i -> new FilterIndex.Key(true, high(i), low(i), 128).hashCode());
        assertSpread(i -> new FilterIndex.Key(true, folded(i), 0, 64).hashCode());
    }
}
