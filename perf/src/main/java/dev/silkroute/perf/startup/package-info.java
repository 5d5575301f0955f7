/**
 * Measures the time from the command of a station to the line that reports readiness. May use all other
 * packages of the benchmark.
 */
@NullMarked
package dev.silkroute.perf.startup;

import org.jspecify.annotations.NullMarked;
