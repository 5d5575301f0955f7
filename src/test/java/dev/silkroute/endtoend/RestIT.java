package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import dev.silkroute.net.IpPrefix;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares every read of the REST API with the expected values of a capture, with the database's views, and, for the
 * past, with a naive replay of {@code v_route_history} in Java.
 */
class RestIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String CAPTURE = "gobgp-all";
    private static final String LAST_UPDATED = "Silkroute-Last-Updated";
    private static final String API = "/api/v1";
    private static final long SEED = 24;
    private static final int INSTANTS = 12;
    private static final int PIECES = 10;

    @TempDir
    private static Path folder;

    private static StationProcess station;
    private static TestRouter router;
    private static List<JsonNode> history;

    @BeforeAll
    static void start() throws Exception {
        Path labels = Files.writeString(
                folder.resolve("labels.csv"),
                "router,peer,site,role\ngobgp-1,,fra,edge\n,192.0.2.11,,transit\ngobgp-1,192.0.2.12,ams,\n");
        Path asNames = Files.writeString(folder.resolve("asns.csv"), "asn,name\nAS185518,\"Example, Inc.\"\n");
        station = StationProcess.startOnSharedServers(
                Map.of(
                        "SILKROUTE_NAMES_LABELS",
                        labels.toString(),
                        "SILKROUTE_NAMES_AS_NAMES",
                        asNames.toString(),
                        "SILKROUTE_BIRDWATCHER_ENABLED",
                        "true",
                        "SILKROUTE_HTTP_QUERY_TIMEOUT",
                        "2m",
                        // no End-of-RIB is generated while the tests run, however long they take
                        "SILKROUTE_SESSION_END_OF_RIB_AFTER_QUIET",
                        "1h"),
                folder.resolve("data"));
        router = TestRouter.connect(station.bmpPort());
        byte[] stream = CaptureFiles.stream(CAPTURE);
        int mark = CaptureFiles.mark(CAPTURE);
        long events = CaptureFiles.messages(CAPTURE).stream()
                .filter(row -> row.get("off").asInt() < mark && row.hasNonNull("afi"))
                .filter(row -> row.get("type").asText().equals("route_monitoring"))
                .filter(row -> !row.get("action").asText().equals("eor"))
                .count();
        sendInPieces(stream, mark);
        await().atMost(LIMIT)
                .until(() -> station.sql("SELECT count(*) FROM bmp.route_event WHERE NOT synthetic")
                        .equals(List.of(Long.toString(events))));
        await().atMost(LIMIT)
                .until(() -> station.sql("SELECT count(*) FROM bmp.v_rib")
                        .equals(List.of(Integer.toString(expected().size()))));
        history = station
                .sql(
                        "SELECT json_strip_nulls(row_to_json(h))::text FROM bmp.v_route_history h ORDER BY session_id, sequence")
                .stream()
                .map(CaptureFiles::parse)
                .toList();
    }

    /** Sends a capture so that its messages have different receive times: each piece is read before the next one. */
    private static void sendInPieces(byte[] stream, int to) throws IOException {
        int piece = to / PIECES + 1;
        for (int from = 0; from < to; from += piece) {
            double before = station.meter("bmp_batches_total").orElse(0);
            router.send(stream, from, Math.min(from + piece, to), piece);
            await().atMost(LIMIT).until(() -> station.meter("bmp_batches_total").orElse(0) > before);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        router.close();
        station.close();
    }

    private static List<JsonNode> expected() {
        return CaptureFiles.state(CAPTURE).stream()
                .filter(row -> row.get("type").asText().equals("route_monitoring") && row.hasNonNull("afi"))
                .toList();
    }

    private static HttpResponse<String> get(String path) {
        return station.get(API + path);
    }

    private static JsonNode json(String path) {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
        return CaptureFiles.parse(response.body());
    }

    private static List<JsonNode> data(String path) {
        return list(json(path).get("data"));
    }

    private static List<JsonNode> list(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    private static JsonNode bird(String path) {
        HttpResponse<String> response = station.get("/birdwatcher/gobgp-1/" + path);
        assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
        JsonNode answer = CaptureFiles.parse(response.body());
        assertThat(answer.at("/api/Version").asText()).startsWith("silkroute ");
        assertThat(answer.at("/api/result_from_cache").isBoolean()).isTrue();
        assertThat(OffsetDateTime.parse(answer.get("ttl").asText())).isAfter(time(history.getFirst()));
        return answer;
    }

    /** Returns the unicast routes of a peer's view, or of all peers, as the other decoder has them. */
    private static List<String> birdTruth(String view, String peer) {
        return expected().stream()
                .filter(row ->
                        row.get("safi").asInt() == 1 && row.get("rib").asText().equals(view))
                .filter(row -> peer.isEmpty() || row.get("peer").asText().equals(peer))
                .map(row -> birdRoute(
                        row.get("prefix").asText(),
                        row.get("peer").asText(),
                        row.path("as_path").asText().replaceAll("[{}()]", "").replace(',', ' '),
                        row.path("communities")))
                .sorted()
                .toList();
    }

    private static String birdRoute(String prefix, String peer, String path, JsonNode communities) {
        List<String> texts = list(communities).stream()
                .map(community -> community.isArray()
                        ? community.get(0).asText() + ":" + community.get(1).asText()
                        : community.asText())
                .toList();
        return String.join("|", prefix, peer, path, texts.toString());
    }

    private static List<String> birdRoutes(String path) {
        return list(bird(path).get("routes")).stream()
                .map(row -> birdRoute(
                        row.get("network").asText(),
                        row.get("learnt_from").asText(),
                        list(row.at("/bgp/as_path")).stream()
                                .map(JsonNode::asText)
                                .collect(Collectors.joining(" ")),
                        row.at("/bgp/communities")))
                .sorted()
                .toList();
    }

    /** Removes each element of the second list once. */
    private static List<String> minus(List<String> all, List<String> others) {
        List<String> rest = new ArrayList<>(all);
        others.forEach(other -> assertThat(rest.remove(other)).as(other).isTrue());
        return rest;
    }

    /** GoBGP sends the routes of 192.0.2.16 before and after a policy that rejects many and changes none. */
    @Test
    void birdwatchersAnswersAreThePeersWithTheRoutesThatTheirPolicyAcceptedAndRejected() {
        assertThat(bird("status").at("/status/message").asText()).isEqualTo("BMP session is up");
        JsonNode protocols = bird("protocols/bgp").get("protocols");
        JsonNode states = bird("protocols/short").get("protocols");
        assertThat(protocols).hasSize(6);
        assertThat(states).hasSize(6);
        protocols.fields().forEachRemaining(entry -> {
            JsonNode protocol = entry.getValue();
            String peer = protocol.get("neighbor_address").asText();
            List<String> accepted = birdTruth("in-post", peer);
            assertThat(entry.getKey())
                    .isEqualTo("AS" + protocol.get("neighbor_as").asLong() + "_" + peer.replaceAll("[.:]", "_"));
            assertThat(protocol.get("state").asText()).isEqualTo("up");
            assertThat(protocol.get("state_changed").asText()).matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d");
            assertThat(states.at("/" + entry.getKey() + "/state").asText()).isEqualTo("up");
            assertThat(protocol.at("/routes/imported").asInt()).as(peer).isEqualTo(accepted.size());
            assertThat(birdRoutes("routes/protocol/" + entry.getKey())).isEqualTo(accepted);
            List<String> filtered = birdRoutes("routes/filtered/" + entry.getKey());
            assertThat(protocol.at("/routes/filtered").asInt()).isEqualTo(filtered.size());
            if (peer.equals("192.0.2.16")) {
                assertThat(filtered).hasSizeGreaterThan(50);
            }
            assertThat(prefixes(filtered)).isEqualTo(minus(prefixes(birdTruth("in-pre", peer)), prefixes(accepted)));
            assertThat(bird("routes/noexport/" + entry.getKey()).get("routes")).isEmpty();
        });
        assertThat(birdRoutes("routes/table/master")).isEqualTo(birdTruth("in-post", ""));
        assertThat(birdRoutes("routes/table/master4").size()
                        + birdRoutes("routes/table/master6").size())
                .isEqualTo(birdTruth("in-post", "").size());
        assertThat(birdRoutes("routes/table/master/filtered")).hasSizeGreaterThan(50);
        assertThat(station.get("/birdwatcher/unknown/protocols/bgp").statusCode())
                .isEqualTo(404);
        assertThat(station.get("/birdwatcher/gobgp-1/routes/table/T1").statusCode())
                .isEqualTo(404);
    }

    private static List<String> prefixes(List<String> routes) {
        return routes.stream()
                .map(route -> route.replaceAll("\\|.*", ""))
                .sorted()
                .toList();
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    /** Follows the cursors to the end and returns all rows. */
    private static List<JsonNode> pages(String path, int limit) {
        List<JsonNode> rows = new ArrayList<>();
        JsonNode page = json(path + "limit=" + limit);
        rows.addAll(list(page.get("data")));
        while (page.has("next")) {
            assertThat(page.get("data")).hasSize(limit);
            page = json(path + "limit=" + limit + "&cursor=" + page.get("next").asText());
            rows.addAll(list(page.get("data")));
        }
        return rows;
    }

    private static String identity(JsonNode row) {
        return List.of("rib_view", "peer_type", "peer_distinguisher", "peer_address", "family", "rd", "nlri", "path_id")
                .stream()
                .map(field -> row.path(field).asText(""))
                .collect(Collectors.joining("|"));
    }

    /** The fields of a route that do not depend on when it is read. */
    private static String content(JsonNode row) {
        Map<String, JsonNode> fields = new TreeMap<>();
        for (String field : List.of(
                "next_hop",
                "origin",
                "as_path",
                "med",
                "local_pref",
                "communities",
                "large_communities",
                "ext_communities",
                "labels",
                "attributes")) {
            if (row.hasNonNull(field)) {
                fields.put(field, row.get(field));
            }
        }
        return identity(row) + " " + fields;
    }

    /** Returns the first routes that only one of two answers contains, instead of both answers. */
    private static List<String> differences(Collection<JsonNode> found, Collection<JsonNode> expected) {
        Map<String, Integer> counts = new TreeMap<>();
        contents(found).forEach(row -> counts.merge(row, 1, Integer::sum));
        contents(expected).forEach(row -> counts.merge(row, -1, Integer::sum));
        return counts.entrySet().stream()
                .filter(entry -> entry.getValue() != 0)
                .limit(4)
                .map(entry -> (entry.getValue() > 0 ? "extra " : "missing ") + entry.getKey())
                .toList();
    }

    private static void assertAnswer(String path, Collection<JsonNode> expected) {
        assertThat(differences(data(path), expected)).as(path).isEmpty();
    }

    private static List<String> contents(Collection<JsonNode> rows) {
        return rows.stream().map(RestIT::content).sorted().toList();
    }

    @Test
    void routesEqualTheOtherDecodersStateHoweverTheyArePaged() {
        List<String> state = expected().stream()
                .map(truth -> summary(truth, "peer", "large", truth.get("rib").asText()))
                .sorted()
                .toList();
        List<JsonNode> rows = pages("/routes?", 333);
        List<String> found = rows.stream()
                .map(row -> summary(
                        row,
                        "peer_address",
                        "large_communities",
                        row.get("rib_view").asText().replace("adj-rib-", "").replace("loc-rib", "loc")))
                .sorted()
                .toList();
        assertThat(found).isEqualTo(state);
        assertThat(rows.stream().filter(row -> row.get("stale").asBoolean())).isEmpty();
        assertThat(rows.stream().map(RestIT::identity).distinct()).hasSize(rows.size());
        assertAnswer("/routes?limit=1000000", rows);
    }

    /** What both decoders name alike. */
    private static String summary(JsonNode row, String peer, String large, String view) {
        return String.join(
                "|",
                view,
                row.get(peer).asText(),
                row.get("afi").asText() + "/" + row.get("safi").asText(),
                row.path("rd").asText(""),
                row.path("prefix").asText(""),
                row.path("path_id").asText(""),
                row.path("as_path").asText(""),
                row.path("med").asText(""),
                row.path("local_pref").asText(""),
                row.path("communities").toString(),
                row.path(large).toString());
    }

    /** The state after all events until a time, by a map. */
    private static Map<String, JsonNode> replay(OffsetDateTime until) {
        Map<String, JsonNode> state = new LinkedHashMap<>();
        for (JsonNode event : history) {
            if (!time(event).isAfter(until) && !event.get("family").asText().equals("evpn")) {
                if (event.get("event").asText().equals("announce")) {
                    state.put(identity(event), event);
                } else {
                    state.remove(identity(event));
                }
            }
        }
        return state;
    }

    private static OffsetDateTime time(JsonNode row) {
        return OffsetDateTime.parse(row.get("received_at").asText());
    }

    private static boolean covers(JsonNode row, IpPrefix prefix) {
        if (!row.hasNonNull("prefix")) {
            return false;
        }
        IpPrefix other = IpPrefix.parse(row.get("prefix").asText());
        return other.ipv6() == prefix.ipv6()
                && other.length() <= prefix.length()
                && IpPrefix.parse(prefix.toString().replaceAll("/.*", "/" + other.length()))
                        .equals(other);
    }

    @Test
    void atRandomInstantsRoutesEqualANaiveReplayOfTheHistory() {
        Random random = new Random(SEED);
        List<OffsetDateTime> times =
                history.stream().map(RestIT::time).distinct().sorted().toList();
        assertThat(times).hasSizeGreaterThan(5);
        for (int i = 0; i < INSTANTS; i++) {
            OffsetDateTime at = times.get(random.nextInt(times.size())).plusNanos(1000L * random.nextInt(2));
            Map<String, JsonNode> state = replay(at);
            String parameter = "at=" + encode(at.toString());
            String name = "seed " + SEED + ", " + at;

            List<JsonNode> all = data("/routes?limit=100000&" + parameter).stream()
                    .filter(row -> !row.get("family").asText().equals("evpn"))
                    .toList();
            assertThat(differences(all, state.values())).as(name).isEmpty();
            assertAnswer(
                    "/rib/at?limit=100000&family=vpnv4&ts=" + encode(at.toString()),
                    where(state.values(), row -> row.get("family").asText().equals("vpnv4")));

            List<JsonNode> prefixes = where(state.values(), row -> row.hasNonNull("prefix"));
            if (!prefixes.isEmpty()) {
                JsonNode chosen = prefixes.get(random.nextInt(prefixes.size()));
                assertMatches("/routes?limit=100000&" + parameter, prefixes, chosen);
            }
        }
        List<JsonNode> present = where(replay(time(history.getLast())).values(), row -> row.hasNonNull("prefix"));
        for (int i = 0; i < INSTANTS; i++) {
            assertMatches("/routes?limit=100000", present, present.get(random.nextInt(present.size())));
        }
    }

    private static void assertMatches(String path, List<JsonNode> prefixes, JsonNode chosen) {
        String text = chosen.get("prefix").asText();
        IpPrefix prefix = IpPrefix.parse(text);
        String query = path + "&prefix=" + encode(text) + "&match=";
        assertAnswer(
                query + "exact",
                where(prefixes, row -> row.get("prefix").asText().equals(text)));
        assertAnswer(query + "covering", where(prefixes, row -> covers(row, prefix)));
        assertAnswer(
                query + "covered",
                where(
                        prefixes,
                        row -> covers(chosen, IpPrefix.parse(row.get("prefix").asText()))));
        assertAnswer(query + "longest", longest(prefixes, prefix));
    }

    private static List<JsonNode> where(Collection<JsonNode> rows, Predicate<JsonNode> condition) {
        return rows.stream().filter(condition).toList();
    }

    /** The longest match of unicast and labeled unicast routes for each peer and view. */
    private static List<JsonNode> longest(List<JsonNode> rows, IpPrefix prefix) {
        Map<String, Integer> lengths = new TreeMap<>();
        List<JsonNode> covering = where(
                rows,
                row -> covers(row, prefix)
                        && List.of(1, 4).contains(row.get("safi").asInt()));
        covering.forEach(row -> lengths.merge(table(row), length(row), Math::max));
        return where(covering, row -> length(row) == lengths.get(table(row)));
    }

    private static String table(JsonNode row) {
        return identity(row).replaceAll("^(.*?\\|.*?\\|.*?\\|.*?)\\|.*$", "$1");
    }

    private static int length(JsonNode row) {
        return IpPrefix.parse(row.get("prefix").asText()).length();
    }

    @Test
    void conditionsOnAttributesSelectTheSameRoutesAsTheirDefinition() {
        List<JsonNode> all = data("/routes?limit=100000");
        Map<String, Predicate<JsonNode>> conditions = new LinkedHashMap<>();
        conditions.put("origin_asn=4200001006", row -> row.path("origin_asn").asLong() == 4200001006L);
        conditions.put(
                "as_path_contains=AS64706", row -> (" " + row.path("as_path").asText() + " ").contains(" 64706 "));
        conditions.put("community=64512:6", row -> texts(row, "communities").contains("64512:6"));
        conditions.put(
                "community=64512:*", row -> texts(row, "communities").stream().anyMatch(c -> c.startsWith("64512:")));
        conditions.put(
                "community=*:6:0",
                row -> texts(row, "large_communities").stream().anyMatch(c -> c.endsWith(":6:0")));
        conditions.put(
                "community=rt:*", row -> texts(row, "ext_communities").stream().anyMatch(c -> c.matches("rt:[^:]+")));
        conditions.put(
                "community=rt:65000:*",
                row -> texts(row, "ext_communities").stream().anyMatch(c -> c.startsWith("rt:65000:")));
        conditions.put(
                "community=65000:0&community=65535:65281",
                row -> texts(row, "communities").containsAll(List.of("65000:0", "65535:65281")));
        conditions.put("attribute=otc", row -> row.path("attributes").has("otc"));
        String otc = all.stream()
                .map(row -> row.path("attributes").path("otc").asText())
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElseThrow();
        conditions.put(
                "attribute=otc:" + otc,
                row -> row.path("attributes").path("otc").asText().equals(otc));
        conditions.put("attribute=otc:1" + otc, row -> false);
        conditions.put(
                "next_hop=192.0.2.11", row -> row.path("next_hop").asText().equals("192.0.2.11"));
        conditions.put(
                "view=adj-rib-in-pre", row -> row.get("rib_view").asText().equals("adj-rib-in-pre"));
        conditions.put(
                "router=gobgp-1&peer=192.0.2.11",
                row -> row.get("peer_address").asText().equals("192.0.2.11"));
        conditions.put("router=nobody", row -> false);
        conditions.put("rd=65000:0", row -> row.path("rd").asText().equals("65000:0"));
        conditions.put("stale=true", row -> false);
        conditions.put("rpki_validity=not-found", row -> false); // a station without VRPs
        conditions.put("family=evpn", row -> row.get("family").asText().equals("evpn"));
        String nlri = where(all, row -> row.get("family").asText().equals("evpn"))
                .getFirst()
                .get("nlri")
                .asText();
        conditions.put("nlri=" + encode(nlri), row -> row.get("nlri").asText().equals(nlri));
        String now = encode(OffsetDateTime.now().plusMinutes(1).toString());
        int selective = 0;
        for (Map.Entry<String, Predicate<JsonNode>> condition : conditions.entrySet()) {
            List<JsonNode> expected = where(all, condition.getValue());
            assertAnswer("/routes?limit=100000&" + condition.getKey(), expected);
            assertAnswer("/routes?limit=100000&at=" + now + "&" + condition.getKey(), expected);
            selective += expected.isEmpty() || expected.size() == all.size() ? 0 : 1;
        }
        assertThat(selective).isGreaterThanOrEqualTo(12);
    }

    private static List<String> texts(JsonNode row, String field) {
        return list(row.path(field)).stream().map(JsonNode::asText).toList();
    }

    @Test
    void theHistoryOfAPrefixEqualsTheViewAlsoBetweenTwoTimesAndBackwards() {
        Map<String, List<JsonNode>> byPrefix = history.stream()
                .filter(event -> event.hasNonNull("prefix"))
                .collect(Collectors.groupingBy(
                        event -> event.get("prefix").asText(), TreeMap::new, Collectors.toList()));
        String busiest = byPrefix.entrySet().stream()
                .max(java.util.Comparator.comparingInt(entry -> entry.getValue().size()))
                .orElseThrow()
                .getKey();
        List<JsonNode> events = byPrefix.get(busiest);
        String path = "/routes/history?prefix=" + encode(busiest) + "&";
        List<JsonNode> rows = pages(path, 3);
        assertThat(differences(rows, events)).isEmpty();
        assertThat(rows.stream()
                        .map(row -> row.get("event").asText() + row.get("sequence"))
                        .sorted())
                .isEqualTo(events.stream()
                        .map(row -> row.get("event").asText() + row.get("sequence"))
                        .sorted()
                        .toList());
        List<JsonNode> backwards = new ArrayList<>(pages(path + "order=desc&", 3));
        assertThat(backwards.reversed()).isEqualTo(rows);

        OffsetDateTime from = time(rows.get(rows.size() / 3));
        OffsetDateTime to = time(rows.get(2 * rows.size() / 3));
        assertThat(data(path + "from=" + encode(from.toString()) + "&to=" + encode(to.toString())))
                .isEqualTo(where(
                        rows, row -> !time(row).isBefore(from) && !time(row).isAfter(to)));
        assertThat(data(path + "at=" + encode(to.toString())))
                .isEqualTo(where(rows, row -> !time(row).isAfter(to)));
        for (String family : List.of("ipv4-unicast", "vpnv4", "ipv6-unicast")) {
            assertThat(data(path + "family=" + family))
                    .isEqualTo(where(rows, row -> row.get("family").asText().equals(family)));
        }
        JsonNode vpn = history.stream()
                .filter(event -> event.hasNonNull("rd"))
                .findFirst()
                .orElseThrow();
        String rd = vpn.get("rd").asText();
        assertThat(differences(
                        data("/routes/history?prefix="
                                + encode(vpn.get("prefix").asText()) + "&rd=" + encode(rd)),
                        where(
                                byPrefix.get(vpn.get("prefix").asText()),
                                event -> event.path("rd").asText().equals(rd))))
                .isEmpty();
    }

    @Test
    void theDifferenceOfTwoTimesEqualsThatOfTwoNaiveReplays() {
        Random random = new Random(SEED);
        List<OffsetDateTime> times =
                history.stream().map(RestIT::time).distinct().sorted().toList();
        int differing = 0;
        for (int i = 0; i < 4; i++) {
            OffsetDateTime first = times.get(random.nextInt(times.size()));
            OffsetDateTime second = times.get(random.nextInt(times.size()));
            OffsetDateTime from = first.isBefore(second) ? first : second;
            OffsetDateTime to = first.isBefore(second) ? second : first;
            Map<String, JsonNode> before = replay(from);
            Map<String, JsonNode> after = replay(to);
            TreeMap<String, String> expected = new TreeMap<>();
            after.forEach((identity, row) -> {
                JsonNode old = before.get(identity);
                if (old == null) {
                    expected.put(identity, "added");
                } else if (!content(old).equals(content(row))) {
                    expected.put(identity, "changed");
                }
            });
            before.keySet().stream()
                    .filter(identity -> !after.containsKey(identity))
                    .forEach(identity -> expected.put(identity, "removed"));
            TreeMap<String, String> found = new TreeMap<>();
            pages("/rib/diff?from=" + encode(from.toString()) + "&to=" + encode(to.toString()) + "&", 700).stream()
                    .filter(row -> !row.get("family").asText().equals("evpn"))
                    .forEach(row -> found.put(identity(row), row.get("change").asText()));
            assertThat(found.size()).as(from + " " + to).isEqualTo(expected.size());
            assertThat(found.equals(expected)).as(from + " " + to).isTrue();
            differing += expected.isEmpty() ? 0 : 1;
            expected.keySet().removeIf(identity -> !identity.contains("|vpnv4|"));
            TreeMap<String, String> vpn = new TreeMap<>();
            data("/rib/diff?limit=100000&family=vpnv4&from=" + encode(from.toString()) + "&to=" + encode(to.toString()))
                    .forEach(row -> vpn.put(identity(row), row.get("change").asText()));
            assertThat(vpn).isEqualTo(expected);
        }
        assertThat(differing).isPositive();
    }

    @Test
    void lookupsOfThePastAreTheLongestMatchesOfTheReplayAndThoseOfThePresentEqualTheRib() {
        List<JsonNode> prefixes = where(
                replay(time(history.getLast())).values(),
                row -> row.hasNonNull("prefix")
                        && row.get("prefix").asText().indexOf(':') < 0
                        && row.get("safi").asInt() == 1);
        Random random = new Random(SEED);
        String now = encode(OffsetDateTime.now().plusMinutes(1).toString());
        for (int i = 0; i < 10; i++) {
            String address = prefixes.get(random.nextInt(prefixes.size()))
                    .get("prefix")
                    .asText()
                    .replaceAll("/.*", "");
            List<JsonNode> past = list(json("/lookup?address=" + address + "&at=" + now));
            assertThat(differences(past, longest(prefixes, IpPrefix.parse(address))))
                    .as(address)
                    .isEmpty();
            assertThat(past).isNotEmpty();
            assertThat(list(json("/lookup?address=" + address)).stream()
                            .map(RestIT::route)
                            .sorted())
                    .isEqualTo(past.stream().map(RestIT::route).sorted().toList());
            JsonNode chosen = past.get(random.nextInt(past.size()));
            for (String at : List.of("", "&at=" + now)) {
                assertSelection("/lookup?address=" + address + at, chosen, "router", "peer_address", "rib_view");
            }
        }
        assertThat(json("/lookup?address=203.0.113.1&router=nobody")).isEmpty();
    }

    /** Each of the parameters selects the rows with its value, and fields their fields, from the RIB and from SQL. */
    private static void assertSelection(String path, JsonNode chosen, String... columns) {
        List<JsonNode> all = list(json(path));
        for (String column : columns) {
            String value = chosen.get(column).asText();
            String name = column.equals("peer_address") ? "peer" : column.equals("rib_view") ? "view" : column;
            List<JsonNode> selected = where(all, row -> row.get(column).asText().equals(value));
            assertThat(selected).isNotEmpty();
            assertThat(list(json(path + "&" + name + "=" + encode(value))))
                    .as(name)
                    .containsExactlyInAnyOrderElementsOf(selected);
            for (String others : List.of("", ",session_id")) {
                List<JsonNode> rows =
                        list(json(path + "&" + name + "=" + encode(value) + "&fields=prefix,as_path" + others));
                assertThat(rows).hasSameSizeAs(selected);
                assertThat(rows.stream()
                                .map(row -> row.path("prefix").asText()
                                        + row.path("as_path").asText()))
                        .containsExactlyInAnyOrderElementsOf(selected.stream()
                                .map(row -> row.path("prefix").asText()
                                        + row.path("as_path").asText())
                                .toList());
                assertThat(rows).allMatch(row -> row.has("session_id") == !others.isEmpty() && !row.has("rib_view"));
            }
        }
    }

    private static String route(JsonNode row) {
        return List.of(
                        "peer_address",
                        "rib_view",
                        "family",
                        "prefix",
                        "path_id",
                        "next_hop",
                        "as_path",
                        "communities",
                        "stale")
                .stream()
                .map(field -> row.path(field).toString())
                .collect(Collectors.joining("|"));
    }

    @Test
    void routersAndPeersOfThePastAreThoseOfThePresentOnceTheyAreUp() {
        String before = encode(time(history.getFirst()).minusDays(1).toString());
        assertThat(json("/routers?at=" + before)).isEmpty();
        assertThat(json("/peers?at=" + before)).isEmpty();
        assertThat(json("/routers")).hasSize(1);
        assertThat(json("/peers")).hasSizeGreaterThan(1);
        String now = encode(OffsetDateTime.now().plusMinutes(1).toString());
        assertThat(json("/routers?at=" + now)).isEqualTo(json("/routers"));
        String fields =
                "fields=router,peer_address,peer_asn,peer_bgp_id,peer_type,rib_view,state,capabilities,session_id,local_address";
        assertThat(json("/peers?at=" + now + "&" + fields)).isEqualTo(json("/peers?" + fields));
        assertThat(json("/peers?state=down")).isEmpty();
        assertThat(json("/peers?router=gobgp-1&state=up&fields=router")).isEqualTo(json("/peers?fields=router"));
        assertThat(json("/routers?router=nobody")).isEmpty();
    }

    /** The RIB and the database have seen the same End-of-RIBs. */
    @Test
    void routesReportWhetherTheirTableIsSynchronized() {
        List<JsonNode> routes = pages(
                "/routes?family=ipv4-unicast&fields=prefix,router,peer_address,rib_view,path_id,table_synchronized&",
                5_000);
        // GoBGP sends no End-of-RIB
        assertThat(routes)
                .isNotEmpty()
                .allMatch(route -> route.get("table_synchronized").equals(BooleanNode.FALSE));
        for (JsonNode route : routes.subList(0, 5)) {
            String address = route.get("prefix").asText().replaceAll("/.*", "");
            String match =
                    "/routes?match=longest&fields=router,peer_address,rib_view,path_id,table_synchronized&prefix=";
            assertThat(list(json("/lookup?address=" + address)).stream()
                            .map(RestIT::completeness)
                            .sorted())
                    .isEqualTo(data(match + address).stream()
                            .map(RestIT::completeness)
                            .sorted()
                            .toList());
            assertThat(json("/lookup?address=" + address + "&at=-0s"))
                    .isNotEmpty()
                    .allMatch(row -> row.get("table_synchronized").equals(BooleanNode.FALSE));
        }
        assertThat(list(json("/peers")))
                .isNotEmpty()
                .allMatch(peer -> peer.path("synchronized_families").isEmpty());
    }

    @Test
    void aFieldWithoutAValueIsAbsentFromEveryAnswer() {
        String now = encode(OffsetDateTime.now().plusMinutes(1).toString());
        String before = encode(time(history.getFirst()).minusDays(1).toString());
        String prefix = "prefix=103.210.6.0/23";
        for (String path : List.of(
                "/status",
                "/routers?",
                "/routers?at=" + now,
                "/peers?",
                "/peers?at=" + now,
                "/routes?limit=100000&fields=*,rpki_validity",
                "/routes?limit=100000&at=" + now,
                "/rib/at?limit=100000&ts=" + now,
                "/rib/diff?limit=100000&from=" + before,
                "/rib/digest",
                "/routes/history?" + prefix,
                "/compare?" + prefix,
                "/compare?" + prefix + "&at=" + now,
                "/lookup?" + prefix,
                "/lookup?" + prefix + "&at=" + now,
                "/reconcile",
                "/reconcile?at=" + now,
                "/reconcile?with=database",
                "/quarantine?state=all",
                "/alerts?state=all",
                "/as-names?asn=1,185518",
                "/community-names")) {
            HttpResponse<String> response = get(path);
            assertThat(response.statusCode()).as(path).isEqualTo(200);
            assertThat(response.body().contains(":null")).as(path).isFalse();
        }
    }

    private static String completeness(JsonNode row) {
        return List.of("router", "peer_address", "rib_view", "path_id", "table_synchronized").stream()
                .map(field -> row.path(field).toString())
                .collect(Collectors.joining("|"));
    }

    @Test
    void comparisonAndReconciliationEqualTheFunctions() {
        JsonNode route =
                data("/routes?view=adj-rib-in-pre&family=ipv4-unicast&limit=5").get(3);
        String prefix = route.get("prefix").asText();
        String function = "SELECT json_strip_nulls(row_to_json(c))::text FROM bmp.compare_views('" + prefix + "') c";
        List<JsonNode> expected =
                station.sql(function).stream().map(CaptureFiles::parse).toList();
        assertThat(expected).isNotEmpty();
        assertThat(data("/compare?prefix=" + encode(prefix))).containsExactlyInAnyOrderElementsOf(expected);
        String now = encode(OffsetDateTime.now().plusMinutes(1).toString());
        assertThat(data("/compare?prefix=" + encode(prefix) + "&at=" + now))
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(data("/compare?prefix=" + encode(prefix) + "&router=nobody")).isEmpty();

        List<JsonNode> tables = pages("/reconcile?", 5);
        assertThat(tables.stream()
                        .map(row -> row.path("rib_view").asText()
                                + row.path("family").asText()
                                + row.get("station_count")))
                .containsExactlyInAnyOrderElementsOf(
                        station.sql("SELECT concat(rib_view, family, station_count) FROM bmp.reconcile()"));
        assertThat(tables).isNotEmpty();
        String counts = "&fields=rib_view,family,peer_address,station_count,router_count,state";
        assertThat(pages("/reconcile?at=" + now + counts + "&", 1_000))
                .isEqualTo(pages("/reconcile?" + counts.substring(1) + "&", 1_000));
        String before = encode(time(history.getFirst()).minusDays(1).toString());
        assertThat(data("/reconcile?at=" + before)).isEmpty();
        assertThat(tables.stream()
                        .mapToInt(row ->
                                row.has("family") ? row.get("station_count").asInt() : 0)
                        .sum())
                .isEqualTo(CaptureFiles.parse(
                                station.sql("SELECT count(*) FROM bmp.v_rib").getFirst())
                        .asInt());
    }

    @Test
    void routersAndPeersHaveLabelsBySelectionToo() {
        String now = "&at=" + encode(OffsetDateTime.now().plusMinutes(1).toString());
        for (String at : List.of("", now)) {
            assertThat(json("/routers?fields=router,labels" + at))
                    .isEqualTo(CaptureFiles.parse(
                            "[{\"router\":\"gobgp-1\",\"labels\":{\"role\":\"edge\",\"site\":\"fra\"}}]"));
            assertThat(json("/routers?label=site:ams" + at)).isEmpty();
            assertThat(json("/routers?label=site:fra%0Ax" + at)).as("any text").isEmpty();
            List<JsonNode> peers = list(json("/peers?fields=peer_address,labels" + at));
            assertThat(peers).isNotEmpty().allSatisfy(peer -> {
                String address = peer.get("peer_address").asText();
                String role = address.equals("192.0.2.11") ? "transit" : "edge";
                String site = address.equals("192.0.2.12") ? "ams" : "fra";
                assertThat(peer.get("labels"))
                        .isEqualTo(CaptureFiles.parse("{\"role\":\"" + role + "\",\"site\":\"" + site + "\"}"));
            });
            assertThat(list(json("/peers?label=site:ams&label=role:edge&fields=peer_address" + at)))
                    .isNotEmpty()
                    .allSatisfy(peer ->
                            assertThat(peer.get("peer_address").asText()).isEqualTo("192.0.2.12"));
            assertThat(json("/peers?label=site:ams&label=role:transit" + at)).isEmpty();
        }
        assertThat(run("peers", "--label", "site:ams"))
                .contains("role:edge site:ams", "192.0.2.12")
                .doesNotContain("192.0.2.11");
    }

    @Test
    void autonomousSystemsHaveNames() {
        assertThat(json("/as-names?asn=64500,as185518,185518"))
                .isEqualTo(CaptureFiles.parse("[{\"asn\":185518,\"name\":\"Example, Inc.\"}]"));
        String prefix = "103.210.6.0/23";
        assertThat(run("routes", prefix)).contains(" origin name ", "Example, Inc.");
        assertThat(run("lookup", prefix)).contains("Example, Inc.");
        assertThat(run("history", prefix)).contains("Example, Inc.");
    }

    @Test
    void commandsPrintTheAnswersAsTablesCsvAndJson() {
        JsonNode route =
                data("/routes?view=loc-rib&family=ipv4-unicast&limit=5").get(3);
        String prefix = route.get("prefix").asText();
        assertThat(run("routes", prefix, "--view", "loc-rib"))
                .contains(" NLRI ", prefix, route.get("as_path").asText(), "(1 row)");
        assertThat(run("routes", prefix, "--view", "loc-rib", "--format", "csv")
                        .lines()
                        .toList())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("nlri,router,peer_address");
        assertThat(list(CaptureFiles.parse(run("routes", "--limit", "3", "--format", "json"))
                        .get("data")))
                .hasSize(3);
        assertThat(run("routes", "--limit", "3")).contains("(3 rows; there are more");
        assertThat(run("peers", "--at", OffsetDateTime.now().plusMinutes(1).toString()))
                .contains("192.0.2.11", " up ");
        assertThat(run("diff", time(history.getFirst()).minusDays(1).toString(), "--within", prefix))
                .contains("added", prefix);
    }

    private static String run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(1, List.of("--url", "http://127.0.0.1:" + station.httpPort()));
        StationProcess.Outcome outcome = StationProcess.command(all.toArray(String[]::new));
        assertThat(outcome.stderr()).isEmpty();
        assertThat(outcome.exitCode()).isZero();
        return outcome.stdout();
    }

    @Test
    void linesHaveTheSameRowsAndEndWithTheCursor() {
        HttpResponse<String> response =
                station.get(API + "/routes?limit=2&fields=nlri,prefix", "Accept", "application/x-ndjson");
        assertThat(response.headers().firstValue("content-type")).hasValue("application/x-ndjson");
        List<JsonNode> lines = response.body().lines().map(CaptureFiles::parse).toList();
        JsonNode page = json("/routes?limit=2&fields=nlri,prefix");
        assertThat(lines.subList(0, 2)).isEqualTo(list(page.get("data")));
        assertThat(lines.get(2).get("next")).isEqualTo(page.get("next"));
        assertThat(lines).hasSize(3);
        // Also those of a lookup, from the RIB, and from the database of a time
        String prefix = data("/routes?view=loc-rib&family=ipv4-unicast&limit=1&fields=prefix")
                .getFirst()
                .get("prefix")
                .asText();
        for (String at : List.of("", "&at=-0s")) {
            String lookup = "/lookup?prefix=" + prefix + at;
            HttpResponse<String> found = station.get(API + lookup, "Accept", "application/x-ndjson");
            assertThat(found.headers().firstValue("content-type")).hasValue("application/x-ndjson");
            assertThat(found.body().lines().map(CaptureFiles::parse).toList())
                    .isNotEmpty()
                    .isEqualTo(list(json(lookup)));
        }
    }

    @Test
    void answersOfAnyFormContainUntilWhenTheStateIsKnown() {
        HttpResponse<String> page = get("/routes?limit=1");
        String updated = CaptureFiles.parse(page.body()).get("last_updated").asText();
        assertThat(page.headers().firstValue(LAST_UPDATED)).hasValue(updated);
        for (String path : List.of("/routers", "/peers", "/lookup?address=192.0.2.1", "/lookup?address=::&at=-1s")) {
            assertThat(get(path).headers().firstValue(LAST_UPDATED))
                    .as(path)
                    .hasValueSatisfying(time -> assertThat(OffsetDateTime.parse(time))
                            .isBetween(OffsetDateTime.parse(updated), OffsetDateTime.now()));
        }
    }

    @Test
    void aMethodThatAnOperationDoesNotHaveIsAnsweredWithThoseThatItHas() {
        HttpResponse<String> response = station.post(API + "/routers", "application/json", "{}");
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("Allow")).hasValue("GET, HEAD, OPTIONS");
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(get("/flows").headers().firstValue("Allow")).hasValue("OPTIONS, POST");
    }

    /** The client asks for an upgrade to HTTP/2 with its first request on a connection. */
    @Test
    void http2IsNotUsedWithoutTls() {
        assertThat(get("/routers").version()).isEqualTo(HttpClient.Version.HTTP_1_1);
    }

    @Test
    void anUnchangedAnswerIsNotSentAgain() {
        for (String path : List.of("/routes?limit=2", "/lookup?address=100.0.0.1")) {
            String tag = get(path).headers().firstValue("etag").orElseThrow();
            HttpResponse<String> unchanged = station.get(API + path, "If-None-Match", tag);
            assertThat(unchanged.statusCode()).as(path).isEqualTo(304);
            assertThat(unchanged.body()).isEmpty();
            assertThat(station.get(API + "/routes?limit=3", "If-None-Match", tag)
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    /** An operation that is given an unknown parameter lists those that it has. */
    @Test
    void theOpenApiDocumentDescribesTheParametersOfEachOperation() {
        HttpResponse<String> response = station.get("/q/openapi?format=json");
        assertThat(response.statusCode()).isEqualTo(200);
        JsonNode document = CaptureFiles.parse(response.body());
        List<String> checked = new ArrayList<>();
        document.get("paths").fields().forEachRemaining(entry -> {
            String path = entry.getKey();
            List<String> described = new ArrayList<>();
            for (JsonNode parameter : entry.getValue().at("/get/parameters")) {
                described.add((parameter.has("name")
                                ? parameter
                                : document.at(parameter.get("$ref").asText().substring(1)))
                        .get("name")
                        .asText());
            }
            if (!described.isEmpty() && !path.endsWith("/stream") && !path.endsWith("/ws")) {
                String detail = CaptureFiles.parse(
                                station.get(path + "?unknown=1").body())
                        .get("detail")
                        .asText();
                assertThat(List.of(detail.replaceAll(".* has ", "").split(", ")))
                        .as(path)
                        .containsExactlyInAnyOrderElementsOf(described);
                checked.add(path);
            }
        });
        assertThat(checked).hasSize(15);
    }

    @Test
    void invalidParametersAreNamed() {
        Map<String, String> invalid = new TreeMap<>(Map.ofEntries(
                Map.entry("/routes?prefixx=::/0", "prefixx"),
                Map.entry("/routes?prefix=10.0.0.0/33", "prefix"),
                Map.entry("/routes?match=longest", "prefix"),
                Map.entry("/routes?prefix=::/0&match=best", "match"),
                Map.entry("/routes?limit=0", "limit"),
                Map.entry("/routes?limit=1&limit=2", "limit"),
                Map.entry("/routes?cursor=x", "cursor"),
                Map.entry("/routes?cursor=WyJ4Il0", "cursor"),
                Map.entry("/routes?cursor=WyJ4IiwgIjEiLCAieCIsICJ4IiwgIngiLCAiLTEiLCAieCJd", "cursor"),
                Map.entry("/routes?view=pre", "view"),
                Map.entry("/routes?family=ipv4", "family"),
                Map.entry("/routes?community=1", "community"),
                Map.entry("/routes?origin_asn=4294967296", "origin_asn"),
                Map.entry("/routes?peer=10.0.0.0/8", "peer"),
                Map.entry("/routes?rd=x", "rd"),
                Map.entry("/routes?stale=maybe", "stale"),
                Map.entry("/routes?rpki_validity=unknown", "rpki_validity"),
                Map.entry("/routes?fields=prefix,secret", "fields"),
                Map.entry("/peers?label=site", "label"),
                Map.entry("/as-names", "asn"),
                Map.entry("/as-names?asn=64500,x", "asn"),
                Map.entry("/routes?at=yesterday", "at"),
                Map.entry("/rib/at", "ts"),
                Map.entry("/rib/diff", "from"),
                Map.entry("/rib/diff?from=2026-11-21&to=2026-11-20", "from"),
                Map.entry("/rib/diff?from=9999-11-21", "from"),
                Map.entry("/routes/history", "prefix"),
                Map.entry("/compare?prefix=x", "prefix"),
                Map.entry("/reconcile?state=odd", "state"),
                Map.entry("/reconcile?at=never", "at"),
                Map.entry("/reconcile?with=x", "with"),
                Map.entry("/reconcile?routes=1", "routes"),
                Map.entry("/reconcile?with=database&limit=1", "limit"),
                Map.entry("/reconcile?with=twin&routes=129", "routes"),
                Map.entry("/rib/digest?cells=18", "cells"),
                Map.entry("/rib/digest?key=1", "key"),
                Map.entry("/rib/digest?table=1", "table"),
                Map.entry("/rib/digest?family=afi-1/safi-999", "family"),
                Map.entry("/rib/digest/routes?routes=0000000000000001", "key"),
                Map.entry("/quarantine?at=never", "at"),
                Map.entry("/routers?limit=1", "limit"),
                Map.entry("/peers?state=odd", "state"),
                Map.entry("/lookup?address=::&view=x", "view"),
                Map.entry("/lookup?address=::&fields=secret", "fields"),
                Map.entry("/routes?attribute=otc:", "attribute"),
                Map.entry("/routes/history?prefix=::/0&family=x", "family"),
                Map.entry("/rib/diff?from=2026-11-21&rd=x", "rd"),
                Map.entry("/lookup?address=x", "address")));
        invalid.forEach((path, parameter) -> {
            HttpResponse<String> response = get(path);
            assertThat(response.statusCode()).as(path + " " + response.body()).isEqualTo(400);
            assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
            JsonNode problem = CaptureFiles.parse(response.body());
            assertThat(problem.path("type").asText()).isEqualTo("urn:silkroute:problem:invalid-parameter");
            assertThat(problem.path("parameter").asText()).as(path).isEqualTo(parameter);
        });
    }
}
