package dev.silkroute.collector.transport;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.netty.channel.ChannelHandlerContext;

/**
 * Lets a connection that a newer one has taken the place of be read to its end: what the router sent on it before may still be in the
 * socket. Over when there was no byte for a while, or after some time of reading if bytes keep coming. Touched by the
 * channel's event loop only.
 */
final class LastBytes {
    static final long TICK_MILLIS = 200;
    static final int MOST_TICKS = 25;

    private boolean begun;
    private boolean heard;
    private boolean read;
    private int ticks;

    /** @param end called once, unless the connection has ended by itself and doesn't mind */
    void await(ChannelHandlerContext ctx, Runnable end) {
        if (!begun) {
            begun = true;
            read = ctx.channel().config().isAutoRead();
            schedule(ctx, end);
        }
    }

    /** Bytes have come. */
    void heard() {
        heard = true;
    }

    private void schedule(ChannelHandlerContext ctx, Runnable end) {
        heard = false;
        ctx.executor().schedule(() -> tick(ctx, end), TICK_MILLIS, MILLISECONDS);
    }

    private void tick(ChannelHandlerContext ctx, Runnable end) {
        // While the station doesn't read, there is no telling what is left.
        boolean readNow = ctx.channel().config().isAutoRead();
        boolean silent = read && readNow && !heard;
        ticks += read && readNow ? 1 : 0;
        read = readNow;
        if (silent || ticks >= MOST_TICKS || !ctx.channel().isActive()) {
            end.run();
        } else {
            schedule(ctx, end);
        }
    }
}
