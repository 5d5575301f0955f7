package dev.silkroute.rib.store;

import static dev.silkroute.fixture.CollidingKeys.KEYS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.CollidingKeys;
import dev.silkroute.fixture.TableWork;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.rib.memory.Epochs;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class ExactKeysTest {
    @Test
    void keysWhoseUnkeyedHashesAreEqualTakeTheWorkOfRandomKeys() {
        TableWork.assertAtMostTwice(work(CollidingKeys::pairs), work(CollidingKeys::random));
    }

    private static long work(IntFunction<byte[]> nlri) {
        ExactKeys keys = new Stores(1L << 30, 4, new Epochs()).exactKeys;
        ByteSink key = new ByteSink();
        for (int i = 0; i < KEYS; i++) {
            byte[] bytes = nlri.apply(i);
            key.reset();
            key.bytes(bytes, 0, bytes.length);
            int hash = ExactKeys.hash(Family.EVPN, bytes, bytes.length);
            int id = keys.claim(Family.EVPN, hash, key);
            keys.link(id);
            assertThat(keys.find(Family.EVPN, hash, bytes, bytes.length)).isEqualTo(id);
        }
        return TableWork.ofIndex(keys, "index");
    }
}
