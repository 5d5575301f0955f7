package dev.silkroute.live;

import static dev.silkroute.fixture.CollidingKeys.assertKeyed;
import static dev.silkroute.fixture.CollidingKeys.folded;
import static dev.silkroute.fixture.CollidingKeys.text;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FilterIndexTest {
    @Test
    void prefixesWhoseUnkeyedHashesAreEqualAreSpread() {
        assertKeyed(i -> new FilterIndex.Key(true, folded(i), folded(i), 128));
        assertKeyed(i -> new FilterIndex.Key(true, folded(i), 0, 64));
    }

    @Test
    void filtersWhoseUnkeyedHashesAreEqualAreSpread() {
        assertKeyed(i -> LiveFilter.parse(Map.of("router", text(i)), false));
    }
}
