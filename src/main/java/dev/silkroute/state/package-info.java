/**
 * The state machine of monitored routers: which session of a router counts, which views of a peer hold routes, which
 * tables are synchronized, and what each event or timeout ends, purges or leaves stale.
 *
 * <p>Three kinds of phases, all immutable, all without routes, clock or I/O: {@link dev.silkroute.state.RouterSession}
 * for a router, {@link dev.silkroute.state.ViewPhase} for a peer in one RIB view, {@link
 * dev.silkroute.state.TablePhase} for one family of it. The methods of a phase are its transitions. Whoever keeps
 * routes (the RIB in memory, the current state in PostgreSQL) stores the phases, applies events to them in order, and
 * carries out what a transition means for the routes. ADR 21 draws the transitions.
 *
 * <p>Session IDs are positive and grow with time. Times are microseconds since 1970-01-01 UTC. May use {@code bgp} and
 * {@code net}.
 */
@NullMarked
package dev.silkroute.state;

import org.jspecify.annotations.NullMarked;
