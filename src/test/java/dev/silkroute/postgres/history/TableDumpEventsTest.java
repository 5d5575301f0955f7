package dev.silkroute.postgres.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.BatchPeers;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.route.RouteBatch;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import org.junit.jupiter.api.Test;

class TableDumpEventsTest {
    /** What a record of eight mebibytes can hold of the shortest routes. */
    private static final int EVENTS = 8_000_000;

    @Test
    void repeatedAnnouncementsOfADumpTakeABitEach() {
        Connection none = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (_, method, _) -> {
                    throw new AssertionError(method + " is asked");
                });
        RouteBatch batch = TestBatch.of(1, 0).build();
        BatchPeers peers = new BatchPeers(new DimensionCache(1), none, batch);
        TableDumpEvents history = new TableDumpEvents();
        history.begin(batch, peers);
        ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = memory.getCurrentThreadAllocatedBytes();
        for (int event = 1; event < EVENTS; event++) {
            history.add(event);
        }
        assertThat(memory.getCurrentThreadAllocatedBytes() - before).isLessThan(EVENTS);
    }
}
