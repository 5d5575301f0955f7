package dev.silkroute.rib.store;

import static dev.silkroute.fixture.CollidingKeys.KEYS;
import static dev.silkroute.fixture.CollidingKeys.assertCollide;
import static dev.silkroute.fixture.CollidingKeys.assertSpread;
import static dev.silkroute.fixture.CollidingKeys.pairs;

import dev.silkroute.fixture.CollidingKeys;
import dev.silkroute.fixture.TableWork;
import dev.silkroute.net.ByteSink;
import dev.silkroute.rib.memory.Epochs;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteBatchBuilder;
import java.util.Arrays;
import java.util.function.IntFunction;
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

    @Test
    void aStoreOfSuchSetsTakesTheWorkOfOneWithRandomSets() {
        TableWork.assertAtMostTwice(work(CollidingKeys::pairs), work(CollidingKeys::random));
    }

    private long work(IntFunction<byte[]> sets) {
        builder.begin("collector", "r", "192.0.2.1", 1, 1);
        for (int i = 0; i < KEYS; i++) {
            // COMMUNITIES, in canonical form
            ByteSink attribute = new ByteSink().u8(0xC0).u8(8).u16(32).bytes(sets.apply(i), 0, 32);
            byte[] set = attribute.toByteArray();
            builder.attributeSet(set, 0, set.length);
        }
        RouteBatch batch = RouteBatch.read(builder.build());
        AttributeStore store = new Stores(1L << 30, 4, new Epochs()).attributes;
        for (int i = 0; i < KEYS; i++) {
            store.add(AttributeStore.hash(batch, i), batch, i);
        }
        return TableWork.ofIndex(store, "index");
    }
}
