/**
 * Measures queries about the past and checks their answers: {@code rib_at}, {@code rib_diff}, the timeline of a
 * prefix, and alert rules on an hour of the history.
 */
@NullMarked
package dev.silkroute.perf.past;

import org.jspecify.annotations.NullMarked;
