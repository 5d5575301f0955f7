/**
 * Alerts on routes: {@link dev.silkroute.alert.AlertEngine} compares the routes of a set of monitored prefixes with
 * what {@link dev.silkroute.alert.AlertRules} expects, and reports when a condition begins and ends. {@link
 * dev.silkroute.alert.QuarantineEngine} does the same with messages that could not be decoded. {@code
 * docs/how-to/alerts.md} describes each rule.
 *
 * <p>Deterministic: the same records in the same order lead to the same alerts, because all times are those of the
 * records. May use {@code alert.record}, {@code alert.path}, {@code rpki}, {@code state}, {@code route}, {@code bgp}
 * and {@code net}. No Camel, no Quarkus; only {@link dev.silkroute.alert.RulesFile} reads a file.
 */
@NullMarked
package dev.silkroute.alert;

import org.jspecify.annotations.NullMarked;
