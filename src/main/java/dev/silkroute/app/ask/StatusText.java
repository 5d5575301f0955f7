package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.console.TextTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The status of a station as text for a terminal. */
final class StatusText {
    private StatusText() {}

    static String of(JsonNode status) {
        var routers = status.path("routers");
        var peers = status.path("peers");
        return "Silkroute " + text(status, "version") + ", roles " + text(status, "roles") + ", up "
                + duration(status.path("uptime_seconds").asLong()) + "\n"
                + "Sessions: " + status.path("sessions").asLong()
                + " · Routers: " + routers.path("connected").asLong() + " of "
                + routers.path("total").asLong() + " connected"
                + " · Peers: " + peers.path("up").asLong() + " of "
                + peers.path("total").asLong() + " up\n"
                + problems(status)
                + lanes(status.path("lanes"))
                + routers(routers.path("list"));
    }

    private static String problems(JsonNode status) {
        var text = new StringBuilder();
        status.path("problems")
                .forEach(problem -> text.append("! ").append(problem.asText()).append('\n'));
        return text.toString();
    }

    private static String lanes(JsonNode lanes) {
        var rows = new ArrayList<List<String>>();
        for (var lane : lanes) {
            rows.add(List.of(text(lane, "topic"), text(lane, "records"), text(lane, "waiting")));
        }
        return table(List.of("lane", "records", "not yet written"), new boolean[] {false, true, true}, rows);
    }

    private static String routers(JsonNode routers) {
        var rows = new ArrayList<List<String>>();
        for (var router : routers) {
            rows.add(List.of(
                    text(router, "router"),
                    text(router, "address"),
                    text(router, "state"),
                    text(router, "connected_at"),
                    text(router, "peers_up"),
                    text(router, "peers")));
        }
        return table(
                List.of("router", "address", "state", "connected at", "peers up", "peers"),
                new boolean[] {false, false, false, false, true, true},
                rows);
    }

    private static String table(List<String> headers, boolean[] numeric, List<List<String>> rows) {
        if (rows.isEmpty()) {
            return "";
        }
        var table = new TextTable(headers, numeric, rows);
        var text = new StringBuilder("\n").append(table.head());
        rows.forEach(row -> text.append(table.line(row)));
        return text.toString();
    }

    private static String text(JsonNode node, String field) {
        var value = node.path(field);
        if (value.isArray()) {
            var parts = new ArrayList<String>();
            value.forEach(part -> parts.add(part.asText()));
            return String.join(",", parts);
        }
        return value.isNull() ? "" : value.asText();
    }

    private static String duration(long seconds) {
        var time = Duration.ofSeconds(seconds);
        return time.toDays() > 0
                ? time.toDays() + "d " + time.toHoursPart() + "h"
                : time.toHours() > 0
                        ? time.toHours() + "h " + time.toMinutesPart() + "m"
                        : time.toMinutes() + "m " + time.toSecondsPart() + "s";
    }
}
