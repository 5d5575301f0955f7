package dev.silkroute.component.rib;

import dev.silkroute.rib.Rib;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.jspecify.annotations.Nullable;

/** What a RIB needs to be called for where no batches come. */
final class Sweep implements Processor {
    private final Rib rib;
    private final long slice;
    private final Duration withdrawAfter;
    private final Duration unmentionedAfter;
    private final @Nullable RibPlaces places;

    Sweep(Rib rib, long slice, Duration withdrawAfter, Duration unmentionedAfter, @Nullable RibPlaces places) {
        this.rib = rib;
        this.slice = slice;
        this.withdrawAfter = withdrawAfter;
        this.unmentionedAfter = unmentionedAfter;
        this.places = places;
    }

    @Override
    public void process(Exchange exchange) {
        int ended = places == null || places.ready() ? expire() : 0;
        rib.purge(slice);
        exchange.getMessage().setHeader(RibConstants.ENDED, ended);
    }

    private int expire() {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        return rib.expire(now, withdrawAfter.toNanos() / 1000, unmentionedAfter.toNanos() / 1000);
    }
}
