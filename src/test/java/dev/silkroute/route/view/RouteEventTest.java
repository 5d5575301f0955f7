package dev.silkroute.route.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.RibView;
import dev.silkroute.live.Captures;
import dev.silkroute.net.Family;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteBatchBuilder;
import dev.silkroute.route.RouteChange;
import dev.silkroute.route.VerdictCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteEventTest {
    private static final Path SCHEMA = Path.of("docs/reference/schema/route.schema.json");
    private static final ObjectMapper JSON = new ObjectMapper();

    private static List<JsonNode> events(byte[] record) throws IOException {
        return events(record, RouteChange.NOT_REPORTED);
    }

    private static List<JsonNode> events(byte[] record, RouteChange change) throws IOException {
        List<JsonNode> events = new ArrayList<>();
        RouteEvents batch = new RouteEvents(RouteBatch.read(record), VerdictCodes.NONE);
        while (batch.hasNext()) {
            events.add(JSON.readTree(batch.next().toJson(change, Map.of())));
        }
        return events;
    }

    private static JsonSchema schema() throws IOException {
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(Files.readString(SCHEMA));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"gobgp-all", "gobgp-mirror", "frr-all", "frr-noap", "frr-labeled", "frr-malformed", "bird-noap"})
    void givenARealSessionThenEachEventConformsToTheSchema(String capture) throws IOException {
        JsonSchema schema = schema();
        byte[] record = Captures.routes(capture);
        List<JsonNode> events = events(record);
        Set<ValidationMessage> wrong = new HashSet<>();
        for (JsonNode event : events) {
            wrong.addAll(schema.validate(event));
        }
        assertThat(wrong).isEmpty();
        assertThat(events).hasSize(RouteBatch.read(record).eventCount());
    }

    @ParameterizedTest
    @EnumSource
    void givenChangesThenRouteEventsHaveThem(RouteChange change) throws IOException {
        JsonSchema schema = schema();
        for (JsonNode event : events(Captures.routes("frr-noap"), change)) {
            assertThat(schema.validate(event)).isEmpty();
            boolean expected = event.has("prefix") && change != RouteChange.NOT_REPORTED;
            assertThat(event.path("change").asText("-")).isEqualTo(expected ? change.text() : "-");
        }
    }

    @Test
    void givenEventsOfEveryKindThenTheSchemaAcceptsThemAndNothingElse() throws IOException {
        Set<String> kinds = new TreeSet<>();
        for (String capture : List.of("gobgp-all", "frr-all")) {
            events(Captures.routes(capture))
                    .forEach(event -> kinds.add(event.get("event").asText()));
        }
        assertThat(kinds)
                .containsExactly(
                        "announce", "end-of-rib", "peer-down", "peer-up", "session-down", "session-up", "withdraw");
        JsonSchema schema = schema();
        JsonNode announce = events(Captures.routes("gobgp-all")).stream()
                .filter(event -> event.get("event").asText().equals("announce"))
                .findFirst()
                .orElseThrow();
        assertThat(schema.validate(announce)).isEmpty();
        assertThat(schema.validate(((ObjectNode) announce.deepCopy()).put("new", 1)))
                .isNotEmpty();
        assertThat(schema.validate(((ObjectNode) announce.deepCopy()).put("event", "withdraw")))
                .isNotEmpty();
    }

    @Test
    void givenARedecodedBatchThenItsEventsAreMarked() throws IOException {
        List<JsonNode> events = events(RouteBatch.asRedecoded(Captures.routes("frr-labeled")));
        assertThat(events)
                .allSatisfy(
                        event -> assertThat(event.get("redecoded").asBoolean()).isTrue());
        assertThat(schema().validate(events.getFirst())).isEmpty();
    }

    @Test
    void givenAMarkedPathThenItsStatusAndReasonAreNames() throws IOException {
        RouteBatchBuilder builder = new RouteBatchBuilder();
        builder.begin("c1", "r1", "192.0.2.1", 1, 2);
        int peer = builder.peer(new PeerEntry(0, 0, false, 0, 0xC000020BL, 64500, 1, RibView.LOC_RIB));
        byte[] set = HexFormat.of().parseHex("5001000100");
        long[] markings = {PathMarking.of(2, 3), PathMarking.of(0), PathMarking.NONE};
        for (int i = 0; i < markings.length; i++) {
            int index = builder.attributeSet(set, 0, set.length);
            builder.group(peer, Family.IPV4_UNICAST)
                    .at(i, 0)
                    .marking(markings[i])
                    .announce(index, 1, new byte[] {8, 10}, 0, 2);
        }
        List<JsonNode> events = events(builder.build());
        assertThat(events.get(0).get("path_status")).hasToString("[\"best\"]");
        assertThat(events.get(0).get("path_reason").asText()).isEqualTo("not-preferred-local-pref");
        assertThat(events.get(1).get("path_status")).isEmpty();
        assertThat(events.get(1).has("path_reason")).isFalse();
        assertThat(events.get(2).has("path_status")).isFalse();
        JsonSchema schema = schema();
        assertThat(events)
                .allSatisfy(event -> assertThat(schema.validate(event)).isEmpty());
    }
}
