package dev.silkroute.postgres.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.net.KeyedHash;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RouteFilterTest {
    private final AtomicLong reserved = new AtomicLong();

    private boolean reserve(long bytes) {
        reserved.addAndGet(bytes);
        return true;
    }

    @Test
    void aRouteIsNewOnceAndFewOthersAreTakenForSeen() {
        RouteFilter filter = new RouteFilter(this::reserve);
        int routes = 300_000;
        int mistakes = 0;
        for (int i = 0; i < routes; i++) {
            if (filter.add(KeyedHash.of(i, 1)) != RouteFilter.Outcome.NEW) {
                mistakes++;
            }
        }
        for (int i = 0; i < routes; i++) {
            assertThat(filter.add(KeyedHash.of(i, 1))).isEqualTo(RouteFilter.Outcome.SEEN);
        }
        assertThat(mistakes).isLessThan(routes / 100);
        assertThat(filter.bytes()).isEqualTo(reserved.get()).isLessThan(5 << 20);
    }

    @Test
    void itIsFullWhenMemoryIsRejected() {
        RouteFilter filter = new RouteFilter(bytes -> bytes <= 1024 && reserve(bytes));
        int added = 0;
        while (filter.add(KeyedHash.of(added, 1)) != RouteFilter.Outcome.FULL) {
            added++;
        }
        assertThat(added).isBetween(512, 520);
        assertThat(filter.bytes()).isEqualTo(1024);
        assertThat(filter.add(KeyedHash.of(0, 1))).isEqualTo(RouteFilter.Outcome.SEEN);
    }
}
