package dev.silkroute.app.ask;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.console.TextTable;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Formats a response of {@code /api/v1/status} for a terminal. */
final class StatusText {
    /** A column of a table: its header and the field that it shows. */
    private record Column(String header, String field, boolean numeric) {
        TextTable.Column layout() {
            return new TextTable.Column(header, numeric);
        }
    }

    private static final List<Column> LANES = List.of(
            new Column("lane", "topic", false), new Column("records", "records", true), new Column("lag", "lag", true));

    private static final List<Column> ROUTERS = List.of(
            new Column("router", "router", false),
            new Column("address", "address", false),
            new Column("state", "state", false),
            new Column("connected at", "connected_at", false),
            new Column("peers up", "peers_up", true),
            new Column("peers", "peers", true));

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
                + problems(status.path("problems"))
                + table(LANES, status.path("lanes"))
                + table(ROUTERS, routers.path("list"));
    }

    private static String problems(JsonNode problems) {
        return StreamSupport.stream(problems.spliterator(), false)
                .map(problem -> "! " + problem.asText() + "\n")
                .collect(Collectors.joining());
    }

    private static String table(List<Column> columns, JsonNode objects) {
        var rows = StreamSupport.stream(objects.spliterator(), false)
                .map(object -> columns.stream()
                        .map(column -> text(object, column.field()))
                        .toList())
                .toList();
        return rows.isEmpty()
                ? ""
                : "\n" + TextTable.of(columns.stream().map(Column::layout).toList(), rows);
    }

    private static String text(JsonNode object, String field) {
        return JsonValues.text(object, field, ",");
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
