/**
 * Connections of monitored routers, from the accepted socket to batches of whole BMP messages: framing, memory
 * budgets, back-pressure, time-outs, and the order in which a router's sessions follow one another.
 *
 * <p>May use {@code collector.gate}, {@code collector.sessions}, {@code collector.sockets}, {@code collector.turns},
 * {@code session} and Netty. No Camel.
 */
@NullMarked
package dev.silkroute.collector.transport;

import org.jspecify.annotations.NullMarked;
