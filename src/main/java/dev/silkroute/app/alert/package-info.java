/**
 * Alerts as part of the station: the rules of {@code silkroute.alerts}, the feed with the current state and the
 * records of {@code bmp.routes} behind it, and the metrics. {@code dev.silkroute.alert} evaluates the rules.
 */
@NullMarked
package dev.silkroute.app.alert;

import org.jspecify.annotations.NullMarked;
