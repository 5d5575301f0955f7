package dev.silkroute.rpki;

import static dev.silkroute.fixture.CollidingKeys.KEYS;
import static dev.silkroute.fixture.CollidingKeys.assertKeyed;
import static dev.silkroute.fixture.CollidingKeys.folded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.net.IpPrefix;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Compares tables made of changes with a set. */
class VrpChangesTest {
    private static Vrp random(Random random) {
        int length = 20 + random.nextInt(4);
        IpPrefix prefix = random.nextBoolean()
                ? IpPrefix.parse("10.0." + (random.nextInt(4) << 6) + ".0/22").truncate(length > 22 ? 22 : length)
                : IpPrefix.parse("2001:db8:" + random.nextInt(4) + "::/48").truncate(28 + length);
        return new Vrp(prefix, prefix.length() + random.nextInt(2), random.nextInt(3) - 1);
    }

    @Test
    void tablesAgreeWithASet() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        VrpTable table = VrpTable.EMPTY;
        Set<Vrp> expected = new HashSet<>();
        for (int round = 0; round < 50; round++) {
            VrpChanges changes = new VrpChanges(table);
            for (int i = 0; i < 40; i++) {
                Vrp vrp = random(random);
                if (random.nextBoolean()) {
                    assertThat(changes.announce(vrp)).as("seed %d", seed).isEqualTo(expected.add(vrp));
                } else {
                    assertThat(changes.withdraw(vrp)).as("seed %d", seed).isEqualTo(expected.remove(vrp));
                }
                assertThat(changes.size()).as("seed %d", seed).isEqualTo(expected.size());
            }
            table = changes.toTable();
            assertThat(table.toList()).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(new ArrayList<>(expected)).as("seed %d", seed).allMatch(table::contains);
        }
    }

    @Test
    void withoutChangesTheTableStaysTheSameObject() {
        VrpTable table = VrpTable.of(List.of(new Vrp(IpPrefix.parse("192.0.2.0/24"), 24, 1)));
        VrpChanges changes = new VrpChanges(table);
        changes.withdraw(new Vrp(IpPrefix.parse("192.0.2.0/24"), 24, 1));
        changes.announce(new Vrp(IpPrefix.parse("192.0.2.0/24"), 24, 1));
        assertThat(changes.toTable()).isSameAs(table);
    }

    /** A cache, or the holder of an IPv6 prefix, can make as many as it likes. */
    @Test
    void vrpsWhoseUnkeyedHashesAreEqualAreSpread() {
        assertKeyed(VrpChangesTest::colliding);
        VrpChanges changes = new VrpChanges(VrpTable.EMPTY);
        for (int i = 0; i < KEYS; i++) {
            assertThat(changes.announce(colliding(i))).isTrue();
        }
        assertThat(changes.toTable().size()).isEqualTo(KEYS);
    }

    private static Vrp colliding(int number) {
        return new Vrp(new IpPrefix(true, folded(number), 0, 64), 64, 64_500);
    }
}
