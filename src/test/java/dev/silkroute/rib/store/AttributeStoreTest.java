package dev.silkroute.rib.store;

import static dev.silkroute.fixture.CollidingKeys.assertCollide;
import static dev.silkroute.fixture.CollidingKeys.assertSpread;
import static dev.silkroute.fixture.CollidingKeys.pairs;

import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteBatchBuilder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class AttributeStoreTest {
    private final RouteBatchBuilder builder = new RouteBatchBuilder();

    private RouteBatch batch(byte[] attributes) {
        builder.begin("collector", "r", "192.0.2.1", 1, 1);
        builder.attributeSet(attributes, 0, attributes.length);
        return RouteBatch.read(builder.build());
    }

    @Test
    void setsWhoseUnkeyedHashesAreEqualAreSpread() {
        assertCollide(i -> Arrays.hashCode(pairs(i)));
        assertSpread(i -> AttributeStore.hash(batch(pairs(i)), 0));
    }
}
