package dev.silkroute.collector.transport;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Detects that a message stays incomplete without a further byte for the time-out, or up to a quarter of it longer.
 * It costs one scheduled task per connection, and only while a message is incomplete. Only the channel's event loop
 * uses it.
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

    /** Records that bytes have been received, or that the connection is new. */
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
        // While the station does not read, no bytes can arrive, so this time does not count.
        silentTicks = received || !ctx.channel().config().isAutoRead() ? 0 : silentTicks + 1;
        received = false;
        if (silentTicks >= TICKS && awaitsBytes.getAsBoolean()) {
            onStall.run();
        } else {
            watch(ctx);
        }
    }
}
