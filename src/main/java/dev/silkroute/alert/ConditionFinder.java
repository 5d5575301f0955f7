package dev.silkroute.alert;

import dev.silkroute.alert.path.PathCondition;
import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.alert.record.Evidence;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.RibView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Finds the conditions of a prefix. Stateless. */
final class ConditionFinder {
    /** The RIB views with routes that the policy of a router has accepted. */
    private static final Set<String> ACCEPTED = Set.of(RibView.ADJ_RIB_IN_POST_POLICY.text(), RibView.LOC_RIB.text());

    private final AlertRules rules;

    ConditionFinder(AlertRules rules) {
        this.rules = rules;
    }

    /**
     * Returns the conditions that at least one route or loss meets, by their keys.
     *
     * @param isCurrent whether the feed of a route or loss is up and has confirmed it
     */
    Map<String, Condition> find(TrackedPrefix tracked, Predicate<TrackedRoute> isCurrent) {
        Map<String, Condition> found = new TreeMap<>();
        for (TrackedRoute route : tracked.routes().values()) {
            for (Condition condition : conditions(tracked, route)) {
                add(found, tracked, condition, route, isCurrent);
            }
        }
        MonitoredPrefix entry = tracked.entry();
        if (entry != null && tracked.isListed() && entry.has(AlertRule.VISIBILITY_LOSS)) {
            for (TrackedRoute loss : tracked.losses().values()) {
                Condition condition = new Condition(
                        AlertRule.VISIBILITY_LOSS,
                        "",
                        tracked.prefix() + " is no longer visible",
                        List.of(Condition.exclusion(AlertRule.VISIBILITY_LOSS, entry)));
                add(found, tracked, condition, loss, isCurrent);
            }
        }
        return found;
    }

    private static void add(
            Map<String, Condition> found,
            TrackedPrefix tracked,
            Condition condition,
            TrackedRoute route,
            Predicate<TrackedRoute> isCurrent) {
        found.computeIfAbsent(condition.key(tracked.subject()), key -> condition)
                .add(route.evidence(), isCurrent.test(route));
    }

    private List<Condition> conditions(TrackedPrefix tracked, TrackedRoute route) {
        MonitoredPrefix entry = tracked.entry();
        if (entry == null) {
            return unlisted(tracked, route);
        }
        List<Condition> conditions = new ArrayList<>();
        origin(tracked, entry, route, conditions);
        path(entry, route, conditions);
        if (route.invalid()) {
            invalid(route, Condition.exclusion(AlertRule.RPKI_INVALID, entry), conditions);
        }
        if (route.pathInvalid()) {
            conditions.add(invalidPath(route, Condition.exclusion(AlertRule.ASPA_INVALID_ACCEPTED, entry)));
        }
        conditions.addAll(neighbors(route));
        conditions.addAll(leaks(route));
        conditions.removeIf(condition -> !entry.has(condition.rule()));
        return conditions;
    }

    private List<Condition> unlisted(TrackedPrefix tracked, TrackedRoute route) {
        List<Condition> conditions = new ArrayList<>();
        List<Long> own = route.origins().stream()
                .filter(asn -> rules.monitoredAs(asn) != null)
                .toList();
        if (!own.isEmpty()) {
            String asns = asns(own);
            conditions.add(new Condition(
                    AlertRule.UNLISTED_PREFIX,
                    asns,
                    asns + " originates " + tracked.prefix() + ", which no entry covers",
                    List.of("an entry for " + tracked.prefix(), "options.monitorASns without " + asns)));
            if (route.invalid()) {
                invalid(route, "options.monitorASns without " + asns, conditions);
            }
            if (route.pathInvalid()) {
                conditions.add(invalidPath(route, "options.monitorASns without " + asns));
            }
        }
        conditions.addAll(neighbors(route));
        conditions.addAll(leaks(route));
        return conditions;
    }

    private static void invalid(TrackedRoute route, String exclusion, List<Condition> conditions) {
        String asns = asns(route.origins());
        String roa = "a ROA for " + route.evidence().routePrefix() + " and " + asns;
        String text = route.evidence().routePrefix() + " with origin " + asns + " is invalid by RPKI";
        conditions.add(new Condition(AlertRule.RPKI_INVALID, asns, text, List.of(roa, exclusion)));
        if (ACCEPTED.contains(route.evidence().ribView())) {
            conditions.add(new Condition(
                    AlertRule.RPKI_INVALID_ACCEPTED,
                    asns,
                    text + " and accepted",
                    List.of("a policy of the router that rejects invalid routes", roa, exclusion)));
        }
    }

    private static Condition invalidPath(TrackedRoute route, String exclusion) {
        String asns = asns(route.origins());
        return new Condition(
                AlertRule.ASPA_INVALID_ACCEPTED,
                asns,
                route.evidence().routePrefix() + " with origin " + asns
                        + " has an AS path that is invalid by ASPA, and is accepted",
                List.of(
                        "a policy of the router that rejects invalid paths",
                        "ASPAs of the ASes in the path that contain their providers",
                        exclusion));
    }

    /** Returns whether a route is a leak. */
    boolean isLeak(String asPath, OptionalLong onlyToCustomer, long neighbor) {
        return !leaks(asPath, onlyToCustomer, neighbor, "it").isEmpty();
    }

    private List<Condition> leaks(TrackedRoute route) {
        Evidence evidence = route.evidence();
        return rules.findsLeaks()
                ? leaks(
                        evidence.asPath(),
                        route.onlyToCustomer(),
                        evidence.vantagePoint().peerAsn(),
                        evidence.routePrefix().toString())
                : List.of();
    }

    private List<Condition> leaks(String asPath, OptionalLong onlyToCustomer, long neighbor, String prefix) {
        List<Condition> conditions = new ArrayList<>();
        NeighborRole role = rules.role(neighbor);
        if (role != null && onlyToCustomer.isPresent() && role.leaks(neighbor, onlyToCustomer.getAsLong())) {
            conditions.add(new Condition(
                    AlertRule.OTC_LEAK,
                    "AS" + neighbor + " AS" + onlyToCustomer.getAsLong(),
                    "the " + role.text() + " AS" + neighbor + " has leaked " + prefix
                            + ", which is only to customers of AS" + onlyToCustomer.getAsLong(),
                    List.of("another role of AS" + neighbor + " in options.neighborRoles, or none")));
        }
        if (!rules.relations().isEmpty()) {
            pathLeaks(asPath, prefix, conditions);
        }
        return conditions;
    }

    /**
     * Finds the ASes that have sent a route of a provider or peer to another one. Repetitions of an AS count once;
     * members of a set are not neighbors.
     */
    private void pathLeaks(String asPath, String prefix, List<Condition> conditions) {
        long to = -1;
        long by = -1;
        for (String text : asPath.split(" ", -1)) {
            long from = isAsn(text) ? Long.parseLong(text) : -1;
            if (from == by) {
                continue;
            }
            if (to >= 0 && by >= 0 && from >= 0) {
                String source = rules.relations().above(by, from);
                String target = rules.relations().above(by, to);
                if (!source.isEmpty() && !target.isEmpty()) {
                    conditions.add(new Condition(
                            AlertRule.PATH_LEAK,
                            "AS" + by + " AS" + from + " AS" + to,
                            "AS" + by + " has sent " + prefix + " from its " + source + " AS" + from + " to its "
                                    + target + " AS" + to,
                            List.of("options.relations without one of the two relations of AS" + by)));
                }
            }
            to = by;
            by = from;
        }
    }

    /** Returns whether a path has an unexpected AS behind a monitored one. */
    boolean hasNewDownstream(String asPath) {
        return neighbors(asPath).stream().anyMatch(condition -> condition.rule() == AlertRule.NEW_DOWNSTREAM);
    }

    private List<Condition> neighbors(TrackedRoute route) {
        return rules.monitorsAnyAs() ? neighbors(route.evidence().asPath()) : List.of();
    }

    /** Compares the neighbors of monitored ASes in a path. Members of a set are not neighbors. */
    private List<Condition> neighbors(String asPath) {
        List<Condition> conditions = new ArrayList<>();
        String before = "";
        for (String asn : asPath.split(" ", -1)) {
            if (!asn.equals(before) && isAsn(before) && isAsn(asn)) {
                neighbors(Long.parseLong(before), Long.parseLong(asn), conditions);
            }
            before = asn;
        }
        return conditions;
    }

    private static boolean isAsn(String text) {
        return !text.isEmpty()
                && Character.isDigit(text.charAt(0))
                && Character.isDigit(text.charAt(text.length() - 1));
    }

    private void neighbors(long upstream, long downstream, List<Condition> conditions) {
        MonitoredAs behind = rules.monitoredAs(downstream);
        if (behind != null && !behind.isExpectedUpstream(upstream)) {
            conditions.add(neighbor(AlertRule.NEW_UPSTREAM, "upstream", downstream, upstream));
        }
        MonitoredAs before = rules.monitoredAs(upstream);
        if (before != null && !before.isExpectedDownstream(downstream)) {
            conditions.add(neighbor(AlertRule.NEW_DOWNSTREAM, "downstream", upstream, downstream));
        }
    }

    private static Condition neighbor(AlertRule rule, String side, long monitored, long neighbor) {
        return new Condition(
                rule,
                "AS" + monitored + " AS" + neighbor,
                "AS" + monitored + " has the unexpected " + side + " AS" + neighbor,
                List.of(side + "s of AS" + monitored + " in options.monitorASns contains " + neighbor));
    }

    private static void origin(
            TrackedPrefix tracked, MonitoredPrefix entry, TrackedRoute route, List<Condition> conditions) {
        List<Long> unexpected = route.origins().stream()
                .filter(asn -> !entry.asns().contains(asn))
                .toList();
        if (tracked.isListed()) {
            if (!unexpected.isEmpty() && entry.has(AlertRule.ORIGIN_CHANGE)) {
                conditions.add(unexpectedOrigin(AlertRule.ORIGIN_CHANGE, tracked, entry, unexpected));
            }
        } else if (!unexpected.isEmpty()) {
            if (entry.has(AlertRule.MORE_SPECIFIC)) {
                conditions.add(unexpectedOrigin(AlertRule.MORE_SPECIFIC, tracked, entry, unexpected));
            }
        } else if (entry.has(AlertRule.NEW_PREFIX)) {
            String asns = asns(route.origins());
            conditions.add(new Condition(
                    AlertRule.NEW_PREFIX,
                    asns,
                    asns + " originates " + tracked.prefix() + ", a more specific prefix of " + entry.prefix(),
                    List.of(
                            "an entry for " + tracked.prefix(),
                            "ignoreMorespecifics of " + entry.prefix(),
                            Condition.exclusion(AlertRule.NEW_PREFIX, entry))));
        }
    }

    private static Condition unexpectedOrigin(
            AlertRule rule, TrackedPrefix tracked, MonitoredPrefix entry, List<Long> unexpected) {
        String asns = asns(unexpected);
        List<String> suppressedBy = new ArrayList<>();
        suppressedBy.add("asn of " + entry.prefix() + " contains " + asns);
        suppressedBy.add(
                rule == AlertRule.ORIGIN_CHANGE
                        ? "ignore of " + entry.prefix()
                        : "ignoreMorespecifics of " + entry.prefix());
        suppressedBy.add(Condition.exclusion(rule, entry));
        String text = tracked.prefix() + " has origin " + asns + ", expected " + asns(entry.asns())
                + (rule == AlertRule.ORIGIN_CHANGE ? "" : " by " + entry.prefix());
        return new Condition(rule, asns, text, suppressedBy);
    }

    private static void path(MonitoredPrefix entry, TrackedRoute route, List<Condition> conditions) {
        if (!entry.has(AlertRule.AS_PATH)) {
            return;
        }
        for (int i = 0; i < entry.paths().size(); i++) {
            PathCondition path = entry.paths().get(i);
            if (path.matches(route.evidence().asPath())) {
                conditions.add(new Condition(
                        AlertRule.AS_PATH,
                        "path " + (i + 1),
                        path.text(),
                        List.of(
                                "notMatch of " + entry.prefix() + " matches the path",
                                Condition.exclusion(AlertRule.AS_PATH, entry))));
            }
        }
    }

    private static String asns(Collection<Long> asns) {
        return asns.stream()
                .map(Objects::toString)
                .map(asn -> "AS" + asn)
                .sorted()
                .collect(Collectors.joining(" or "));
    }
}
