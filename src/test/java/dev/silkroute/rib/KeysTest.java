package dev.silkroute.rib;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.rib.memory.Epochs;
import dev.silkroute.rib.memory.MemoryBudget;
import dev.silkroute.rib.peer.PeerView;
import dev.silkroute.rib.peer.Registry;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.store.Stores;
import dev.silkroute.rib.trie.Keys;
import dev.silkroute.rib.trie.PrefixKeys;
import dev.silkroute.route.PeerEntry;
import org.junit.jupiter.api.Test;

/** Key records, and the limit of their ids. */
class KeysTest {
    private static final int BITS = 4;

    private static final class FewKeys extends Keys {
        FewKeys() {
            super(1, BITS, longLists(new MemoryBudget(1 << 30)), new MemoryBudget(1 << 30));
        }

        @Override
        public int used() {
            return 0;
        }
    }

    @Test
    void keysAreFullUntilAnIdIsReleased() {
        FewKeys keys = new FewKeys();
        int last = 0;
        for (int id = 1; id < 1 << BITS; id++) {
            assertThat(keys.full()).isFalse();
            last = keys.claimId() | 5 << BITS;
            keys.publishFirst(last, 1000 + id, 1);
        }
        assertThat(keys.full()).isTrue();
        assertThat(keys.firstRoute(1)).isEqualTo(1001);
        assertThat(keys.firstRoute(last)).isEqualTo(1000 + (1 << BITS) - 1);

        keys.release(last);

        assertThat(keys.full()).isFalse();
        assertThat(keys.claimId()).isEqualTo(last & (1 << BITS) - 1);
        assertThat(keys.full()).isTrue();
    }

    @Test
    void theHeadHasTheFirstRouteAndItsAttributes() {
        FewKeys keys = new FewKeys();
        int key = keys.claimId() | 5 << BITS;
        assertThat(keys.hasRoutes(key)).isFalse();

        keys.publishFirst(key, 17, -3);

        assertThat(keys.hasRoutes(key)).isTrue();
        assertFirst(keys, key, 17, -3);

        keys.publishAttributes(key, 16, 4);
        assertFirst(keys, key, 17, -3);

        keys.publishAttributes(key, 17, 4);
        assertFirst(keys, key, 17, 4);
    }

    private static void assertFirst(FewKeys keys, int key, int route, int attributes) {
        assertThat(keys.firstRoute(key)).isEqualTo(route);
        assertThat(Keys.routeOf(keys.head(key))).isEqualTo(route);
        assertThat(Keys.attributesOf(keys.head(key))).isEqualTo(attributes);
    }

    @Test
    void aLongListHasTheFirstRouteAndTheNumberOfRoutes() {
        FewKeys keys = new FewKeys();
        int key = keys.claimId() | 5 << BITS;
        keys.publishFirst(key, 17, 1);
        assertThat(keys.count(key)).isZero();

        assertThat(keys.makeLong(key, 3)).isTrue();
        assertThat(keys.isLong(key)).isTrue();
        assertThat(keys.head(key)).isNegative();
        assertThat(keys.firstRoute(key)).isEqualTo(17);
        assertThat(keys.count(key)).isEqualTo(3);

        keys.publishFirst(key, 18, 2);
        keys.publishAttributes(key, 18, 3);
        keys.count(key, 4);
        int[] routes = new int[1];
        int[] attributes = {-1};
        keys.firsts(new int[] {key}, 1, routes, attributes);
        assertThat(routes).containsExactly(18);
        assertThat(attributes).containsExactly(0);
        assertThat(keys.count(key)).isEqualTo(4);

        keys.makeShort(key, 3);
        assertThat(keys.isLong(key)).isFalse();
        assertFirst(keys, key, 18, 3);
        assertThat(keys.count(key)).isZero();
    }

    @Test
    void routesOfAFamilyHaveNoRoomUntilAPrefixIdIsReleased() {
        Stores stores = new Stores(1L << 30, 4, new Epochs());
        Registry registry = new Registry(stores.tables, stores.memory);
        PeerEntry entry = BatchFeed.peer(1, RibView.LOC_RIB);
        PeerView side = registry.make(registry.router("r"), entry).makeView(RibView.LOC_RIB);
        Table six = registry.table(side, Family.IPV6_UNICAST);
        Table four = registry.table(side, Family.IPV4_UNICAST);
        PrefixKeys keys = stores.tries.keys(Family.IPV6_UNICAST);
        int last = 0;
        while (!keys.full()) {
            last = keys.claim(0, 0, 0, 64);
        }
        assertThat(stores.memory.available()).isPositive();
        assertThat(stores.hasRoom(six, 0, false, 100, 0, 0)).isFalse();
        assertThat(stores.hasRoom(four, 0, false, 100, 0, 0)).isTrue();

        keys.release(last);

        assertThat(stores.hasRoom(six, 0, false, 100, 0, 0)).isTrue();
    }

    @Test
    void keysContainTheLengthAndRecordsTheAddress() {
        PrefixKeys four =
                new PrefixKeys(false, false, Keys.longLists(new MemoryBudget(1 << 30)), new MemoryBudget(1 << 30));
        PrefixKeys six =
                new PrefixKeys(true, true, Keys.longLists(new MemoryBudget(1 << 30)), new MemoryBudget(1 << 30));
        for (int length = 0; length <= 128; length++) {
            long high = length == 0 ? 0 : -1L << Math.max(0, 64 - length);
            long low = length <= 64 ? 0 : -1L << 128 - length;
            int key = six.claim(7, high, low, length);
            assertThat(key).isPositive();
            assertThat(six.length(key)).isEqualTo(length);
            assertThat(six.high(key)).isEqualTo(high);
            assertThat(six.low(key)).isEqualTo(low);
            assertThat(six.trie(key)).isEqualTo(7);
            if (length <= 32) {
                int ofFour = four.claim(0, high, 0, length);
                assertThat(ofFour).isPositive();
                assertThat(four.length(ofFour)).isEqualTo(length);
                assertThat(four.high(ofFour)).isEqualTo(high);
                assertThat(four.low(ofFour)).isZero();
            }
        }
    }
}
