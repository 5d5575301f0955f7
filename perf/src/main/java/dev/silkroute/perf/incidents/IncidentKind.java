package dev.silkroute.perf.incidents;

import static dev.silkroute.perf.incidents.Network.FAR_ORIGIN;
import static dev.silkroute.perf.incidents.Network.LEAKER;
import static dev.silkroute.perf.incidents.Network.MINE;
import static dev.silkroute.perf.incidents.Network.NEW_UPSTREAM;
import static dev.silkroute.perf.incidents.Network.OLD_TRANSIT;
import static dev.silkroute.perf.incidents.Network.OTHER_PROVIDER;
import static dev.silkroute.perf.incidents.Network.PROVIDER;
import static dev.silkroute.perf.incidents.Network.STRANGER;
import static dev.silkroute.perf.incidents.Network.UPSTREAM;

import java.util.Arrays;
import java.util.List;

/** The kinds of incidents, each with the rule that detects it. */
enum IncidentKind {
    /** A stranger announces the listed prefix. */
    HIJACK("origin-change", Place.LISTED, STRANGER),
    /** A stranger announces half of it. */
    MORE_SPECIFIC_HIJACK("more-specific", Place.HALF, STRANGER),
    /** The own AS announces half of it. */
    NEW_PREFIX("new-prefix", Place.HALF, UPSTREAM, MINE),
    /** The own AS announces a prefix that no entry covers. */
    UNLISTED_PREFIX("unlisted-prefix", Place.ELSEWHERE, UPSTREAM, MINE),
    /** The listed prefix disappears. */
    LOSS("visibility-loss", Place.LISTED),
    /** It comes by a transit that it must not come by. */
    OLD_TRANSIT_PATH("as-path", Place.LISTED, OLD_TRANSIT, UPSTREAM, MINE),
    /** It has an upstream that is not expected. */
    UNEXPECTED_UPSTREAM("new-upstream", Place.LISTED, NEW_UPSTREAM, MINE),
    /** A customer sends a route that it has of a provider, by Only to Customer. */
    CUSTOMER_LEAK("otc-leak", Place.ELSEWHERE, FAR_ORIGIN),
    /** An AS sends a route of one provider to another. */
    LEAK("path-leak", Place.ELSEWHERE, PROVIDER, LEAKER, OTHER_PROVIDER, FAR_ORIGIN),
    /** A new VRP makes the listed prefix invalid as it is announced. */
    ROA_CHANGE("rpki-invalid", Place.LISTED, UPSTREAM, MINE);

    private enum Place {
        LISTED,
        HALF,
        /** A prefix of the incident's own, which no entry covers. */
        ELSEWHERE
    }

    private final String rule;
    private final Place place;
    private final List<Integer> path;

    IncidentKind(String rule, Place place, Integer... path) {
        this.rule = rule;
        this.place = place;
        this.path = Arrays.asList(path);
    }

    String rule() {
        return rule;
    }

    /** The AS path of the incident after the vantage point's own AS; empty for a withdrawal. */
    List<Integer> path() {
        return path;
    }

    /** Returns whether the prefix has a route before the incident, to which it returns, or none. */
    boolean isOfListedPrefix() {
        return place == Place.LISTED;
    }

    /** Returns whether it reaches the station on a socket of a router, and not in a file. */
    boolean isSent() {
        return this != ROA_CHANGE;
    }

    /** The prefix that the alert is about. */
    Prefix prefix(Incident incident) {
        Prefix listed = incident.listed();
        return switch (place) {
            case LISTED -> listed;
            case HALF -> new Prefix(listed.address() | 128, 25);
            case ELSEWHERE -> Prefix.of(172, 16 + (incident.number() >> 8), incident.number() & 0xFF, 0, 24);
        };
    }

    /** The number of vantage points that raise the alert. */
    int threshold() {
        return this == LOSS ? Network.MIN_VISIBILITY_LOSS : Network.MIN_VANTAGE_POINTS;
    }
}
