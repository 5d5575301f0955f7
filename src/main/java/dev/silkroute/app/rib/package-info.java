/**
 * The RIB in memory as part of the station: its beans and size, its loading and offsets, its readiness and metrics.
 */
@NullMarked
package dev.silkroute.app.rib;

import org.jspecify.annotations.NullMarked;
