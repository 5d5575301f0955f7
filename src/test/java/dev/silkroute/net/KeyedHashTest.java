package dev.silkroute.net;

import static dev.silkroute.fixture.CollidingKeys.assertCollide;
import static dev.silkroute.fixture.CollidingKeys.assertKeyed;
import static dev.silkroute.fixture.CollidingKeys.assertSpread;
import static dev.silkroute.fixture.CollidingKeys.folded;
import static dev.silkroute.fixture.CollidingKeys.high;
import static dev.silkroute.fixture.CollidingKeys.low;
import static dev.silkroute.fixture.CollidingKeys.pairs;
import static dev.silkroute.fixture.CollidingKeys.text;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.store.ExactKeys;
import dev.silkroute.route.PeerEntry;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** With a keyed hash, keys that collide under the usual functions fill a table as random keys do. */
class KeyedHashTest {
    @Test
    void theInputCollidesUnderUsualFunctions() {
        assertCollide(i -> Long.hashCode(31 * high(i) + low(i)));
        assertCollide(i -> Long.hashCode(folded(i)));
        assertCollide(i -> Arrays.hashCode(pairs(i)));
        assertCollide(i -> text(i).hashCode());
    }

    @Test
    void pairsOfNumbersAreSpread() {
        assertSpread(i -> KeyedHash.fold(KeyedHash.of(high(i), low(i))));
        assertSpread(i -> KeyedHash.fold(KeyedHash.of(folded(i), 0)));
        assertSpread(i -> KeyedHash.fold(KeyedHash.of(0, i)));
        assertSpread(i -> KeyedHash.fold(KeyedHash.of((long) i << 48, 0, 0, i)));
    }

    @Test
    void peersAreSpread() {
        assertKeyed(i -> new RibPeer("r", 1, folded(i), false, 0, 1, 1));
        assertKeyed(i -> new RibPeer("r", 0, 0, true, folded(i), folded(i), 1));
        assertKeyed(i -> new RibPeer(text(i), 0, 0, false, 0, 1, 1));
        assertKeyed(i -> entry(folded(i), 0, 0));
        assertKeyed(i -> entry(0, folded(i), folded(i)));
    }

    private static PeerEntry entry(long distinguisher, long high, long low) {
        return new PeerEntry(1, distinguisher, true, high, low, 1, 1, RibView.LOC_RIB);
    }

    @Test
    void textsAreSpread() {
        assertSpread(i -> KeyedHash.fold(KeyedHash.of(0, text(i))));
    }

    @Test
    void bytesAreSpread() {
        assertSpread(i -> Bytes.of(pairs(i)).hashCode());
    }

    @Test
    void bytesOfNlriAreSpread() {
        assertSpread(i -> ExactKeys.hash(Family.EVPN, pairs(i), 32));
    }

    @Test
    void bytesOfAttributeSetsAreSpread() {
        assertSpread(i -> (int) KeyedHash.of(32, pairs(i), 0, 32));
    }
}
