package dev.silkroute.endtoend.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.fixture.SharedStation;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import dev.silkroute.net.Family;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Replays the session of a BIRD, which sends an End-of-RIB for each of its tables, and compares {@code
 * table_synchronized} in every response that has it with the End-of-RIBs that another decoder has found.
 */
class SynchronizedTablesIT {
    private static final String CAPTURE = "bird-noap";
    private static final String ROUTER = "bird-2";
    private static final String OWN = "router=" + ROUTER;

    /** The tables whose End-of-RIB is held back. */
    private static final Set<String> HELD_BACK =
            Set.of("in-pre 192.0.2.14 ipv4-unicast", "in-post fd00:b3::15 ipv6-unicast");

    private final StationProcess station = SharedStation.get();

    private static String table(JsonNode truth) {
        return truth.get("rib").asText() + " " + truth.get("peer").asText() + " "
                + Family.text(
                        Family.of(truth.get("afi").asInt(), truth.get("safi").asInt()));
    }

    private static String tableOfRow(JsonNode row) {
        return row.get("rib_view").asText().replace("adj-rib-", "") + " "
                + row.get("peer_address").asText() + " " + row.get("family").asText();
    }

    private JsonNode json(String path) {
        HttpResponse<String> response = station.get("/api/v1" + path);
        assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
        return CaptureFiles.parse(response.body());
    }

    private List<JsonNode> rows(String path) {
        JsonNode answer = json(path);
        return StreamSupport.stream((answer.isArray() ? answer : answer.get("data")).spliterator(), false)
                .toList();
    }

    /** Returns the tables of rows with their distinct values of {@code table_synchronized}. */
    private static Map<String, Set<String>> synchronization(List<JsonNode> rows) {
        return rows.stream()
                .collect(Collectors.groupingBy(
                        SynchronizedTablesIT::tableOfRow,
                        TreeMap::new,
                        Collectors.mapping(
                                row -> row.path("table_synchronized").toString(),
                                Collectors.toCollection(TreeSet::new))));
    }

    private Map<String, Set<String>> tablesOfRoutes() {
        return synchronization(
                rows("/routes?limit=100000&fields=rib_view,peer_address,family,table_synchronized&" + OWN));
    }

    private static byte[] part(byte[] stream, List<JsonNode> messages, int mark, Predicate<JsonNode> included) {
        ByteArrayOutputStream part = new ByteArrayOutputStream();
        int[] offsets = messages.stream()
                .mapToInt(row -> row.get("off").asInt())
                .distinct()
                .toArray();
        Set<Integer> excluded = messages.stream()
                .filter(included.negate())
                .map(row -> row.get("off").asInt())
                .collect(Collectors.toSet());
        for (int i = 0; i < offsets.length && offsets[i] < mark; i++) {
            if (!excluded.contains(offsets[i])) {
                part.write(stream, offsets[i], offsets[i + 1] - offsets[i]);
            }
        }
        return part.toByteArray();
    }

    private static boolean isHeldBack(JsonNode row) {
        return row.path("action").asText().equals("eor") && HELD_BACK.contains(table(row));
    }

    @Test
    void givenASessionWithEndOfRibsThenRoutesTablesAndPeersReportThem() throws Exception {
        byte[] stream = CaptureFiles.stream(CAPTURE, ROUTER);
        List<JsonNode> messages = CaptureFiles.messages(CAPTURE);
        int mark = CaptureFiles.mark(CAPTURE);
        Map<String, Set<String>> complete = CaptureFiles.state(CAPTURE).stream()
                .filter(row -> row.get("type").asText().equals("route_monitoring") && row.hasNonNull("afi"))
                .collect(Collectors.toMap(
                        SynchronizedTablesIT::table, _ -> Set.of("true"), (first, _) -> first, TreeMap::new));
        Map<String, Set<String>> incomplete = new TreeMap<>(complete);
        HELD_BACK.forEach(
                table -> assertThat(incomplete.put(table, Set.of("false"))).isNotNull());

        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            router.send(part(stream, messages, mark, row -> !isHeldBack(row)));
            await().untilAsserted(() -> assertThat(tablesOfRoutes()).isEqualTo(incomplete));
            await().untilAsserted(this::assertThatLookupsHaveTheValuesOfRoutes);
            await().untilAsserted(
                            () -> assertThat(synchronizedFamilies("192.0.2.14")).containsExactly("ipv6-unicast"));
            await().untilAsserted(() -> assertThat(tablesOfPast()).isEqualTo(incomplete));

            router.send(part(stream, messages, mark, SynchronizedTablesIT::isHeldBack));
            await().untilAsserted(() -> assertThat(tablesOfRoutes()).isEqualTo(complete));
            await().untilAsserted(this::assertThatLookupsHaveTheValuesOfRoutes);
            await().untilAsserted(() -> assertThat(synchronizedFamilies("192.0.2.14"))
                    .containsExactlyInAnyOrder("ipv4-unicast", "ipv6-unicast"));
            await().untilAsserted(() -> assertThat(tablesOfPast()).isEqualTo(complete));
            await().untilAsserted(this::assertThatOtherAnswersAboutThePastHaveNone);
        }
        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            router.send(
                    part(stream, messages, mark, row -> row.get("type").asText().equals("initiation")));
            await().untilAsserted(() -> assertThat(tablesOfRoutes())
                    .hasSameSizeAs(complete)
                    .allSatisfy((_, values) -> assertThat(values).containsExactly("false")));
            await().untilAsserted(this::assertThatLookupsHaveTheValuesOfRoutes);
        }
    }

    /** The RIB and the database have read the same End-of-RIBs. */
    private void assertThatLookupsHaveTheValuesOfRoutes() {
        List<JsonNode> routes = rows("/routes?limit=100000&family=ipv4-unicast&view=adj-rib-in-pre"
                + "&fields=rib_view,peer_address,family,prefix,table_synchronized&" + OWN);
        Set<String> peers = new TreeSet<>();
        for (JsonNode route : routes) {
            if (peers.add(route.get("peer_address").asText())) {
                String address = route.get("prefix").asText().replaceAll("/.*", "");
                List<JsonNode> found = rows("/lookup?address=" + address).stream()
                        .filter(row -> row.get("router").asText().equals(ROUTER))
                        .toList();
                assertThat(found).isNotEmpty();
                assertThat(synchronization(found))
                        .isEqualTo(synchronization(rows("/routes?match=longest&prefix=" + address + "&" + OWN)));
            }
        }
        assertThat(peers).hasSizeGreaterThan(4);
    }

    private Set<String> synchronizedFamilies(String peer) {
        List<JsonNode> peers = rows("/peers?state=up&" + OWN).stream()
                .filter(row -> row.get("rib_view").asText().equals("adj-rib-in-pre")
                        && row.get("peer_address").asText().equals(peer))
                .toList();
        assertThat(peers).hasSize(1);
        return StreamSupport.stream(
                        peers.getFirst().path("synchronized_families").spliterator(), false)
                .map(JsonNode::asText)
                .collect(Collectors.toSet());
    }

    private Map<String, Set<String>> tablesOfPast() {
        return synchronization(
                rows("/routes?limit=100000&at=-0s&fields=rib_view,peer_address,family,table_synchronized&" + OWN));
    }

    /** Lookups have the values of routes. */
    private void assertThatOtherAnswersAboutThePastHaveNone() {
        String address = rows("/routes?limit=1&family=ipv4-unicast&at=-0s&" + OWN)
                .getFirst()
                .get("prefix")
                .asText()
                .replaceAll("/.*", "");
        assertThat(rows("/lookup?at=-0s&address=" + address).stream()
                        .filter(row -> row.get("router").asText().equals(ROUTER)))
                .isNotEmpty()
                .allMatch(row -> row.path("table_synchronized").asBoolean());
        for (List<JsonNode> rows :
                List.of(rows("/peers?at=-0s&" + OWN), rows("/reconcile?limit=100000&at=-0s&" + OWN))) {
            assertThat(rows)
                    .isNotEmpty()
                    .noneMatch(row -> row.has("table_synchronized") || row.has("synchronized_families"));
        }
    }
}
