package dev.silkroute.route;

import static dev.silkroute.fixture.CollidingKeys.KEYS;
import static dev.silkroute.fixture.CollidingKeys.assertCollide;
import static dev.silkroute.fixture.CollidingKeys.assertSpread;
import static dev.silkroute.fixture.CollidingKeys.pairs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.CollidingKeys;
import dev.silkroute.fixture.TableWork;
import dev.silkroute.net.BigEndian;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class AttributeSetTableTest {
    private final AttributeSetTable table = new AttributeSetTable();

    private int intern(int content) {
        byte[] set = new byte[8];
        BigEndian.putU32(set, 0, content);
        table.sink().bytes(set, 0, set.length);
        return table.intern();
    }

    private void internAll(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(intern(i)).isEqualTo(i);
        }
        assertThat(table.size()).isEqualTo(count);
    }

    @Test
    void equalSetsHaveOneIndex() {
        internAll(3_000);
        internAll(3_000);
    }

    @Test
    void setsWhoseUnkeyedHashesAreEqualAreSpread() {
        assertCollide(i -> Arrays.hashCode(pairs(i)));
        assertSpread(i -> (int) AttributeSetTable.hash(pairs(i), 0, pairs(i).length));
        TableWork.assertAtMostTwice(work(CollidingKeys::pairs), work(CollidingKeys::random));
    }

    private static long work(IntFunction<byte[]> sets) {
        AttributeSetTable table = new AttributeSetTable();
        for (int i = 0; i < KEYS; i++) {
            byte[] set = sets.apply(i);
            table.sink().bytes(set, 0, set.length);
            assertThat(table.intern()).isEqualTo(i);
        }
        int[] slots = TableWork.field(table, "slots", int[].class);
        long[] hashes = TableWork.field(table, "keyed", long[].class);
        return TableWork.ofProbing(
                slots.length, slot -> slots[slot] == 0 ? -1 : (int) hashes[slots[slot] - 1] & slots.length - 1);
    }

    /** A table with few sets for its slots is cleared set by set. */
    @Test
    void nothingIsLeftOfManySetsOrOfFew() {
        internAll(3_000);
        for (int count : new int[] {1, 100, 300, 3_000, 100, 0, 1}) {
            table.reset();
            internAll(count);
        }
    }

    @Test
    void aReleasedTableIsEmpty() {
        internAll(3_000);
        table.release(1);
        assertThat(table.size()).isZero();
        internAll(3_000);
        table.release(1 << 20);
        internAll(10);
    }
}
