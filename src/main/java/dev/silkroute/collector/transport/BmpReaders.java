package dev.silkroute.collector.transport;

import dev.silkroute.collector.sockets.BmpConnector;
import dev.silkroute.collector.sockets.SocketTransport;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.MultithreadEventLoopGroup;
import io.netty.util.AttributeKey;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

/**
 * The event loops that read and frame connections, two per processor, as is Netty's default.
 *
 * <p>An accepted connection gets its session id when it is registered, by the one thread that accepts connections.
 * Event loops could not number connections in their order: one may get to its connection after another has got to a
 * later one. A connection that the station opens gets its id when it is established: the station opens the next one to
 * the same router only after that one has been closed.
 */
public final class BmpReaders extends MultithreadEventLoopGroup {
    private static final AttributeKey<Long> SESSION_ID = AttributeKey.valueOf(BmpReaders.class, "session-id");

    private final LongSupplier ids;

    /** @param ids returns growing session ids */
    public BmpReaders(SocketTransport transport, ThreadFactory threads, LongSupplier ids) {
        super(0, threads, transport);
        this.ids = ids;
    }

    @Override
    protected EventLoop newChild(Executor executor, Object... arguments) {
        return ((SocketTransport) arguments[0]).newLoop(executor);
    }

    @Override
    public ChannelFuture register(Channel channel) {
        if (!BmpConnector.isOutgoing(channel)) {
            channel.attr(SESSION_ID).set(ids.getAsLong());
        }
        return super.register(channel);
    }

    /**
     * Returns the session id of a connection.
     *
     * @param otherwise returns the id of a connection that has none: the station has opened it, or other event loops
     *     read it, as a user's route may configure
     */
    public static long sessionId(Channel channel, LongSupplier otherwise) {
        Long id = channel.attr(SESSION_ID).get();
        return id == null ? otherwise.getAsLong() : id;
    }
}
