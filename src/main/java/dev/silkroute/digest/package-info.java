/**
 * Digests of tables of routes, by which two copies of a table are compared without exchanging its routes: of a RIB, of
 * PostgreSQL's current state and of another station. {@code docs/adr/0034-tables-are-compared-by-sketches.md} has the
 * reasons.
 *
 * <p>A {@code TableSource} reads a copy, {@code RouteHasher} hashes its routes with the random {@code DigestKey} of one
 * comparison, {@code TableDigest} sums the hashes up, {@code Sketch} finds the routes that differ, and {@code
 * TableComparison} runs all of it. May use {@code bgp} and {@code net}.
 */
@NullMarked
package dev.silkroute.digest;

import org.jspecify.annotations.NullMarked;
