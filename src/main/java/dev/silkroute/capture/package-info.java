/**
 * Captures as BMP sessions: raw BMP streams and packet captures, TCP put together again, gzip taken off. Uses the JDK
 * only; knows nothing of sockets, Camel, or time passing.
 *
 * <p>A file is read twice and never kept: once for the {@linkplain dev.silkroute.capture.Survey survey} (which sessions
 * it holds, how long they are, where they break off), then once for each session that is replayed. A further packet
 * format is one more {@code PacketReader}, a format that holds no packets one more {@code SessionSource}.
 */
@NullMarked
package dev.silkroute.capture;

import org.jspecify.annotations.NullMarked;
