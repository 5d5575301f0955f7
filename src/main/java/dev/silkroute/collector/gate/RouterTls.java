package dev.silkroute.collector.gate;

import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * TLS on routers' connections.
 *
 * @param context supplies the station's certificate and the authorities that sign routers' certificates; called for
 *     each connection, so that certificates can be renewed
 * @param plainToo whether BMP without TLS is accepted as well
 * @param handshakeTimeout how long a connection may take until its handshake is complete
 * @param handshakes runs the handshakes' computations, which would hold up other connections on an event loop
 * @param name the part of a router's certificate that is its name
 * @param connections the open connections of routers that have presented a certificate
 */
public record RouterTls(
        Supplier<SslContext> context,
        boolean plainToo,
        Duration handshakeTimeout,
        Executor handshakes,
        CertificateName name,
        CertifiedConnections connections) {
    /** Returns the same settings, without BMP over plain TCP. */
    public RouterTls required() {
        return new RouterTls(context, false, handshakeTimeout, handshakes, name, connections);
    }
}
