package dev.silkroute.app.web.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.rpki.OriginValidation;
import dev.silkroute.app.web.ProblemException;
import dev.silkroute.app.web.ProblemType;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.RibView;
import dev.silkroute.component.rib.TestOffsets;
import dev.silkroute.fixture.TestConfig;
import dev.silkroute.net.Family;
import dev.silkroute.rib.BatchFeed;
import dev.silkroute.rib.BatchOutcomes;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.rib.RouteOutcome;
import dev.silkroute.route.PeerEntry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A lookup must not respond that there is no route if the RIB does not have all of them. */
class LookupResourceTest {
    private static final StationConfig CONFIG = TestConfig.of("silkroute.roles", "rib,collector");

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private static Answers answers(String address) {
        MultivaluedMap<String, String> parameters = new MultivaluedHashMap<>();
        parameters.add("address", address);
        return answers(parameters);
    }

    private static Answers answers(MultivaluedMap<String, String> parameters) {
        UriInfo uri = (UriInfo) Proxy.newProxyInstance(
                UriInfo.class.getClassLoader(), new Class<?>[] {UriInfo.class}, (_, _, _) -> parameters);
        HttpHeaders headers = (HttpHeaders) Proxy.newProxyInstance(
                HttpHeaders.class.getClassLoader(),
                new Class<?>[] {HttpHeaders.class},
                (_, _, _) -> List.of(MediaType.WILDCARD_TYPE));
        Request request = (Request) Proxy.newProxyInstance(
                Request.class.getClassLoader(), new Class<?>[] {Request.class}, (_, _, _) -> null);
        return new Answers(null, uri, headers, request, null, new SimpleMeterRegistry(), CONFIG);
    }

    private static String text(Response response) {
        return new String((byte[]) response.getEntity(), StandardCharsets.UTF_8);
    }

    private static LookupResource lookups(CamelContext camel, String address) {
        return new LookupResource(
                camel.createProducerTemplate(), answers(address), new OriginValidation(CONFIG), CONFIG);
    }

    @Test
    void untilTheRibIsLoadedLookupsAreAnsweredWithRetryAfter() throws Exception {
        TestOffsets places = new TestOffsets();
        try (DefaultCamelContext camel = new DefaultCamelContext();
                Rib rib = new Rib(RibConfig.ofBytes(16 << 20))) {
            camel.getRegistry().bind("rib", rib);
            camel.getRegistry().bind("ribFeed", places);
            camel.start();
            LookupResource lookups = lookups(camel, "192.0.2.1");
            // Then
            assertThatExceptionOfType(ProblemException.class)
                    .isThrownBy(lookups::lookup)
                    .withMessage("the RIB has not been loaded yet; /q/health/ready reports its progress")
                    .matches(problem -> problem.type() == ProblemType.RETRY_LATER);
            // When it has been read
            places.ready.set(true);
            // Then
            Response answer = lookups.lookup();
            assertThat(answer.getStatus()).isEqualTo(200);
            assertThat(text(answer)).isEqualTo("[]");
            assertThat(answer.getHeaderString("Silkroute-Incomplete")).isNull();
        }
    }

    @Test
    void routesAreSelectedByTheirValidity() throws Exception {
        Path vrps = Files.writeString(
                folder.resolve("vrps.csv"), "ASN,IP Prefix,Max Length\nAS64500,10.0.0.0/8,8\nAS64501,10.0.0.0/8,8\n");
        var validation = new OriginValidation(TestConfig.of("silkroute.rpki.vrps", vrps)).load();
        TestOffsets offsets = new TestOffsets();
        offsets.ready.set(true);
        try (DefaultCamelContext camel = new DefaultCamelContext();
                Rib rib = new Rib(RibConfig.ofBytes(16 << 20))) {
            camel.getRegistry().bind("rib", rib);
            camel.getRegistry().bind("ribFeed", offsets);
            camel.start();
            BatchFeed feed = new BatchFeed().begin("r", 1);
            byte[] prefix = BatchFeed.ipv4(0x0A00_0000, 8);
            byte[] empty = HexFormat.of().parseHex("50010001005002000050030004c0000201");
            PeerEntry own = BatchFeed.peer(1, RibView.LOC_RIB); // of AS 64501
            PeerEntry other = BatchFeed.peer(2, RibView.ADJ_RIB_IN_PRE_POLICY); // of AS 64502
            feed.announce(own, Family.IPV4_UNICAST, null, prefix, empty);
            feed.announce(other, Family.IPV4_UNICAST, null, prefix, empty);
            rib.apply(feed.build(), new BatchOutcomes());
            for (var expected : Map.of("valid", own, "invalid", other).entrySet()) {
                MultivaluedMap<String, String> parameters = new MultivaluedHashMap<>();
                parameters.add("address", "10.1.2.3");
                parameters.add("rpki_validity", expected.getKey());
                var lookups =
                        new LookupResource(camel.createProducerTemplate(), answers(parameters), validation, CONFIG);
                JsonNode routes = JSON.readTree(text(lookups.lookup()));
                assertThat(routes).hasSize(1);
                assertThat(routes.get(0).path("rpki_validity").asText()).isEqualTo(expected.getKey());
                assertThat(routes.get(0).path("peer_asn").asInt())
                        .isEqualTo(expected.getValue().asn());
            }
        }
    }

    @Test
    void routesAreSelectedByTheVerdictAboutTheirPath() throws Exception {
        Path aspas = Files.writeString(
                folder.resolve("vrps.json"),
                "{\"roas\": [], \"aspas\": [{\"customer_asid\": 64500, \"providers\": [64501]}]}");
        var validation = new OriginValidation(TestConfig.of("silkroute.rpki.vrps", aspas)).load();
        TestOffsets offsets = new TestOffsets();
        offsets.ready.set(true);
        try (DefaultCamelContext camel = new DefaultCamelContext();
                Rib rib = new Rib(RibConfig.ofBytes(16 << 20))) {
            camel.getRegistry().bind("rib", rib);
            camel.getRegistry().bind("ribFeed", offsets);
            camel.start();
            byte[] prefix = BatchFeed.ipv4(0x0A00_0000, 8);
            BatchFeed feed = new BatchFeed().begin("r", 1);
            for (int i = 1; i <= 3; i++) {
                PeerEntry peer = BatchFeed.peer(i, RibView.ADJ_RIB_IN_PRE_POLICY); // of AS 64501, 64502 and 64503
                byte[] path = HexFormat.of().parseHex("5001000100" + "5002000a0202%08x0000fbf4".formatted(peer.asn()));
                feed.role(peer, i == 3 ? null : NeighborRole.CUSTOMER)
                        .announce(peer, Family.IPV4_UNICAST, null, prefix, path);
            }
            rib.apply(feed.build(), new BatchOutcomes());
            for (var expected : Map.of("valid", "64501 valid", "invalid", "64502 invalid", "unknown", "")
                    .entrySet()) {
                MultivaluedMap<String, String> parameters = new MultivaluedHashMap<>();
                parameters.add("address", "10.1.2.3");
                parameters.add("aspa", expected.getKey());
                assertThat(verdicts(camel, parameters, validation)).isEqualTo(expected.getValue());
            }
            MultivaluedMap<String, String> parameters = new MultivaluedHashMap<>();
            parameters.add("address", "10.1.2.3");
            assertThat(verdicts(camel, parameters, validation)).isEqualTo("64501 valid, 64502 invalid, 64503 -");
            parameters.add("aspa", "invalid");
            parameters.add("fields", "first_seen");
            assertThatExceptionOfType(ProblemException.class)
                    .as("fields that the RIB does not have")
                    .isThrownBy(() -> verdicts(camel, parameters, validation))
                    .withMessageContaining("needs the present routes of a station with the role rib");
        }
    }

    private static String verdicts(
            CamelContext camel, MultivaluedMap<String, String> parameters, OriginValidation validation)
            throws Exception {
        var lookups = new LookupResource(camel.createProducerTemplate(), answers(parameters), validation, CONFIG);
        JsonNode routes = JSON.readTree(text(lookups.lookup()));
        return StreamSupport.stream(routes.spliterator(), false)
                .map(route -> route.path("peer_asn").asText() + " "
                        + route.path("aspa").asText("-"))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** Announces prefixes from 16.0.0.0 on until one is rejected, and returns whether any was accepted. */
    private static boolean fill(Rib rib) {
        PeerEntry peer = BatchFeed.peer(1, RibView.ADJ_RIB_IN_PRE_POLICY);
        BatchFeed feed = new BatchFeed();
        BatchOutcomes outcomes = new BatchOutcomes();
        boolean accepted = false;
        for (int i = 0; outcomes.count(RouteOutcome.REJECTED) == 0; i++) {
            feed.begin("r", 1);
            for (int j = 0; j < 500; j++) {
                int route = i * 500 + j;
                feed.announce(
                        peer,
                        Family.IPV4_UNICAST,
                        null,
                        BatchFeed.ipv4(0x1000_0000 + (route << 8), 24),
                        BatchFeed.attributes(1 + route, 0));
            }
            rib.apply(feed.build(), outcomes);
            accepted |= outcomes.count(RouteOutcome.NEW) > 0;
        }
        return accepted;
    }

    @Test
    void lookupsReportThatTheRibHasNoMemoryForAllRoutes() throws Exception {
        TestOffsets offsets = new TestOffsets();
        offsets.ready.set(true);
        try (DefaultCamelContext camel = new DefaultCamelContext();
                Rib rib = new Rib(RibConfig.ofBytes(16 << 20))) {
            camel.getRegistry().bind("rib", rib);
            camel.getRegistry().bind("ribFeed", offsets);
            camel.start();
            assertThat(fill(rib)).isTrue();
            Response found = lookups(camel, "16.0.0.1").lookup();
            assertThat(found.getHeaderString("Silkroute-Incomplete")).isEqualTo("true");
            assertThat(text(found)).contains("\"prefix\":\"16.0.0.0/24\"").endsWith("\"incomplete\":true}]");
            Response nothing = lookups(camel, "192.0.2.1").lookup();
            assertThat(nothing.getHeaderString("Silkroute-Incomplete")).isEqualTo("true");
            assertThat(text(nothing)).isEqualTo("[]");
        }
    }
}
