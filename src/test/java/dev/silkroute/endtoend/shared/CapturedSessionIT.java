package dev.silkroute.endtoend.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.endtoend.RouteText;
import dev.silkroute.fixture.SharedStation;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replays sessions of real routers to a station and compares its state at the mark and its history, field by field,
 * with another decoder's result for the same bytes.
 */
class CapturedSessionIT {
    /**
     * Routes that only the other decoder's state contains, by capture, view and NLRI, because it uses the whole NLRI as
     * the key. FRR withdraws this EVPN route of type 5 with label 0 and announced it with another one; the label is not
     * part of the key (RFC 9136, Section 3.1).
     */
    private static final Set<String> WITHDRAWN_WITH_ANOTHER_LABEL = Set.of(
            "frr-all in-post 05220000fde800000001000000000000000000000000000b180a080b0000000000013931",
            "frr-all loc 05220000fde800000001000000000000000000000000000b180a080b0000000000013931");

    private static final List<String> CAPTURES =
            List.of("gobgp-all", "gobgp-mirror", "frr-all", "frr-noap", "frr-labeled", "frr-malformed", "bird-noap");

    private final StationProcess station = SharedStation.get();

    /**
     * Returns the router name for a capture, which is as long as the recorded one. Each capture needs its own: a route
     * of an earlier capture of the same router would not change anything.
     */
    private static String router(String capture) {
        int hyphen = capture.indexOf('-');
        return capture.substring(0, hyphen + 2);
    }

    static List<String> captures() {
        return CAPTURES;
    }

    @ParameterizedTest
    @MethodSource("captures")
    void givenARealSessionWhenItIsReplayedThenStateAtTheMarkAndHistoryMatchTheOtherDecoder(String capture)
            throws Exception {
        String router = router(capture);
        byte[] stream = CaptureFiles.stream(capture, router);
        int mark = CaptureFiles.mark(capture);
        List<String> state = CaptureFiles.state(capture).stream()
                .filter(CapturedSessionIT::isRoute)
                .filter(route -> !WITHDRAWN_WITH_ANOTHER_LABEL.contains(capture + " "
                        + route.get("rib").asText() + " " + route.path("nlri").asText()))
                .map(route -> RouteText.identity(route) + " " + RouteText.attributes(route))
                .sorted()
                .toList();
        List<String> history = CaptureFiles.messages(capture).stream()
                .filter(CapturedSessionIT::isRoute)
                .filter(row -> !row.get("action").asText().equals("eor"))
                .map(CapturedSessionIT::event)
                .toList();

        try (TestRouter connection = TestRouter.connect(station.bmpPort())) {
            connection.send(stream, 0, mark, 65_536);
            await().untilAsserted(
                            () -> assertThat(differences(rib(router), state)).isEmpty());
            await().untilAsserted(() -> assertThat(station.sql(
                            "SELECT peer_type, peer_distinguisher, host(peer_address) FROM bmp.v_peers WHERE"
                                    + " state = 'up' AND router = '" + router + "' ORDER BY 1, 2, 3"))
                    .isEqualTo(peersUp(capture, mark)));
            await().untilAsserted(() -> assertThat(routes(router, "&at=-0s"))
                    .isEqualTo(routes(router, ""))
                    .hasSameSizeAs(state));
            connection.send(stream, mark, stream.length, 65_536);
            await().untilAsserted(() ->
                    assertThat(differences(events(router), history)).isEmpty());
        }
        await().untilAsserted(
                        () -> assertThat(station.sql("SELECT state FROM bmp.v_routers WHERE router = '" + router + "'"))
                                .containsExactly("disconnected"));
        await().untilAsserted(() -> assertThat(
                        station.sql("SELECT count(*) FROM bmp.v_rib WHERE NOT stale AND router = '" + router + "'"))
                .containsExactly("0"));
        await().untilAsserted(() -> {
            List<String> stale = routes(router, "");
            assertThat(stale).hasSizeGreaterThanOrEqualTo(capture.equals("gobgp-all") ? 1_000 : 0);
            assertThat(routes(router, "&stale=false")).isEmpty();
            assertThat(routes(router, "&stale=true")).isEqualTo(stale);
            assertThat(routes(router, "&stale=false&at=-0s")).isEmpty();
            assertThat(routes(router, "&stale=true&at=-0s")).hasSameSizeAs(stale);
        });
    }

    /**
     * Returns the peers that are up at the mark. Peer Up and Peer Down are matched by type, distinguisher and address.
     */
    private static List<String> peersUp(String capture, int mark) {
        Set<String> up = new TreeSet<>();
        for (JsonNode row : CaptureFiles.messages(capture)) {
            if (row.get("off").asInt() < mark && row.get("type").asText().startsWith("peer_")) {
                String peer = List.of("global", "rd", "local", "loc-rib")
                                .get(row.get("peer_type").asInt())
                        + "|" + row.get("pd").asText() + "|" + row.get("peer").asText();
                if (row.get("type").asText().equals("peer_up")) {
                    up.add(peer);
                } else {
                    up.remove(peer);
                }
            }
        }
        return List.copyOf(up);
    }

    private static boolean isRoute(JsonNode row) {
        return row.get("type").asText().equals("route_monitoring") && row.hasNonNull("afi");
    }

    private static String event(JsonNode row) {
        String action = row.get("action").asText();
        String identity = action + " " + RouteText.identity(row);
        return action.equals("announce") ? identity + " " + RouteText.attributes(row) : identity;
    }

    private List<String> rib(String router) throws SQLException {
        return rows(
                        "SELECT " + RouteText.COLUMNS + " FROM bmp.v_rib WHERE NOT stale AND router = '" + router + "'",
                        row -> RouteText.identity(row) + " " + RouteText.attributes(row))
                .stream()
                .sorted()
                .toList();
    }

    /** The response of the REST API, in all families. A query that takes too long on a busy machine is a failure. */
    private List<String> routes(String router, String parameters) {
        String fields = "peer_type,peer_distinguisher,peer_address,rib_view,family,rd,nlri,path_id,next_hop,as_path,"
                + "communities,labels,attributes,stale,table_synchronized";
        HttpResponse<String> response =
                station.get("/api/v1/routes?limit=100000&router=" + router + "&fields=" + fields + parameters);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        JsonNode page = CaptureFiles.parse(response.body());
        return StreamSupport.stream(page.get("data").spliterator(), false)
                .map(JsonNode::toString)
                .sorted()
                .toList();
    }

    private List<String> events(String router) throws SQLException {
        return rows(
                "SELECT event, " + RouteText.COLUMNS + " FROM bmp.v_route_history"
                        + " WHERE NOT synthetic AND router = '" + router
                        + "' AND session_id = (SELECT r.session_id FROM bmp.v_routers r WHERE r.router = '" + router
                        + "') ORDER BY sequence",
                row -> {
                    String identity = row.getString("event") + " " + RouteText.identity(row);
                    return identity.startsWith("announce") ? identity + " " + RouteText.attributes(row) : identity;
                });
    }

    /** Returns the first differences of two lists, instead of both lists. */
    private static List<String> differences(List<String> ours, List<String> theirs) {
        List<String> differences = new ArrayList<>();
        if (ours.size() != theirs.size()) {
            differences.add(ours.size() + " rows, " + theirs.size() + " expected");
        }
        for (int i = 0; i < Math.min(ours.size(), theirs.size()) && differences.size() < 5; i++) {
            if (!ours.get(i).equals(theirs.get(i))) {
                differences.add("row " + i + ": " + ours.get(i) + "\n expected: " + theirs.get(i));
            }
        }
        return differences;
    }

    private interface RowText {
        String of(ResultSet row) throws SQLException;
    }

    private List<String> rows(String query, RowText text) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Connection connection = station.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                texts.add(text.of(row));
            }
        }
        return texts;
    }
}
