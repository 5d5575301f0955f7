/**
 * The RIB in memory: every route of every monitored router, view and family, kept up to date from route batches and read without locks.
 * {@link dev.silkroute.rib.Rib} is the way in, {@link dev.silkroute.rib.RibReader} the way to read.
 *
 * <p>May use {@code route} and what it is made of ({@code bgp}, {@code net}). No Camel, no Quarkus, no threads but those that a
 * RIB of several shards needs.
 */
@NullMarked
package dev.silkroute.rib;

import org.jspecify.annotations.NullMarked;
