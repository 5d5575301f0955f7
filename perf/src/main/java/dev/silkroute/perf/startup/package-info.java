/**
 * Measures the time from the command of a station to the line that reports readiness. May use all of the benchmark's
 * other rooms.
 */
@NullMarked
package dev.silkroute.perf.startup;

import org.jspecify.annotations.NullMarked;
