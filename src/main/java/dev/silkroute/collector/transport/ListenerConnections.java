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
 * The connections accepted by one listener, installed as a handler in the listener's own pipeline. Closing the listener
 * closes all of them, including those that Camel does not know yet, and completes when everything they have sent is
 * acknowledged. So Camel does not stop the route while it still has exchanges. Thread-safe.
 */
final class ListenerConnections extends ChannelOutboundHandlerAdapter {
    private static final AttributeKey<ListenerConnections> KEY = AttributeKey.valueOf(ListenerConnections.class, "all");

    private final Set<ChannelHandlerContext> open = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> allFinished = new CompletableFuture<>();
    private volatile boolean closed;

    /** Returns the connections of a listener; installs the handler on the first call. */
    static ListenerConnections of(Channel listener) {
        ListenerConnections created = new ListenerConnections();
        ListenerConnections existing = listener.attr(KEY).setIfAbsent(created);
        if (existing == null) {
            listener.pipeline().addLast(created);
        }
        return existing == null ? created : existing;
    }

    void add(ChannelHandlerContext connection) {
        open.add(connection);
        if (closed) {
            connection.close();
        }
    }

    /** Returns whether the listener is closed, and waits for its connections. */
    boolean isClosed() {
        return closed;
    }

    /** The connection has ended and all of its batches are acknowledged. */
    void finished(ChannelHandlerContext connection) {
        open.remove(connection);
        completeIfFinished();
    }

    @Override
    public void close(ChannelHandlerContext listener, ChannelPromise promise) {
        listener.close();
        closed = true;
        allFinished.thenRun(promise::trySuccess);
        open.forEach(ChannelHandlerContext::close);
        completeIfFinished();
    }

    private void completeIfFinished() {
        if (closed && open.isEmpty()) {
            allFinished.complete(null);
        }
    }
}
