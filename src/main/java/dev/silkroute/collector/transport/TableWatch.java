package dev.silkroute.collector.transport;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Asks a session now and then, as long as its connection lives, whether tables have been quiet for so long that they are through. Touched
 * by the channel's event loop only.
 */
final class TableWatch {
    private final long intervalNanos;
    private final BooleanSupplier ask;

    /** @param ask called at each interval; false ends the watch */
    TableWatch(Duration interval, BooleanSupplier ask) {
        intervalNanos = interval.toNanos();
        this.ask = ask;
    }

    void begin(ChannelHandlerContext ctx) {
        ctx.executor()
                .schedule(
                        () -> {
                            if (ask.getAsBoolean()) {
                                begin(ctx);
                            }
                        },
                        intervalNanos,
                        NANOSECONDS);
    }
}
