/** Measures how exactly {@code silkroute replay --speed original} reproduces the times of a capture. */
@NullMarked
package dev.silkroute.perf.replay;

import org.jspecify.annotations.NullMarked;
