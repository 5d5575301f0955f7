package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.silkroute.app.console.Terminal;
import dev.silkroute.app.console.TextTable;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The history of a prefix as intervals: the times in which a peer's view had a route that did not change. In a bar each
 * character is a part of the whole time.
 */
final class Timeline {
    private static final String FROM = "from";
    private static final String UNTIL = "until";

    /** The identity of a route of the prefix. */
    private static final List<String> IDENTITY = List.of(
            "router",
            "peer_address",
            "peer_distinguisher",
            "peer_bgp_id",
            "peer_type",
            "rib_view",
            "family",
            "rd",
            "path_id");

    /** Fields of an event that are not those of its route. */
    private static final Set<String> OF_EVENT =
            Set.of("event", "change", "changed", "synthetic", "received_at", "router_time", "session_id", "sequence");

    private static final int DEFAULT_WIDTH = 120;
    private static final int MIN_BAR = 20;
    private static final int MAX_BAR = 80;
    private static final int BORDERS = 12;

    private Timeline() {}

    /** Returns the intervals of events in the order of time; {@code until} is absent from those that have not ended. */
    static ArrayNode of(List<JsonNode> events) {
        var intervals = JsonNodeFactory.instance.arrayNode();
        Map<String, ObjectNode> open = new LinkedHashMap<>();
        for (var event : events) {
            var key = key(event);
            if (event.path("change").asText().equals("repeated")) {
                continue;
            }
            var before = open.remove(key);
            if (before != null) {
                before.set(UNTIL, event.get("received_at"));
            }
            if (event.path("event").asText().equals("announce")) {
                var interval = intervals.addObject();
                interval.set(FROM, event.get("received_at"));
                event.fields().forEachRemaining(field -> {
                    if (!OF_EVENT.contains(field.getKey())) {
                        interval.set(field.getKey(), field.getValue());
                    }
                });
                open.put(key, interval);
            }
        }
        return intervals;
    }

    private static String key(JsonNode row) {
        var key = new StringBuilder();
        IDENTITY.forEach(field -> key.append(row.path(field).asText()).append('\t'));
        return key.toString();
    }

    /** Returns a line for each route, with a bar from the beginning of the first interval to the end of the last. */
    static String text(List<JsonNode> intervals) {
        if (intervals.isEmpty()) {
            return "The history has no route for this prefix\n";
        }
        Map<String, List<JsonNode>> routes = new TreeMap<>();
        intervals.forEach(
                row -> routes.computeIfAbsent(key(row), _ -> new ArrayList<>()).add(row));
        boolean isOpen = intervals.stream().anyMatch(row -> !row.has(UNTIL));
        Instant first = intervals.stream()
                .map(row -> time(row, FROM))
                .min(Instant::compareTo)
                .orElseThrow();
        Instant last = isOpen
                ? Instant.now()
                : intervals.stream()
                        .map(row -> time(row, UNTIL))
                        .max(Instant::compareTo)
                        .orElseThrow();
        int names = routes.values().stream()
                .mapToInt(route -> name(route.getFirst()).length())
                .max()
                .orElse(0);
        int terminal = Terminal.columns();
        int bar = Math.clamp((terminal == 0 ? DEFAULT_WIDTH : terminal) - names - BORDERS, MIN_BAR, MAX_BAR);
        List<List<String>> lines = new ArrayList<>();
        for (var route : routes.values()) {
            lines.add(List.of(name(route.getFirst()), bar(route, first, last, bar), Integer.toString(route.size())));
        }
        var span = "%s to %s"
                .formatted(
                        first.truncatedTo(ChronoUnit.SECONDS), isOpen ? "now" : last.truncatedTo(ChronoUnit.SECONDS));
        return span + "\n"
                + TextTable.of(
                        List.of(
                                new TextTable.Column("route", false),
                                new TextTable.Column("", false),
                                new TextTable.Column("times", true)),
                        lines);
    }

    private static String name(JsonNode route) {
        var name = new StringBuilder(route.path("router").asText())
                .append(' ')
                .append(route.path("peer_address").asText())
                .append(' ')
                .append(route.path("rib_view").asText());
        for (var field : List.of("rd", "path_id")) {
            if (route.has(field)) {
                name.append(' ').append(route.get(field).asText());
            }
        }
        return name.toString();
    }

    private static String bar(List<JsonNode> route, Instant first, Instant last, int length) {
        var bar = new StringBuilder(".".repeat(length));
        for (var interval : route) {
            int from = position(time(interval, FROM), first, last, length, length - 1);
            int until = interval.has(UNTIL)
                    ? Math.max(from + 1, position(time(interval, UNTIL), first, last, length, length))
                    : length;
            for (int i = from; i < until; i++) {
                bar.setCharAt(i, '=');
            }
        }
        for (var interval : route) {
            int from = position(time(interval, FROM), first, last, length, length - 1);
            if (from > 0) {
                bar.setCharAt(from, '|');
            }
        }
        return bar.toString();
    }

    /** Returns the character of a bar that a time falls on, at most {@code max}. */
    private static int position(Instant time, Instant first, Instant last, int length, int max) {
        long whole = Math.max(1, Duration.between(first, last).toMillis());
        return (int) Math.clamp(Duration.between(first, time).toMillis() * length / whole, 0, max);
    }

    private static Instant time(JsonNode row, String field) {
        return OffsetDateTime.parse(row.path(field).asText()).toInstant();
    }
}
