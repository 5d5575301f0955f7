package dev.silkroute.postgres.pipeline;

import io.netty.handler.flush.FlushConsolidationHandler;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.impl.SqlConnectionBase;

/**
 * Combines the writes of one event loop iteration into one. The driver flushes after each statement, which costs a
 * system call and often a packet each. This is the only class that uses internals of the driver: with a driver that
 * differs inside, pipelines work the same but are slower.
 */
final class FlushConsolidation {
    /** Flushes after which a part of a large pipeline is sent, so that the server can begin. */
    private static final int PORTION = 256;

    private FlushConsolidation() {}

    /** Called on the event loop of the connection. */
    static void of(PgConnection connection) {
        try {
            if (connection instanceof SqlConnectionBase<?> base
                    && base.unwrap() instanceof SocketConnectionBase socket) {
                socket.socket()
                        .channelHandlerContext()
                        .pipeline()
                        .addFirst(new FlushConsolidationHandler(PORTION, true));
            }
        } catch (LinkageError e) {
            System.getLogger(FlushConsolidation.class.getName())
                    .log(System.Logger.Level.DEBUG, "Pipelines are flushed after each statement", e);
        }
    }
}
