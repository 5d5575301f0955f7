/** The station as a process of its own, for scenarios that measure all of it from outside. */
@NullMarked
package dev.silkroute.perf.station;

import org.jspecify.annotations.NullMarked;
