/**
 * What questions about the past cost, and whether their answers are right: {@code rib_at}, {@code rib_diff}, the
 * timeline of a prefix.
 */
@NullMarked
package dev.silkroute.perf.past;

import org.jspecify.annotations.NullMarked;
