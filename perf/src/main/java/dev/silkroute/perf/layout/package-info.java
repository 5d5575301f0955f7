/**
 * Compares the memory layout of the RIB's records: arrays of the heap and foreign memory, by JMH. May use
 * {@code perf.report} and nothing of the station.
 */
@NullMarked
package dev.silkroute.perf.layout;

import org.jspecify.annotations.NullMarked;
