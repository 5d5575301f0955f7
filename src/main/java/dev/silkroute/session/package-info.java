/**
 * One monitored router's BMP session: BMP messages in, batches out. Keeps what decoding needs to know (the router's
 * identity, its peers, what their OPENs agreed on) and turns the messages of one socket read into a {@link
 * dev.silkroute.route.RouteBatch} and the records of the low-volume lanes.
 *
 * <p>May use {@code bmp}, {@code route} and what they stand on. No Camel, no Quarkus, no I/O, no clock: time comes in with
 * the bytes.
 */
@NullMarked
package dev.silkroute.session;

import org.jspecify.annotations.NullMarked;
