/**
 * The registry of open BMP sessions with their limit, and what all sessions together have counted.
 *
 * <p>May use {@code session} and the packages that it uses. No Camel, no Netty.
 */
@NullMarked
package dev.silkroute.collector.sessions;

import org.jspecify.annotations.NullMarked;
