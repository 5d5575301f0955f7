package dev.silkroute.collector.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.AttributeKey;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;

/**
 * The threads that read sockets and frame what they read, two a processor, as Netty has it. A connection gets its session's number when it is
 * handed to them, by the one thread that accepts: its own thread may come to it after a later connection's came to that.
 */
public final class BmpReaders extends NioEventLoopGroup {
    private static final AttributeKey<Long> NUMBER = AttributeKey.valueOf(BmpReaders.class, "number");

    private final LongSupplier numbers;

    /** @param numbers growing ones */
    public BmpReaders(ThreadFactory threads, LongSupplier numbers) {
        super(0, threads);
        this.numbers = numbers;
    }

    @Override
    public ChannelFuture register(Channel channel) {
        channel.attr(NUMBER).set(numbers.getAsLong());
        return super.register(channel);
    }

    /**
     * The number of a connection.
     *
     * @param others for one that other threads read, as a route may have it
     */
    public static long number(Channel channel, LongSupplier others) {
        Long number = channel.attr(NUMBER).get();
        return number == null ? others.getAsLong() : number;
    }
}
