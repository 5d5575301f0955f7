/**
 * Entry point of the performance scenarios. Each scenario lives in a package of its own; {@code report} writes what
 * came out.
 */
@NullMarked
package dev.silkroute.perf;

import org.jspecify.annotations.NullMarked;
