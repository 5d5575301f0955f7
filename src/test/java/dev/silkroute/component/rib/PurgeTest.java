package dev.silkroute.component.rib;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.rib.BatchFeed;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.route.EventKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PurgeTest {
    @Test
    void nothingEndsUntilTheRibHasBeenLoaded() {
        // Given a router whose session ended long ago
        TestOffsets offsets = new TestOffsets();
        try (Rib rib = new Rib(RibConfig.ofBytes(64L << 20))) {
            BatchFeed feed = new BatchFeed();
            rib.apply(feed.begin("r", 1)
                    .announce(
                            BatchFeed.peer(1, RibView.LOC_RIB),
                            Family.IPV4_UNICAST,
                            null,
                            BatchFeed.ipv4(0x0A00_0000, 24),
                            BatchFeed.attributes(1, 0))
                    .build());
            rib.apply(feed.begin("r", 1).event(EventKind.SESSION_DOWN).build());
            Purge purge = new Purge(rib, 100, Duration.ofHours(24), Duration.ofMinutes(30), offsets);
            // When
            purge.run();
            // Then
            assertThat(rib.size()).isOne();
            // When
            offsets.ready.set(true);
            purge.run();
            // Then
            assertThat(rib.size()).isZero();
        }
    }
}
