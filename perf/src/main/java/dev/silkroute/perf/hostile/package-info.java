/** Valid BMP that is meant to exhaust a station, and what a router beside it notices. */
@NullMarked
package dev.silkroute.perf.hostile;

import org.jspecify.annotations.NullMarked;
