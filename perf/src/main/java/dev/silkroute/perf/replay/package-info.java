/** How exactly {@code silkroute replay --speed original} keeps the times of a capture. */
@NullMarked
package dev.silkroute.perf.replay;

import org.jspecify.annotations.NullMarked;
