package dev.silkroute.app.ask;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private static JsonNode event(int second, String peer, String event, String change, String path) {
        ObjectNode row = JsonNodeFactory.instance.objectNode();
        row.put("event", event).put("change", change);
        row.put("received_at", "2026-11-25T12:00:%02d.5+00:00".formatted(second));
        row.put("router", "edge")
                .put("peer_address", peer)
                .put("rib_view", "loc-rib")
                .put("session_id", 7);
        return path.isEmpty() ? row : row.put("as_path", path);
    }

    private static final List<JsonNode> EVENTS = List.of(
            event(0, "a", "announce", "new", "1 2"),
            event(0, "b", "announce", "new", "3"),
            event(10, "a", "announce", "repeated", "1 2"),
            event(20, "a", "announce", "changed", "1 4"),
            event(30, "b", "withdraw", "withdrawn", ""),
            event(35, "b", "withdraw", "was not there", ""),
            event(40, "a", "withdraw", "withdrawn", ""));

    private static List<JsonNode> intervals() {
        List<JsonNode> list = new ArrayList<>();
        Timeline.of(EVENTS).forEach(list::add);
        return list;
    }

    @Test
    void anIntervalIsATimeInWhichARouteDidNotChange() {
        assertThat(intervals())
                .extracting(row -> "%s %s %s %s"
                        .formatted(
                                row.get("peer_address").asText(),
                                row.get("from").asText().substring(17, 19),
                                row.path("until").asText("open").replaceAll("^.{17}(..).*$", "$1"),
                                row.get("as_path").asText()))
                .containsExactly("a 00 20 1 2", "b 00 30 3", "a 20 40 1 4");
        assertThat(intervals().getFirst().has("session_id")).isFalse();
    }

    @Test
    void aBarShowsWhenARouteWasThereAndWhenItChanged() {
        String text = Timeline.text(intervals());
        assertThat(text).startsWith("2026-11-25T12:00:00Z to 2026-11-25T12:00:40Z\n");
        assertThat(text).contains("| " + "=".repeat(40) + "|" + "=".repeat(39) + " |     2");
        assertThat(text).contains("| " + "=".repeat(60) + ".".repeat(20) + " |     1");
        assertThat(Timeline.text(List.of())).isEqualTo("The history has no route for this prefix\n");
    }

    @Test
    void aRouteThatIsStillThereHasNoEnd() {
        List<JsonNode> rows = new ArrayList<>();
        Timeline.of(EVENTS.subList(0, 2)).forEach(rows::add);
        assertThat(rows).noneMatch(row -> row.has("until"));
        assertThat(Timeline.text(rows)).contains(" to now\n").contains("=".repeat(80));
    }
}
