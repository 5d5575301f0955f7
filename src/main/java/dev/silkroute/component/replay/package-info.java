/**
 * The Camel component {@code replay:}, consumer only. It sends a session of a capture as exchanges, chunk by chunk, at
 * the speed of the capture or as fast as the route allows. The package uses {@code capture}, {@code mrt} and Camel, and
 * Netty for {@link dev.silkroute.component.replay.ReplayConnection}. See {@code routes/replay.camel.xml}.
 */
@NullMarked
package dev.silkroute.component.replay;

import org.jspecify.annotations.NullMarked;
