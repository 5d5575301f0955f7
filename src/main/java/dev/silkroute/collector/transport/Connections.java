package dev.silkroute.collector.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.AttributeKey;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections that came in at one listener, as a handler of that listener: its close closes all of them, also those that
 * Camel has not heard of yet, and is over when all that came of them is done. So whoever waits for the close stops no route
 * under an exchange. Thread-safe.
 */
final class Connections extends ChannelOutboundHandlerAdapter {
    private static final AttributeKey<Connections> KEY = AttributeKey.valueOf(Connections.class, "all");

    private final Set<ChannelHandlerContext> open = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> allDone = new CompletableFuture<>();
    private volatile boolean closed;

    static Connections of(Channel listener) {
        Connections made = new Connections();
        Connections there = listener.attr(KEY).setIfAbsent(made);
        if (there == null) {
            listener.pipeline().addLast(made);
        }
        return there == null ? made : there;
    }

    void add(ChannelHandlerContext connection) {
        open.add(connection);
        if (closed) {
            connection.close();
        }
    }

    /** All that came of it is done. */
    void done(ChannelHandlerContext connection) {
        open.remove(connection);
        completeIfDone();
    }

    @Override
    public void close(ChannelHandlerContext listener, ChannelPromise over) {
        listener.close();
        closed = true;
        allDone.thenRun(over::trySuccess);
        open.forEach(ChannelHandlerContext::close);
        completeIfDone();
    }

    private void completeIfDone() {
        if (closed && open.isEmpty()) {
            allDone.complete(null);
        }
    }
}
