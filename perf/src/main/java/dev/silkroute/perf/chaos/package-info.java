/** Processes of a station that are killed, and servers that are away, under load: what is lost, what comes twice. */
@NullMarked
package dev.silkroute.perf.chaos;

import org.jspecify.annotations.NullMarked;
