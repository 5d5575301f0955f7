/**
 * Comparisons of the RIB in memory with PostgreSQL's current state and with the RIB of a twin station: the twin's
 * address and client, the form of digests in JSON, and the bounds of concurrent comparisons.
 */
@NullMarked
package dev.silkroute.app.reconcile;

import org.jspecify.annotations.NullMarked;
