package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.ask.JsonTable.Column;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Formats a response of {@code /api/v1/status}. */
final class StatusText {
    private static final JsonTable TOPICS = new JsonTable(List.of(
            Column.text("topic", "name"),
            Column.number("partitions", "partitions"),
            Column.number("records", "records"),
            Column.number("lag", "lag")));

    private static final JsonTable ROUTERS = new JsonTable(List.of(
            Column.text("router", "router"),
            Column.text("address", "address"),
            Column.text("state", "state"),
            Column.text("connected at", "connected_at"),
            Column.number("peers up", "peers_up"),
            Column.number("peers", "peers")));

    private StatusText() {}

    /** Formats the response for a terminal. */
    static String of(JsonNode status) {
        var routers = status.path("routers");
        var peers = status.path("peers");
        return "Silkroute " + status.path("version").asText() + ", roles "
                + elements(status.path("roles")).stream().map(JsonNode::asText).collect(Collectors.joining(","))
                + ", up "
                + duration(status.path("uptime_seconds").asLong()) + "\n"
                + "Sessions: " + status.path("sessions").asLong()
                + " · Routers: " + routers.path("connected").asLong() + " of "
                + routers.path("total").asLong() + " connected"
                + " · Peers: " + peers.path("up").asLong() + " of "
                + peers.path("total").asLong() + " up\n"
                + lines("Problem", status.path("problems"))
                + lines("Notice", status.path("notices"))
                + table(TOPICS, status.path("topics"))
                + table(ROUTERS, routers.path("list"));
    }

    private static String lines(String label, JsonNode texts) {
        return elements(texts).stream()
                .map(text -> label + ": " + text.asText() + "\n")
                .collect(Collectors.joining());
    }

    private static String table(JsonTable table, JsonNode objects) {
        return objects.isEmpty() ? "" : "\n" + table.text(elements(objects));
    }

    private static List<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    private static String duration(long seconds) {
        var time = Duration.ofSeconds(seconds);
        if (time.toDays() > 0) {
            return time.toDays() + "d " + time.toHoursPart() + "h";
        }
        return time.toHours() > 0
                ? time.toHours() + "h " + time.toMinutesPart() + "m"
                : time.toMinutes() + "m " + time.toSecondsPart() + "s";
    }
}
