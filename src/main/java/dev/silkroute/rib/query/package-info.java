/**
 * Queries over the RIB as {@link java.util.stream.Stream}s whose predicates the planner can inspect, so that indexes
 * and counters answer what they can. {@link dev.silkroute.rib.query.RouteQuery} is the entry point, {@link
 * dev.silkroute.rib.query.RouteFields} has the fields to filter by.
 *
 * <p>May use {@code rib} and what that may use.
 */
@NullMarked
package dev.silkroute.rib.query;

import org.jspecify.annotations.NullMarked;
