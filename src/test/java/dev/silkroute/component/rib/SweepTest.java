package dev.silkroute.component.rib;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.rib.RibFeed;
import dev.silkroute.route.EventKind;
import java.time.Duration;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.Test;

class SweepTest {
    @Test
    void nothingEndsUntilTheRibHasBeenRead() throws Exception {
        // Given a router that has been away since long ago
        TestPlaces places = new TestPlaces();
        try (Rib rib = new Rib(RibConfig.ofBytes(64L << 20));
                DefaultCamelContext context = new DefaultCamelContext()) {
            RibFeed feed = new RibFeed();
            rib.apply(feed.begin("r", 1)
                    .announce(
                            RibFeed.peer(1, RibView.LOC_RIB),
                            Family.IPV4_UNICAST,
                            null,
                            RibFeed.ipv4(0x0A00_0000, 24),
                            RibFeed.attributes(1, 0))
                    .build());
            rib.apply(feed.begin("r", 1).event(EventKind.SESSION_DOWN).build());
            Sweep sweep = new Sweep(rib, 100, Duration.ofHours(24), Duration.ofMinutes(30), places);
            DefaultExchange exchange = new DefaultExchange(context);
            // When
            sweep.process(exchange);
            // Then
            assertThat(exchange.getMessage().getHeader(RibConstants.ENDED)).isEqualTo(0);
            assertThat(rib.size()).isOne();
            // When
            places.ready.set(true);
            sweep.process(exchange);
            // Then
            assertThat(exchange.getMessage().getHeader(RibConstants.ENDED)).isEqualTo(1);
            assertThat(rib.size()).isZero();
        }
    }
}
