/**
 * The batch that everything after the decoder works on: {@link dev.silkroute.route.RouteBatch}, one bounded binary
 * record with a peer table, an attribute table and the events of one socket read. Its layout is the product's wire
 * format ({@code docs/wire-format.md}).
 *
 * <p>May use {@code net} and {@code bgp}, and hash4j for the attribute hash. No Camel, no Quarkus, no I/O.
 */
@NullMarked
package dev.silkroute.route;

import org.jspecify.annotations.NullMarked;
