package dev.silkroute.alert;

import static dev.silkroute.fixture.CollidingKeys.KEYS;
import static dev.silkroute.fixture.CollidingKeys.high;
import static dev.silkroute.fixture.CollidingKeys.low;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.fixture.TableWork;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.net.LongSet;
import dev.silkroute.route.PeerEntry;
import java.util.List;
import java.util.Random;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;

class CountedTableTest {
    @Test
    void prefixesWhoseUnkeyedHashesAreEqualTakeTheWorkOfRandomOnes() {
        Random random = new Random(1);
        TableWork.assertAtMostTwice(
                work(i -> high(i), i -> low(i)), work(i -> random.nextLong(), i -> random.nextLong()));
    }

    private static long work(IntToLongFunction high, IntToLongFunction low) {
        PeerEntry peer = new PeerEntry(0, 0, false, 0, 1, 64_500, 1, RibView.ADJ_RIB_IN_PRE_POLICY);
        CountedTable table = new CountedTable(
                new RouteSource("r", peer, RouteSource.NO_PATH_ID),
                Family.IPV6_UNICAST,
                new VantagePoint("r", "0.0.0.1", 64_500),
                List.of());
        NlriReader reader = new NlriReader();
        for (int i = 0; i < KEYS; i++) {
            byte[] nlri = new ByteSink()
                    .u8(128)
                    .i64(high.applyAsLong(i))
                    .i64(low.applyAsLong(i))
                    .toByteArray();
            reader.read(Family.IPV6_UNICAST, nlri, 0, nlri.length, false, false);
            assertThat(table.announce(reader)).isOne();
        }
        LongSet routes = TableWork.field(table, "routes", LongSet.class);
        long[] slots = TableWork.field(routes, "slots", long[].class);
        return TableWork.ofProbing(slots.length, slot -> slots[slot] == 0 ? -1 : (int) slots[slot] & slots.length - 1);
    }
}
