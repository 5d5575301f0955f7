/**
 * Scenario {@code framing}: BMP sessions from the socket to acknowledged Kafka records, as the station does it with
 * Camel, against plain Netty and against one virtual thread for each router. The broker and the senders are processes
 * of their own.
 */
@NullMarked
package dev.silkroute.perf.framing;

import org.jspecify.annotations.NullMarked;
