/**
 * Admission of connections before the first BMP byte: which source addresses may connect, the PROXY protocol header of
 * load balancers, and TLS.
 *
 * <p>May use {@code collector.sessions}, {@code net} and Netty. No Camel.
 */
@NullMarked
package dev.silkroute.collector.gate;

import org.jspecify.annotations.NullMarked;
