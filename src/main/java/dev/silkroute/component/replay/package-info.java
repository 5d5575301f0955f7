/**
 * The Camel component {@code replay:}, consumer only: a session of a capture becomes exchanges, chunk by chunk, at the
 * pace of the capture or as fast as the route takes them. Uses {@code capture} and {@code mrt}, Camel, and Netty for the one handler
 * that a route to a BMP station needs. See {@code routes/replay.camel.xml}.
 */
@NullMarked
package dev.silkroute.component.replay;

import org.jspecify.annotations.NullMarked;
