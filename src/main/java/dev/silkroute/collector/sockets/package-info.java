/**
 * The sockets of BMP connections: Netty's transports, the listeners that accept connections, the connections that the
 * station opens to routers that listen, and the keys for TCP MD5 signatures.
 *
 * <p>May use Netty only. No Camel.
 */
@NullMarked
package dev.silkroute.collector.sockets;

import org.jspecify.annotations.NullMarked;
