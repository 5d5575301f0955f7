package dev.silkroute.postgres.pipeline;

import io.netty.handler.flush.FlushConsolidationHandler;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.impl.SqlConnectionBase;

/**
 * Lets what a connection writes in one go of its event loop leave in one piece. The driver flushes after each statement, which
 * is a system call and often a packet each. The only place that looks into the driver: a version of it that is made
 * otherwise inside is as right without, and slower.
 */
final class OneWrite {
    /** Commands after which a part of a large flight leaves, so that the server has something to do. */
    private static final int PORTION = 256;

    private OneWrite() {}

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
            System.getLogger(OneWrite.class.getName())
                    .log(System.Logger.Level.DEBUG, "Flights leave statement by statement", e);
        }
    }
}
