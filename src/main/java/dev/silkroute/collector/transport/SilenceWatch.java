package dev.silkroute.collector.transport;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Notices that a message stays incomplete without a further byte for the time allowed, or up to a quarter of it longer. Costs one
 * scheduled task per session, and only while a message is incomplete. Touched by the channel's event loop only.
 */
final class SilenceWatch {
    private static final int TICKS = 4;

    private final long tickNanos;
    private final BooleanSupplier incomplete;
    private final Runnable end;
    private boolean scheduled;
    private boolean heard;
    private int silentTicks;

    /**
     * @param incomplete whether bytes are wanted; the watch stops when they aren't
     * @param end called after the silence
     */
    SilenceWatch(Duration silence, BooleanSupplier incomplete, Runnable end) {
        tickNanos = silence.toNanos() / TICKS;
        this.incomplete = incomplete;
        this.end = end;
    }

    /** Bytes have come, or the connection is new. */
    void heard(ChannelHandlerContext ctx) {
        heard = true;
        watch(ctx);
    }

    private void watch(ChannelHandlerContext ctx) {
        if (!scheduled && incomplete.getAsBoolean()) {
            scheduled = true;
            ctx.executor().schedule(() -> tick(ctx), tickNanos, NANOSECONDS);
        }
    }

    private void tick(ChannelHandlerContext ctx) {
        scheduled = false;
        // What the station doesn't read is no silence of the router's.
        silentTicks = heard || !ctx.channel().config().isAutoRead() ? 0 : silentTicks + 1;
        heard = false;
        if (silentTicks >= TICKS && incomplete.getAsBoolean()) {
            end.run();
        } else {
            watch(ctx);
        }
    }
}
