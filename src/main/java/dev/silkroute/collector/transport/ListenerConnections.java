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
 * The connections of one listener: those it has accepted, and those the station has opened in its name. Installed as a
 * handler in the listener's own pipeline. Closing the listener closes all of them, including those that Camel does not
 * know yet, and completes when everything they have sent is acknowledged. So Camel does not stop the route while it
 * still has exchanges. Thread-safe.
 */
final class ListenerConnections extends ChannelOutboundHandlerAdapter {
    private static final AttributeKey<ListenerConnections> KEY = AttributeKey.valueOf(ListenerConnections.class, "all");

    private final Channel listener;
    private final Set<ChannelHandlerContext> open = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> allFinished = new CompletableFuture<>();
    private volatile boolean closed;

    private ListenerConnections(Channel listener) {
        this.listener = listener;
    }

    /** Returns the connections of a listener; installs the handler on the first call. */
    static ListenerConnections of(Channel listener) {
        ListenerConnections created = new ListenerConnections(listener);
        ListenerConnections existing = listener.attr(KEY).setIfAbsent(created);
        if (existing == null) {
            listener.pipeline().addLast(created);
        }
        return existing == null ? created : existing;
    }

    void add(ChannelHandlerContext connection) {
        open.add(connection);
        if (closed || !listener.isOpen()) { // the listener was closed while the connection was being established
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
    public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
        ctx.close();
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
