package dev.silkroute.collector.transport;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Detects that a message stays incomplete without a further byte for the time-out, or up to a quarter of it longer.
 * Costs one scheduled task per connection, and only while a message is incomplete. Used by the channel's event loop
 * only.
 */
final class StallWatch {
    private static final int TICKS = 4;

    private final long tickNanos;
    private final BooleanSupplier awaitsBytes;
    private final Runnable onStall;
    private boolean scheduled;
    private boolean received;
    private int silentTicks;

    /**
     * @param awaitsBytes returns whether bytes are due; the watch stops while none are
     * @param onStall called when the time-out has elapsed
     */
    StallWatch(Duration timeout, BooleanSupplier awaitsBytes, Runnable onStall) {
        tickNanos = timeout.toNanos() / TICKS;
        this.awaitsBytes = awaitsBytes;
        this.onStall = onStall;
    }

    /** Bytes have been received, or the connection is new. */
    void bytesReceived(ChannelHandlerContext ctx) {
        received = true;
        watch(ctx);
    }

    private void watch(ChannelHandlerContext ctx) {
        if (!scheduled && awaitsBytes.getAsBoolean()) {
            scheduled = true;
            ctx.executor().schedule(() -> tick(ctx), tickNanos, NANOSECONDS);
        }
    }

    private void tick(ChannelHandlerContext ctx) {
        scheduled = false;
        // While the station does not read, the router cannot be blamed for the silence.
        silentTicks = received || !ctx.channel().config().isAutoRead() ? 0 : silentTicks + 1;
        received = false;
        if (silentTicks >= TICKS && awaitsBytes.getAsBoolean()) {
            onStall.run();
        } else {
            watch(ctx);
        }
    }
}
