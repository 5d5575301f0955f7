/**
 * Captures as BMP sessions: raw BMP streams and packet captures, TCP put together again, gzip and bzip2 taken off. Uses
 * the JDK, and commons-compress for bzip2; knows nothing of sockets, Camel, or time passing.
 *
 * <p>A file is read twice and never kept: once for the {@linkplain dev.silkroute.capture.Survey survey} (which sessions
 * it holds, how long they are, where they break off), then once for each session that is replayed. A further packet
 * format is one more {@code PacketReader}, a format that holds no packets one more {@code SessionSource}.
 *
 * <p>A session breaks off where the capture lacks bytes of it: all before that place is handed out, then a
 * CaptureException says where and how many. What follows is not replayed, for nobody could say where in it a message
 * begins.
 *
 * <p>Each session that is replayed passes over the file by itself, up to the session's end: sessions do not wait for one
 * another, at the price of one pass for each.
 */
@NullMarked
package dev.silkroute.capture;

import org.jspecify.annotations.NullMarked;
