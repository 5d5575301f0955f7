package dev.silkroute.alert.record;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The rules that raise alerts. Their texts are part of topics, views and responses. */
public enum AlertRule {
    /** A monitored prefix has an origin AS that is not expected. */
    ORIGIN_CHANGE("origin-change", "basic-hijack-detection"),
    /** A more specific prefix of a monitored one has an origin AS that is not expected. */
    MORE_SPECIFIC("more-specific", "basic-hijack-detection"),
    /** A more specific prefix of a monitored one, which is not listed itself, has an expected origin AS. */
    NEW_PREFIX("new-prefix", "prefix-detection"),
    /** A monitored AS originates a prefix that no entry covers. */
    UNLISTED_PREFIX("unlisted-prefix", "asn-monitor"),
    /** Vantage points have lost a monitored prefix. */
    VISIBILITY_LOSS("visibility-loss", "withdrawal-detection"),
    /** The AS path of a monitored prefix, or of a more specific one, matches a pattern. */
    AS_PATH("as-path", "path-matching"),
    /** A monitored prefix, a more specific one, or a route of a monitored AS is invalid by RPKI. */
    RPKI_INVALID("rpki-invalid", "rpki-monitor"),
    /** Such a route is invalid, and the router's policy has accepted it. */
    RPKI_INVALID_ACCEPTED("rpki-invalid-accepted", "rpki-monitor"),
    /** Such a route has an AS path that is invalid by ASPAs, and the router's policy has accepted it. */
    ASPA_INVALID_ACCEPTED("aspa-invalid-accepted", ""),
    /** An AS path has an unexpected AS before a monitored one. */
    NEW_UPSTREAM("new-upstream", "path-neighbors"),
    /** An AS path has an unexpected AS behind a monitored one. */
    NEW_DOWNSTREAM("new-downstream", "path-neighbors"),
    /** A neighbor has sent a route that it must not send, by Only to Customer (RFC 9234). */
    OTC_LEAK("otc-leak", ""),
    /** An AS in a path has sent a route of a provider or peer to another provider or peer. */
    PATH_LEAK("path-leak", ""),
    /** A router has been disconnected longer than its rule permits. */
    ROUTER_GONE("router-gone", ""),
    /** A peer has been down longer than its rule permits, while its router is connected. */
    PEER_GONE("peer-gone", ""),
    /** The number of routes in a table is too large or too small, or has changed too much. */
    TABLE_SIZE("table-size", ""),
    /** The number of routes in a table has differed from the router's statistics longer than permitted. */
    TABLE_DIVERGENCE("table-divergence", ""),
    /** A router or peer has sent too many messages that could not be decoded. */
    QUARANTINE_GROWTH("quarantine-growth", "");

    private final String text;
    private final String monitor;

    AlertRule(String text, String monitor) {
        this.text = text;
        this.monitor = monitor;
    }

    public String text() {
        return text;
    }

    /** Returns the name of the corresponding monitor in BGPalerter's example configuration; empty without one. */
    public String monitor() {
        return monitor;
    }

    /** Returns whether thresholds apply; otherwise one event is enough. */
    public boolean countsVantagePoints() {
        return switch (this) {
            case ROUTER_GONE, PEER_GONE, TABLE_SIZE, TABLE_DIVERGENCE, QUARANTINE_GROWTH -> false;
            default -> true;
        };
    }

    /** Returns the texts of all rules. */
    public static List<String> texts() {
        return Arrays.stream(values()).map(AlertRule::text).toList();
    }

    public static Optional<AlertRule> of(String text) {
        return Arrays.stream(values()).filter(rule -> rule.text.equals(text)).findFirst();
    }
}
