/**
 * How the RIB's records lie in memory: arrays of the heap against foreign memory, by JMH. May use {@code perf.report}
 * and nothing of the station.
 */
@NullMarked
package dev.silkroute.perf.layout;

import org.jspecify.annotations.NullMarked;
