/**
 * The parts of the records of {@code bmp.alerts}: the {@link dev.silkroute.alert.record.AlertRule} and {@link
 * dev.silkroute.alert.record.AlertSubject} of an alert, and its {@link dev.silkroute.alert.record.Evidence}; and the
 * records of {@code bmp.quarantine} that alerts are about. May use {@code bgp} and {@code net}.
 */
@NullMarked
package dev.silkroute.alert.record;

import org.jspecify.annotations.NullMarked;
