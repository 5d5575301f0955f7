package dev.silkroute.perf.incidents;

import java.util.List;

/**
 * An incident, or something similar that must not raise an alert, at some vantage points.
 *
 * @param number of all incidents and near misses, which makes their prefixes distinct
 * @param feeds the vantage points that send it, by their numbers, in this order
 * @param raises whether these are enough for an alert
 */
record Incident(int number, IncidentKind kind, List<Integer> feeds, boolean raises) {
    /** The listed prefix that belongs to the incident, also if the incident is about another one. */
    Prefix listed() {
        return Prefix.of(10, number >> 8 & 0xFF, number & 0xFF, 0, 24);
    }

    /** The prefix that the alert is about. */
    Prefix prefix() {
        return kind.prefix(this);
    }
}
