/**
 * Monitored routers, their peers, and the tables of each peer (one per RIB view and family) in one shard: which session
 * is current, which routes are stale, and the counters over them.
 *
 * <p>Uses {@code memory}, the value types of {@code rib}, {@code route} and {@code bgp}.
 */
@NullMarked
package dev.silkroute.rib.peer;

import org.jspecify.annotations.NullMarked;
