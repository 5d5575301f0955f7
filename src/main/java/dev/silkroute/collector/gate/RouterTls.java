package dev.silkroute.collector.gate;

import io.netty.handler.ssl.SslContext;
import java.util.function.Supplier;

/**
 * TLS on routers' connections.
 *
 * @param context supplies the station's certificate and the authorities that sign routers' certificates; called for
 *     each connection, so that certificates can be renewed
 * @param plainToo whether BMP without TLS is accepted as well
 */
public record RouterTls(Supplier<SslContext> context, boolean plainToo) {}
