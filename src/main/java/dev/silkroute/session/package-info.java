/**
 * The decoder of one monitored router's BMP session: BMP messages in, batches out. Keeps the state that decoding
 * requires (the router's peers, the capabilities of their OPENs) and turns the messages of one socket read into a
 * {@link dev.silkroute.route.RouteBatch} and the JSON records of the other lanes.
 *
 * <p>May use {@code bmp}, {@code route}, the packages that they use, and Jackson's streaming API. No Camel, no Quarkus,
 * no I/O, no clock: time comes in with the bytes.
 */
@NullMarked
package dev.silkroute.session;

import org.jspecify.annotations.NullMarked;
