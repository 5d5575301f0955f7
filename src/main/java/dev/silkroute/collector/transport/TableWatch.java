package dev.silkroute.collector.transport;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Periodically checks, while a connection is open, whether tables of a silent session count as complete although the
 * router has not sent End-of-RIB. Used by the channel's event loop only.
 */
final class TableWatch {
    private final long intervalNanos;
    private final BooleanSupplier check;

    /** @param check called once per interval; false ends the watch */
    TableWatch(Duration interval, BooleanSupplier check) {
        intervalNanos = interval.toNanos();
        this.check = check;
    }

    void begin(ChannelHandlerContext ctx) {
        ctx.executor()
                .schedule(
                        () -> {
                            if (check.getAsBoolean()) {
                                begin(ctx);
                            }
                        },
                        intervalNanos,
                        NANOSECONDS);
    }
}
