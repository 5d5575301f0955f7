package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestOtlpReceiver;
import dev.silkroute.fixture.TestOtlpReceiver.Received;
import dev.silkroute.fixture.TestRouter;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the RIB of a station equals its database, also after a restart, that it enriches flow records, and that a
 * batch is one trace from the socket to the tables and the RIB.
 */
class RibIT {
    private static final String CAPTURE = "frr-noap";
    /** The AS of one of the peers. */
    private static final String CUSTOMER = "4200000011";

    @TempDir
    private Path folder;

    @Test
    void givenARoutersTableThenRibFlowsAndDatabaseAgreeAlsoAfterARestart() throws Exception {
        try (TestOtlpReceiver receiver = new TestOtlpReceiver()) {
            ribFlowsAndDatabaseAgree(receiver);
        }
    }

    private void ribFlowsAndDatabaseAgree(TestOtlpReceiver receiver) throws Exception {
        Path rules = Files.writeString(folder.resolve("prefixes.yml"), "192.0.2.0/24: {asn: 64500}\n");
        Map<String, String> flows = new TreeMap<>(Map.of(
                "SILKROUTE_TRACING_OTLP_ENDPOINT",
                receiver.url(),
                "SILKROUTE_TRACING_RATIO",
                "1",
                "SILKROUTE_ROUTES_ALERTS_ENABLED",
                "true",
                "SILKROUTE_ALERTS_RULES",
                rules.toAbsolutePath().toString(),
                "SILKROUTE_ALERTS_RELOAD_INTERVAL",
                "1s"));
        flows.putAll(Map.of(
                "SILKROUTE_ROUTES_FLOWS_ENABLED",
                "true",
                "SILKROUTE_FLOWS_HTTP_MAX_BYTES",
                "64K",
                "SILKROUTE_RPKI_VRPS",
                folder.resolve("vrps.csv").toAbsolutePath().toString(),
                "SILKROUTE_RPKI_RELOAD_INTERVAL",
                "1s",
                "SILKROUTE_NAMES_AS_NAMES",
                folder.resolve("asns.csv").toAbsolutePath().toString(),
                "SILKROUTE_NAMES_RELOAD_INTERVAL",
                "1s"));
        flows.put("SILKROUTE_DECODE_NEIGHBOR_ROLES", CUSTOMER + "=customer");
        String routes = Integer.toString(CaptureFiles.state(CAPTURE).size());
        List<String> before;
        StationProcess first = StationProcess.startOnSharedServers(flows, folder.resolve("data"));
        try (first;
                TestRouter router = TestRouter.connect(first.bmpPort())) {
            // Given
            byte[] stream = CaptureFiles.stream(CAPTURE);
            router.send(stream, 0, CaptureFiles.mark(CAPTURE), 65_536);
            awaitRows(first, routes + "|0");
            awaitRib(first, routes);
            // Then
            isTraced(first, receiver);
            before = lookups(first);
            assertThat(before).hasSizeGreaterThan(10).isEqualTo(stored(first));
            looksUpPrefixes(first);
            validatesOrigins(first, folder.resolve("vrps.csv"));
            verifiesPaths(first, folder.resolve("vrps.csv"));
            String address = first.sql(
                            "SELECT host(prefix) FROM bmp.v_rib WHERE family = 'ipv4-unicast' AND masklen(prefix) > 0"
                                    + " AND as_path <> '' ORDER BY prefix LIMIT 1")
                    .getFirst();
            namesOrigins(first, folder.resolve("asns.csv"));
            enrichesFlows(first, address);
            enrichesFlowsByHttp(first, address);
            reloadsAlertRules(first, rules);
            assertThat(first.stop()).isZero();
        }
        // When: it is restarted on the same data
        try (StationProcess station = first.startAgain(flows)) {
            // Then: everything is stale, because the router is disconnected, and otherwise the same
            awaitRows(station, routes + "|" + routes);
            awaitRib(station, routes);
            await().untilAsserted(() -> assertThat(lookups(station)).isEqualTo(stored(station)));
            awaitInvalidPaths(station);
            assertThat(lookups(station).stream()
                            .map(line -> line.replace("|true", "|false"))
                            .toList())
                    .isEqualTo(before);
        }
    }

    /** A batch with routes, of which the lanes and the RIB have continued the trace by the header of its record. */
    private static void isTraced(StationProcess station, TestOtlpReceiver receiver) {
        await().untilAsserted(() -> {
            List<Received> produced = spans(receiver, "kafka:bmp.routes");
            assertThat(produced).isNotEmpty();
            Received routes = produced.getFirst();
            List<Received> trace = receiver.spans().stream()
                    .filter(span -> span.trace().equals(routes.trace()))
                    .toList();
            assertThat(trace)
                    .extracting(Received::name)
                    .contains(
                            "batch",
                            "read",
                            "bmp:raw",
                            "kafka:bmp.raw",
                            "decode",
                            "kafka:bmp.routes",
                            "pgcopy:bmp.route_event",
                            "pgcopy:bmp.rib_route",
                            "rib:apply");
            assertThat(trace.stream()
                            .filter(span -> span.name().equals("consume bmp.routes")
                                    && span.parent().equals(routes.id())
                                    && span.startNanos() >= routes.startNanos()))
                    .extracting(span -> span.attributes().get("silkroute.route"))
                    .contains("history", "current", "rib");
        });
        assertThat(station.records("bmp.routes"))
                .filteredOn(record -> record.headers().lastHeader("traceparent") != null)
                .isNotEmpty();
        assertThat(station.get("/q/metrics").body())
                .contains("silkroute_tracing_spans_total{outcome=\"sent\"}")
                .contains("silkroute_tracing_spans_total{outcome=\"failed\"} 0.0")
                .contains("silkroute_tracing_spans_total{outcome=\"dropped\"} 0.0");
    }

    private static List<Received> spans(TestOtlpReceiver receiver, String name) {
        return receiver.spans().stream()
                .filter(span -> span.name().equals(name))
                .toList();
    }

    /** First every origin has a VRP, then none may originate anything; the past keeps its validity. */
    private static void validatesOrigins(StationProcess station, Path vrps) throws IOException {
        String header = "ASN,IP Prefix,Max Length\n";
        List<String> origins =
                station.sql("SELECT DISTINCT origin_asn || ',' || prefix || ',' || masklen(prefix) FROM bmp.v_rib"
                        + " WHERE family = 'ipv4-unicast' AND origin_asn IS NOT NULL");
        Files.writeString(vrps, header + String.join("\n", origins) + "\n");
        String address = origins.getFirst().split(",")[1].split("/")[0];
        awaitValidity(station, address, "valid");
        awaitValidity(station, address + "&at=-0s", "valid");
        Instant valid = Instant.now();
        Files.writeString(vrps, header + "AS0,0.0.0.0/0,32\n");
        Files.setLastModifiedTime(vrps, FileTime.from(Instant.now().plusSeconds(1)));
        awaitValidity(station, address, "invalid");
        awaitValidity(station, address + "&at=-0s", "invalid");
        awaitValidity(station, address + "&at=" + valid, "valid");
    }

    /** ASes that have no providers cannot have sent their routes to a customer of the router. */
    private static void verifiesPaths(StationProcess station, Path vrps) throws IOException {
        String aspas = station.sql("SELECT DISTINCT origin_asn FROM bmp.v_rib WHERE origin_asn IS NOT NULL").stream()
                .map(asn -> "{\"customer_asid\": " + asn + ", \"providers\": [0]}")
                .collect(Collectors.joining(","));
        Files.writeString(
                vrps,
                "{\"roas\": [{\"asn\": 0, \"prefix\": \"0.0.0.0/0\", \"maxLength\": 32}], \"aspas\": [" + aspas + "]}");
        Files.setLastModifiedTime(vrps, FileTime.from(Instant.now().plusSeconds(2)));
        awaitInvalidPaths(station);
    }

    private static void awaitInvalidPaths(StationProcess station) {
        String address = station.sql("SELECT host(prefix) FROM bmp.v_rib WHERE family = 'ipv4-unicast' AND peer_asn = "
                        + CUSTOMER + " AND rib_view LIKE 'adj-rib-in-%' AND as_path LIKE '% %' ORDER BY prefix LIMIT 1")
                .getFirst();
        await().untilAsserted(() -> assertThat(
                        CaptureFiles.parse(station.get("/api/v1/lookup?aspa=invalid&address=" + address)
                                        .body())
                                .valueStream()
                                .map(route -> route.get("peer_asn").asText()))
                .isNotEmpty()
                .containsOnly(CUSTOMER));
    }

    /** Rules that expect another origin, invalid ones, and rules that expect what there is. */
    private static void reloadsAlertRules(StationProcess station, Path rules) throws IOException {
        String prefix = station.sql("SELECT text(prefix) FROM bmp.v_rib WHERE family = 'ipv4-unicast'"
                        + " AND rib_view = 'adj-rib-in-pre' AND origin_asn IS NOT NULL ORDER BY prefix LIMIT 1")
                .getFirst();
        String origins = String.join(
                ",",
                station.sql("SELECT DISTINCT origin_asn FROM bmp.v_rib WHERE prefix = '" + prefix
                        + "' AND origin_asn IS NOT NULL"));
        assertThat(originChanges(station)).isEmpty();

        Files.writeString(rules, prefix + ": {asn: 64999}\n");
        await().untilAsserted(() -> assertThat(originChanges(station)).containsOnly(prefix));

        Files.writeString(rules, prefix + ": {asm: 64999}\n");
        await().untilAsserted(() -> assertThat(station.log())
                .contains("The monitored prefixes are not updated, 1 stay in use: " + rules.toAbsolutePath() + ": "
                        + prefix + ": "));
        assertThat(originChanges(station)).containsOnly(prefix);

        Files.writeString(rules, prefix + ": {asn: [" + origins + "]}\n");
        await().untilAsserted(() -> assertThat(originChanges(station)).isEmpty());
    }

    private static List<String> originChanges(StationProcess station) {
        return CaptureFiles.parse(
                        station.get("/api/v1/alerts?rule=origin-change").body())
                .path("data")
                .valueStream()
                .map(alert -> alert.path("prefix").asText())
                .toList();
    }

    private static void namesOrigins(StationProcess station, Path names) throws IOException {
        List<String> asns = station.sql("SELECT DISTINCT origin_asn FROM bmp.v_rib WHERE origin_asn IS NOT NULL");
        Files.write(names, asns.stream().map(asn -> asn + ",Example " + asn).toList());
        await().untilAsserted(() -> assertThat(
                        CaptureFiles.parse(station.get("/api/v1/as-names?asn=" + String.join(",", asns))
                                .body()))
                .hasSameSizeAs(asns));
    }

    private static void awaitValidity(StationProcess station, String address, String expected) {
        await().untilAsserted(() -> {
            List<JsonNode> routes = CaptureFiles.parse(
                            station.get("/api/v1/lookup?address=" + address).body())
                    .valueStream()
                    .filter(route -> route.has("origin_asn"))
                    .toList();
            assertThat(routes)
                    .isNotEmpty()
                    .allSatisfy(route ->
                            assertThat(route.path("rpki_validity").asText()).isEqualTo(expected));
        });
    }

    private static void awaitRows(StationProcess station, String counts) {
        await().untilAsserted(
                        () -> assertThat(station.sql("SELECT count(*), count(*) FILTER (WHERE stale) FROM bmp.v_rib"))
                                .containsExactly(counts));
    }

    private static void awaitRib(StationProcess station, String routes) {
        await().untilAsserted(() -> assertThat(station.get("/q/metrics").body())
                .containsPattern("silkroute_rib_routes(\\{[^}]*\\})? " + routes + "\\.0"));
        assertThat(station.get("/q/health/ready").statusCode()).isEqualTo(200);
    }

    private static final String PROBES =
            "SELECT DISTINCT host(prefix) FROM bmp.v_rib WHERE safi = 1 ORDER BY 1 LIMIT 40";

    private static List<String> lookups(StationProcess station) {
        TreeSet<String> lines = new TreeSet<>();
        for (String address : station.sql(PROBES)) {
            for (JsonNode route : CaptureFiles.parse(
                    station.get("/api/v1/lookup?address=" + address).body())) {
                lines.add(address + "|" + route.get("peer_address").asText() + "|"
                        + route.get("rib_view").asText() + "|"
                        + route.get("prefix").asText() + "|"
                        + route.path("path_id").asText("-") + "|"
                        + route.path("as_path").asText("") + "|"
                        + route.path("next_hop").asText("-") + "|"
                        + route.get("stale").asText());
            }
        }
        return new ArrayList<>(lines);
    }

    private static List<String> stored(StationProcess station) {
        TreeSet<String> lines = new TreeSet<>();
        for (String address : station.sql(PROBES)) {
            lines.addAll(station.sql("SELECT '" + address + "', host(peer_address), rib_view, text(prefix),"
                    + " coalesce(path_id::text, '-'), coalesce(as_path, ''), coalesce(host(next_hop), '-'), stale::text"
                    + " FROM bmp.lookup('" + address + "')"));
        }
        return new ArrayList<>(lines);
    }

    /** Uses the command for existing prefixes, for covered ones, and for ones that cover existing prefixes only. */
    private static void looksUpPrefixes(StationProcess station) {
        String some = "(SELECT DISTINCT prefix FROM bmp.v_rib WHERE safi = 1 AND masklen(prefix) BETWEEN 8 AND 31"
                + " ORDER BY prefix LIMIT 2)";
        List<String> probes = station.sql("SELECT text(prefix) FROM " + some + " p UNION ALL"
                + " SELECT text(network(set_masklen(prefix, masklen(prefix) + 1))) FROM " + some + " p UNION ALL"
                + " SELECT text(network(set_masklen(prefix, masklen(prefix) - 1))) FROM " + some + " p");
        assertThat(probes).hasSize(6);
        int found = 0;
        for (String prefix : probes) {
            List<String> stored =
                    station.sql("SELECT router, host(peer_address), rib_view, text(prefix), coalesce(as_path, '')"
                            + " FROM bmp.lookup('" + prefix + "')");
            found += stored.size();
            List<String> routes = new ArrayList<>();
            String directory = station.directory().toString();
            JsonNode json =
                    CaptureFiles.parse(StationProcess.command("lookup", "--data-dir", directory, "--json", prefix)
                            .stdout());
            for (JsonNode route : json) {
                routes.add(String.join(
                        "|",
                        route.get("router").asText(),
                        route.get("peer_address").asText(),
                        route.get("rib_view").asText(),
                        route.get("prefix").asText(),
                        route.path("as_path").asText("")));
            }
            assertThat(routes).as(prefix).containsExactlyInAnyOrderElementsOf(stored);
            StationProcess.Outcome table = StationProcess.command("lookup", "--data-dir", directory, prefix);
            assertThat(table.stderr()).isEmpty();
            assertThat(table.exitCode()).isZero();
            assertThat(table.stdout())
                    .endsWith(
                            stored.isEmpty()
                                    ? "No route covers " + prefix + "\n"
                                    : stored.size() == 1 ? "(1 route)\n" : "(" + stored.size() + " routes)\n");
        }
        assertThat(found).isPositive();
    }

    private static void enrichesFlows(StationProcess station, String address) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", station.kafkaBootstrap()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (String flow : List.of(
                    "{\"src_addr\":\"203.0.113.77\",\"dst_addr\":\"" + address + "\",\"bytes\":1500}", "no flow")) {
                producer.send(new ProducerRecord<>("flows", 0, null, flow.getBytes(StandardCharsets.UTF_8)));
            }
        }
        List<String> enriched = enriched(station, 2);
        assertThat(enriched).hasSize(2).contains("no flow");
        isEnriched(
                station,
                address,
                CaptureFiles.parse(enriched.stream()
                        .filter(line -> line.startsWith("{"))
                        .findFirst()
                        .orElseThrow()));
    }

    /** Waits for this number of records and returns all of the topic. */
    private static List<String> enriched(StationProcess station, int least) {
        return await().until(() -> enriched(station), enriched -> enriched.size() >= least);
    }

    private static List<String> enriched(StationProcess station) {
        return station.records("flows.enriched").stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    /** Returns the result of the equivalent SQL query. */
    private static void isEnriched(StationProcess station, String address, JsonNode flow) {
        assertThat(flow.get("bytes").asInt()).isEqualTo(1500);
        assertThat(flow.path("dst_rpki_validity").asText())
                .as("by the VRPs that validatesOrigins has left")
                .isEqualTo("invalid");
        String prefix = flow.get("dst_prefix").asText();
        assertThat(station.sql("SELECT DISTINCT text(prefix) FROM bmp.lookup('" + address
                        + "') WHERE masklen(prefix) = (SELECT max(masklen(prefix)) FROM bmp.lookup('" + address
                        + "'))"))
                .containsExactly(prefix);
        long asn = flow.path("dst_as").asLong();
        assertThat(flow.path("dst_as_name").asText()).isEqualTo("Example " + asn);
        assertThat(station.sql("SELECT as_path, coalesce(origin_asn, 0) FROM bmp.lookup('" + address + "')"))
                .contains(flow.get("dst_as_path").asText() + "|" + asn);
    }

    private static void enrichesFlowsByHttp(StationProcess station, String address) {
        String flow = "{\"dst_addr\":\"" + address + "\",\"bytes\":1500,\"by\":\"http\"}";
        // An array with two invalid records
        HttpResponse<String> array = station.post(
                "/api/v1/flows", "application/json", "[" + flow + ", 7, {\"src_addr\":\"1.2.3\"}, " + flow + "]");
        assertThat(array.statusCode()).isEqualTo(200);
        JsonNode answer = CaptureFiles.parse(array.body());
        assertThat(answer.get("records")).hasSize(2);
        answer.get("records").forEach(record -> isEnriched(station, address, record));
        assertThat(answer.get("rejected")).isEqualTo(CaptureFiles.parse("""
            [{"record": 2, "reason": "not a JSON object but of type number"},
             {"record": 3, "reason": "src_addr: '1.2.3' is not a valid IPv4 address"}]\
            """));
        // Lines, one of which is invalid
        HttpResponse<String> lines =
                station.post("/api/v1/flows", "application/x-ndjson", flow + "\n\n{\"dst_addr\":\n" + flow + "\n");
        assertThat(lines.statusCode()).isEqualTo(200);
        answer = CaptureFiles.parse(lines.body());
        assertThat(answer.get("records")).hasSize(2);
        assertThat(answer.get("rejected")).hasSize(1);
        assertThat(answer.get("rejected").get(0).get("line").asInt()).isEqualTo(3);
        // A single record, and an invalid body
        isEnriched(
                station,
                address,
                CaptureFiles.parse(station.post("/api/v1/flows", "application/json", flow)
                                .body())
                        .get("records")
                        .get(0));
        rejected(station, "application/json", "[" + flow + ", {]", 400, "the body is not valid JSON: ");
        rejected(station, "application/json", "[7]", 400, "No record was accepted; see rejected");
        rejected(station, "application/x-ndjson", "seven", 400, "No record was accepted; see rejected");
        rejected(station, "text/plain", flow, 415, "The content-type header");
        rejected(
                station,
                "application/json",
                "[" + flow + " ".repeat(64 << 10) + "]",
                413,
                "The request is larger than 64 KiB (silkroute.flows.http.max-bytes)");
        // Then the topic contains the accepted records only
        List<String> enriched = enriched(station, 7);
        assertThat(enriched).hasSize(7);
        assertThat(enriched.stream().filter(line -> line.contains("\"by\":\"http\"")))
                .hasSize(5)
                .allSatisfy(line -> isEnriched(station, address, CaptureFiles.parse(line)));
        assertThat(station.get("/q/metrics").body())
                .contains("silkroute_flows_http_records_total{outcome=\"enriched\"} 5.0")
                .contains("silkroute_flows_http_records_total{outcome=\"rejected\"} 5.0");
    }

    private static void rejected(StationProcess station, String type, String body, int status, String detail) {
        HttpResponse<String> answer = station.post("/api/v1/flows", type, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(CaptureFiles.parse(answer.body()).get("detail").asText()).startsWith(detail);
    }
}
