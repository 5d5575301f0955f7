/** Kills processes of a station and stops its servers under load, and counts events that are lost or stored twice. */
@NullMarked
package dev.silkroute.perf.chaos;

import org.jspecify.annotations.NullMarked;
