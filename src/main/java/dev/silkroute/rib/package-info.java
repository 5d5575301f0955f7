/**
 * The RIB in memory: every route of every monitored router, RIB view and family, kept up to date from route batches and
 * read without locks. {@link dev.silkroute.rib.Rib} is the entry point, {@link dev.silkroute.rib.RibReader} reads.
 *
 * <p>Other packages use only this package and {@code rib.query}. The packages below it are layered:
 *
 * <pre>
 * rib, rib.query           public API; readers, views and scans
 * rib.apply                applies batches, purges
 * rib.index                where values of attributes occur, for queries
 * rib.store                routes, route lists, attribute sets, keys of other NLRI
 * rib.peer   rib.trie      routers, peers, tables; prefixes and longest match
 * rib.memory               slabs, hash index, epochs, reclaim queue
 * </pre>
 *
 * Scans are in this package, not in one of their own: they move a {@link dev.silkroute.rib.RouteView} through pages and
 * keys within the sections of a {@link dev.silkroute.rib.RibReader}, by methods of both that nobody else may call.
 *
 * <p>May use {@code route}, {@code digest}, {@code bgp} and {@code net}. No Camel, no Quarkus, and no threads other
 * than those of a RIB with several shards.
 */
@NullMarked
package dev.silkroute.rib;

import org.jspecify.annotations.NullMarked;
