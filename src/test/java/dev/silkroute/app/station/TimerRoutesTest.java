package dev.silkroute.app.station;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;

class TimerRoutesTest {
    private final AtomicInteger hourly = new AtomicInteger();
    private final AtomicInteger once = new AtomicInteger();

    @Test
    void aTimerRunsAtOnceWhenTheClockHasBeenSetBackUnlessItHasRunOftenEnough() throws Exception {
        try (DefaultCamelContext camel = new DefaultCamelContext()) {
            // Given timers that have run
            camel.addRoutes(new RouteBuilder() {
                @Override
                public void configure() {
                    // A task that is due while its consumer still starts is skipped until the next period
                    from("timer:hourly?delay=200&period=1h").process(_ -> hourly.incrementAndGet());
                    from("timer:once?delay=200&period=1h&repeatCount=1").process(_ -> once.incrementAndGet());
                    from("timer:stopped?delay=0")
                            .autoStartup(false)
                            .routeId("stopped")
                            .to("log:stopped");
                }
            });
            camel.start();
            await().until(() -> hourly.get() == 1 && once.get() == 1);
            // When
            new TimerRoutes(camel).beginAgain(Duration.ofMinutes(10));
            // Then
            await().until(() -> hourly.get() == 2);
            assertThat(once).hasValue(1);
            assertThat(camel.getRouteController().getRouteStatus("stopped").isStarted())
                    .isFalse();
        }
    }
}
