package dev.silkroute.collector.gate;

import io.netty.handler.ssl.SslContext;
import java.util.function.Supplier;

/**
 * TLS of routers' connections.
 *
 * @param context the station's certificate, and who signs those of routers; asked at each connection, so that it may change
 * @param plainToo whether a router may also speak BMP without TLS
 */
public record RouterTls(Supplier<SslContext> context, boolean plainToo) {}
