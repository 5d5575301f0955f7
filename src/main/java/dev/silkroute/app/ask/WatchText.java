package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.console.OutputOptions;
import dev.silkroute.app.console.ResultFormat;
import dev.silkroute.net.IpPrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Formats the messages of the live stream as lines, one for each route and each event of a peer or session. A table's
 * columns have fixed widths, because the rows to come are not known; longer values push the others to the right.
 */
final class WatchText {
    private static final List<String> FIELDS = List.of(
            "received_at",
            "event",
            "router",
            "peer",
            "rib_view",
            "family",
            "nlri",
            "path_id",
            "next_hop",
            "as_path",
            "communities");

    private static final int TIME_FROM = 11;
    private static final int TIME_TO = 23;
    private static final String RED = "\u001b[31m";
    private static final String GREEN = "\u001b[32m";
    private static final String YELLOW = "\u001b[33m";
    private static final String PLAIN = "\u001b[0m";

    private final ResultFormat format;
    private final boolean colored;
    private final Predicate<IpPrefix> selected;

    /** @param selected which routes of a message are shown; JSON is the whole message */
    WatchText(ResultFormat format, boolean colored, Predicate<IpPrefix> selected) {
        this.format = format;
        this.colored = colored;
        this.selected = selected;
    }

    /** Returns the line above the first one; empty for JSON. */
    String header() {
        return switch (format) {
            case json -> "";
            case csv -> OutputOptions.csvLine(FIELDS);
            case table -> row("time", "event", "router", "peer", "view", "route", "path");
        };
    }

    /** @param event the name of the server-sent event */
    List<String> lines(String event, JsonNode data) {
        if (format == ResultFormat.json) {
            return List.of(data + "\n");
        }
        if (event.equals("missed")) {
            String messages = data.has("messages") ? data.get("messages").asText() : "an unknown number of";
            String notice =
                    "missed " + messages + " messages (" + data.path("cause").asText() + ")\n";
            return format == ResultFormat.csv
                    ? List.of(OutputOptions.csvLine(List.of("", notice.strip())))
                    : List.of(color(YELLOW, notice));
        }
        List<String> lines = new ArrayList<>();
        for (Route route : routes(data)) {
            if (!route.prefix.isEmpty() && !selected.test(IpPrefix.parse(route.prefix))) {
                continue;
            }
            lines.add(format == ResultFormat.csv ? csv(data, route) : table(data, route));
        }
        return lines;
    }

    /**
     * A route of a message.
     *
     * @param prefix empty if its NLRI is not a prefix
     */
    private record Route(String nlri, String prefix, String pathId) {
        static Route of(String prefix) {
            return new Route(prefix, prefix, "");
        }
    }

    private static List<Route> routes(JsonNode data) {
        List<Route> routes = new ArrayList<>();
        if (data.has("routes")) {
            data.get("routes")
                    .forEach(route -> routes.add(new Route(
                            route.path("nlri").asText(),
                            route.path("prefix").asText(""),
                            route.path("path_id").asText(""))));
        } else {
            data.path("announcements")
                    .forEach(group -> group.path("prefixes").forEach(prefix -> routes.add(Route.of(prefix.asText()))));
            data.path("withdrawals").forEach(prefix -> routes.add(Route.of(prefix.asText())));
        }
        return routes.isEmpty() ? List.of(Route.of("")) : routes;
    }

    private static String csv(JsonNode data, Route route) {
        return OutputOptions.csvLine(FIELDS.stream()
                .map(field -> switch (field) {
                    case "nlri" -> route.nlri;
                    case "path_id" -> route.pathId;
                    case "communities" -> {
                        List<String> communities = new ArrayList<>();
                        data.path(field).forEach(each -> communities.add(each.asText()));
                        yield String.join(" ", communities);
                    }
                    default -> data.path(field).asText("");
                })
                .toList());
    }

    private String table(JsonNode data, Route route) {
        String time = data.path("received_at").asText();
        String event = data.path("event").asText();
        String line = row(
                time.length() >= TIME_TO ? time.substring(TIME_FROM, TIME_TO) : time,
                event,
                data.path("router").asText(),
                data.path("peer").asText(),
                data.path("rib_view").asText(),
                subject(data, route),
                data.path("as_path").asText());
        return switch (event) {
            case "announce", "peer-up", "session-up" -> color(GREEN, line);
            case "withdraw", "peer-down", "session-down" -> color(RED, line);
            default -> line;
        };
    }

    /** Returns what a message is about: a route, a family, or the side and content of an OPEN or NOTIFICATION. */
    private static String subject(JsonNode data, Route route) {
        if (data.has("direction")) {
            JsonNode notification = data.path("notification");
            String content = notification.isMissingNode()
                    ? "AS " + data.path("asn").asText()
                    : "%s/%s %s"
                            .formatted(
                                    notification.path("code").asText(),
                                    notification.path("subcode").asText(),
                                    data.path("communication").asText());
            return data.get("direction").asText() + " " + content;
        }
        return (route.nlri.isEmpty() ? data.path("family").asText() : route.nlri)
                + (route.pathId.isEmpty() ? "" : " id " + route.pathId);
    }

    private static String row(
            String time, String event, String router, String peer, String view, String route, String path) {
        return "%-12s %-12s %-16s %-15s %-16s %-20s %s"
                        .formatted(time, event, router, peer, view, route, path)
                        .stripTrailing()
                + "\n";
    }

    private String color(String color, String line) {
        return colored ? color + line.stripTrailing() + PLAIN + "\n" : line;
    }
}
