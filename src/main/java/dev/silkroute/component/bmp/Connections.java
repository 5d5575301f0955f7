package dev.silkroute.component.bmp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AttributeKey;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections that came in at one listener. When it is closed they all are, also those that Camel doesn't know yet, and the
 * close is over when all that came of them is done: no exchange may meet a route that has stopped. Thread-safe.
 */
final class Connections {
    private static final AttributeKey<Connections> KEY = AttributeKey.valueOf(Connections.class, "all");

    private final Set<ChannelHandlerContext> open = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> allDone = new CompletableFuture<>();
    private volatile boolean closed;

    /** Those that came in where this one did; a connection without a listener is its own. */
    static Connections of(Channel connection) {
        Channel listener = connection.parent() == null ? connection : connection.parent();
        Connections made = new Connections();
        Connections there = listener.attr(KEY).setIfAbsent(made);
        if (there == null) {
            listener.closeFuture().addListener(future -> made.close());
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

    private void close() {
        closed = true;
        open.forEach(ChannelHandlerContext::close);
        completeIfDone();
    }

    private void completeIfDone() {
        if (closed && open.isEmpty()) {
            allDone.complete(null);
        }
    }

    /** When all that came of any of them is done; at once while the listener is open. */
    void whenDone(Runnable then) {
        if (closed) {
            allDone.thenRun(then);
        } else {
            then.run();
        }
    }
}
