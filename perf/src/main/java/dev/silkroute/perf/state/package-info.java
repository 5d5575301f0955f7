/**
 * Scenario {@code current-state}: tables that change, kept by the station's lane and by jBMP's statement; and tables
 * that come once more unchanged, by the station's lane and by a plain upsert.
 */
@NullMarked
package dev.silkroute.perf.state;

import org.jspecify.annotations.NullMarked;
