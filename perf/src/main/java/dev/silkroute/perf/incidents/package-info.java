/**
 * Labelled incidents among benign updates of routers, the alerts that a station raises on them, and whether the events
 * that each alert names are enough to derive it again.
 */
@NullMarked
package dev.silkroute.perf.incidents;

import org.jspecify.annotations.NullMarked;
