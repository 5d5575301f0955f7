/**
 * Questions to the RIB as {@link java.util.stream.Stream}s whose predicates can be looked into, so that indexes and counters answer what they can.
 * {@link dev.silkroute.rib.query.RouteQuery} is the way in, {@link dev.silkroute.rib.query.RouteFields} what can be asked for.
 *
 * <p>May use {@code rib} and what that may use.
 */
@NullMarked
package dev.silkroute.rib.query;

import org.jspecify.annotations.NullMarked;
