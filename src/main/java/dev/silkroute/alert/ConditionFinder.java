package dev.silkroute.alert;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Finds the conditions of a prefix. Stateless. */
final class ConditionFinder {
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
        found.computeIfAbsent(condition.key(tracked.prefix()), key -> condition)
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
        if (route.invalid() && entry.has(AlertRule.RPKI_INVALID)) {
            conditions.add(invalid(route, Condition.exclusion(AlertRule.RPKI_INVALID, entry)));
        }
        return conditions;
    }

    private List<Condition> unlisted(TrackedPrefix tracked, TrackedRoute route) {
        List<Condition> conditions = new ArrayList<>();
        List<Long> own = route.origins().stream()
                .filter(asn -> rules.groupOf(asn) != null)
                .toList();
        if (!own.isEmpty()) {
            String asns = asns(own);
            conditions.add(new Condition(
                    AlertRule.UNLISTED_PREFIX,
                    asns,
                    asns + " originates " + tracked.prefix() + ", which no entry covers",
                    List.of("an entry for " + tracked.prefix(), "options.monitorASns without " + asns)));
            if (route.invalid()) {
                conditions.add(invalid(route, "options.monitorASns without " + asns));
            }
        }
        return conditions;
    }

    private static Condition invalid(TrackedRoute route, String exclusion) {
        String asns = asns(route.origins());
        return new Condition(
                AlertRule.RPKI_INVALID,
                asns,
                route.evidence().prefix() + " with origin " + asns + " is invalid by RPKI",
                List.of("a ROA for " + route.evidence().prefix() + " and " + asns, exclusion));
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
        String text = tracked.prefix() + " has origin " + asns + ", expected is " + asns(entry.asns())
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
