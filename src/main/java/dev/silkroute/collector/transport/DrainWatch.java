package dev.silkroute.collector.transport;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.netty.channel.ChannelHandlerContext;

/**
 * Reads a superseded connection to its end: bytes that the router sent before it opened the new connection may still be
 * in the socket. Finished when no byte has come for one tick, or after {@value #MAX_TICKS} ticks if bytes keep coming.
 * Used by the channel's event loop only.
 */
final class DrainWatch {
    static final long TICK_MILLIS = 200;
    static final int MAX_TICKS = 25;

    private boolean begun;
    private boolean received;
    private boolean wasReading;
    private int ticks;

    /**
     * Begins to watch; later calls have no effect.
     *
     * @param onDrained called once, also if the connection has been closed by then
     */
    void begin(ChannelHandlerContext ctx, Runnable onDrained) {
        if (!begun) {
            begun = true;
            wasReading = ctx.channel().config().isAutoRead();
            schedule(ctx, onDrained);
        }
    }

    void bytesReceived() {
        received = true;
    }

    private void schedule(ChannelHandlerContext ctx, Runnable onDrained) {
        received = false;
        ctx.executor().schedule(() -> tick(ctx, onDrained), TICK_MILLIS, MILLISECONDS);
    }

    private void tick(ChannelHandlerContext ctx, Runnable onDrained) {
        // Only ticks during which the station was reading show whether anything is left.
        boolean isReading = ctx.channel().config().isAutoRead();
        boolean isDrained = wasReading && isReading && !received;
        ticks += wasReading && isReading ? 1 : 0;
        wasReading = isReading;
        if (isDrained || ticks >= MAX_TICKS || !ctx.channel().isActive()) {
            onDrained.run();
        } else {
            schedule(ctx, onDrained);
        }
    }
}
