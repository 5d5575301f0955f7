/** How long a station takes from its command to the line that says it is ready. May use all of the benchmark's other rooms. */
@NullMarked
package dev.silkroute.perf.startup;

import org.jspecify.annotations.NullMarked;
