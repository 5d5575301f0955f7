package dev.silkroute.perf.incidents;

import static dev.silkroute.perf.incidents.Network.FAR_ORIGIN;
import static dev.silkroute.perf.incidents.Network.LEAKER;
import static dev.silkroute.perf.incidents.Network.MINE;
import static dev.silkroute.perf.incidents.Network.NEW_UPSTREAM;
import static dev.silkroute.perf.incidents.Network.OLD_TRANSIT;
import static dev.silkroute.perf.incidents.Network.OTHER_PROVIDER;
import static dev.silkroute.perf.incidents.Network.PROVIDER;
import static dev.silkroute.perf.incidents.Network.STRANGER;
import static dev.silkroute.perf.incidents.Network.UPSTREAMS;

import java.util.List;

/** What can happen, with the rule that finds it. */
enum IncidentKind {
    /** A stranger announces the listed prefix. */
    HIJACK("origin-change", true) {
        @Override
        List<Integer> path() {
            return List.of(STRANGER);
        }
    },
    /** A stranger announces half of it. */
    MORE_SPECIFIC_HIJACK("more-specific", false) {
        @Override
        Prefix prefix(Incident incident) {
            return half(incident);
        }

        @Override
        List<Integer> path() {
            return List.of(STRANGER);
        }
    },
    /** The own AS announces half of it. */
    NEW_PREFIX("new-prefix", false) {
        @Override
        Prefix prefix(Incident incident) {
            return half(incident);
        }

        @Override
        List<Integer> path() {
            return List.of(UPSTREAMS.getFirst(), MINE);
        }
    },
    /** The own AS announces a prefix that no entry covers. */
    UNLISTED_PREFIX("unlisted-prefix", false) {
        @Override
        Prefix prefix(Incident incident) {
            return elsewhere(16, incident);
        }

        @Override
        List<Integer> path() {
            return List.of(UPSTREAMS.getFirst(), MINE);
        }
    },
    /** The listed prefix disappears. */
    LOSS("visibility-loss", true) {
        @Override
        List<Integer> path() {
            return List.of();
        }
    },
    /** It comes by a transit that it must not come by. */
    OLD_TRANSIT_PATH("as-path", true) {
        @Override
        List<Integer> path() {
            return List.of(OLD_TRANSIT, UPSTREAMS.getFirst(), MINE);
        }
    },
    /** It has an upstream that is not expected. */
    UPSTREAM("new-upstream", true) {
        @Override
        List<Integer> path() {
            return List.of(NEW_UPSTREAM, MINE);
        }
    },
    /** A customer sends a route that it has of a provider, by Only to Customer. */
    CUSTOMER_LEAK("otc-leak", false) {
        @Override
        Prefix prefix(Incident incident) {
            return elsewhere(20, incident);
        }

        @Override
        List<Integer> path() {
            return List.of(FAR_ORIGIN);
        }
    },
    /** An AS sends a route of one provider to another. */
    LEAK("path-leak", false) {
        @Override
        Prefix prefix(Incident incident) {
            return elsewhere(21, incident);
        }

        @Override
        List<Integer> path() {
            return List.of(PROVIDER, LEAKER, OTHER_PROVIDER, FAR_ORIGIN);
        }
    },
    /** A new VRP makes the listed prefix invalid as it is announced. */
    ROA_CHANGE("rpki-invalid", true) {
        @Override
        List<Integer> path() {
            return List.of(UPSTREAMS.getFirst(), MINE);
        }
    };

    private final String rule;
    private final boolean ofListedPrefix;

    IncidentKind(String rule, boolean ofListedPrefix) {
        this.rule = rule;
        this.ofListedPrefix = ofListedPrefix;
    }

    String rule() {
        return rule;
    }

    /** Whether the prefix has a route before the incident, to which it returns, or none. */
    boolean isOfListedPrefix() {
        return ofListedPrefix;
    }

    /** Whether it reaches the station on a socket of a router, and not in a file. */
    boolean isSent() {
        return this != ROA_CHANGE;
    }

    Prefix prefix(Incident incident) {
        return incident.listed();
    }

    /** The AS path of the incident after the vantage point's own AS; empty for a withdrawal. */
    abstract List<Integer> path();

    /** The number of vantage points that raise the alert. */
    int threshold() {
        return this == LOSS ? Network.MIN_VISIBILITY_LOSS : Network.MIN_VANTAGE_POINTS;
    }

    private static Prefix half(Incident incident) {
        return new Prefix(incident.listed().address() | 128, 25);
    }

    private static Prefix elsewhere(int second, Incident incident) {
        return Prefix.of(172, second + 8 * (incident.number() >> 8), incident.number() & 0xFF, 0, 24);
    }
}
