package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestMessages;
import dev.silkroute.fixture.TestRouter;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteChange;
import dev.silkroute.route.RouteCursor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a station that reports what each event has changed, in a header of {@code bmp.routes} and in JSON. */
class ChangesIT {
    private static final String PEER = "192.0.2.77";
    private static final byte[] NOTHING = {};

    @TempDir
    private Path folder;

    private static byte[] announce(int n, byte[] attributes) {
        return TestMessages.monitoring(TestMessages.update(NOTHING, attributes, prefix(n)));
    }

    private static byte[] withdraw(int n) {
        return TestMessages.monitoring(TestMessages.update(prefix(n), NOTHING, NOTHING));
    }

    /** 198.51.N.0/24. */
    private static byte[] prefix(int n) {
        return new byte[] {24, (byte) 198, 51, (byte) n};
    }

    private static byte[] withMed() {
        return TestMessages.join(TestMessages.attributes(), TestMessages.hex("800404000000ff"));
    }

    /** Returns a path through another AS. */
    private static byte[] elsewhere() {
        return TestMessages.join(TestMessages.hex("40010100" + "40020602010000fdea" + "400304c000024d"));
    }

    @Test
    void givenARouterWhenItAnnouncesRepeatsChangesAndWithdrawsThenEachEventReportsTheChange() throws Exception {
        try (StationProcess station = StationProcess.startOnSharedServers(
                Map.of("SILKROUTE_CHANGES_ENABLED", "true", "SILKROUTE_ROUTES_JSON_ENABLED", "true"),
                folder.resolve("data"))) {
            // When: many at once, so that batches have several
            try (TestRouter router = TestRouter.connect(station.bmpPort())) {
                router.send(TestMessages.join(
                        TestMessages.initiation("edge"),
                        TestMessages.peerUp(PEER),
                        announce(1, TestMessages.attributes()),
                        announce(1, TestMessages.attributes()),
                        announce(1, withMed()),
                        announce(1, elsewhere()),
                        withdraw(1),
                        withdraw(1),
                        announce(1, TestMessages.attributes()),
                        announce(2, TestMessages.attributes())));
            }
            List<String> expected = List.of(
                    "announce 198.51.1.0/24 new",
                    "announce 198.51.1.0/24 none",
                    "announce 198.51.1.0/24 attributes",
                    "announce 198.51.1.0/24 implicit-withdraw",
                    "withdraw 198.51.1.0/24 withdraw",
                    "withdraw 198.51.1.0/24 unknown",
                    "announce 198.51.1.0/24 new",
                    "announce 198.51.2.0/24 new",
                    "announce 198.51.1.0/24 confirmed",
                    "announce 198.51.2.0/24 implicit-withdraw",
                    "announce 198.51.2.0/24 none",
                    "withdraw 198.51.3.0/24 unknown");
            await().untilAsserted(() -> assertThat(ofJson(station)).isEqualTo(expected.subList(0, 8)));
            // When it comes back
            TestRouter again = TestRouter.connect(station.bmpPort());
            again.send(TestMessages.join(
                    TestMessages.initiation("edge"),
                    TestMessages.peerUp(PEER),
                    announce(1, TestMessages.attributes())));
            again.send(TestMessages.join(announce(2, elsewhere()), announce(2, elsewhere()), withdraw(3)));
            // Then
            await().untilAsserted(() -> assertThat(ofJson(station)).isEqualTo(expected));
            assertThat(ofHeaders(station))
                    .isEqualTo(expected.stream()
                            .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                            .toList());
            assertThat(station.get("/q/metrics").body())
                    .contains("silkroute_rib_events_total{outcome=\"changed\",role=\"collector\"} 3.0")
                    .contains("silkroute_rib_events_total{outcome=\"confirmed\",role=\"collector\"} 1.0")
                    .containsPattern("silkroute_rib_routes\\{role=\"collector\"\\} 2\\.0");
            // The RIB of the station has the same, by itself
            await().untilAsserted(() -> assertThat(station.get("/q/metrics").body())
                    .contains("silkroute_rib_events_total{outcome=\"confirmed\",role=\"rib\"} 1.0")
                    .containsPattern("silkroute_rib_routes\\{role=\"rib\"\\} 2\\.0"));
            // When its peer goes down, because it was deconfigured
            again.send(TestMessages.bmp(2, TestMessages.peerHeader(PEER), new byte[] {5}));
            // Then routes have no events, and the station withdraws them
            await().untilAsserted(() -> assertThat(station.get("/q/metrics").body())
                    .contains("silkroute_pgstate_withdrawn_routes_total{cause=\"peer-down\"} 2.0")
                    .containsPattern("silkroute_pgstate_pending_tables(\\{[^}]*\\})? 0\\.0")
                    .containsPattern("silkroute_rib_routes\\{role=\"collector\"\\} 0\\.0"));
            assertThat(ofJson(station)).isEqualTo(expected);
            again.close();
        }
    }

    private static List<String> ofJson(StationProcess station) throws Exception {
        var schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(Files.readString(Path.of("docs/reference/schema/route.schema.json")));
        List<String> lines = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : station.records("bmp.routes.json")) {
            JsonNode event = CaptureFiles.parse(new String(record.value(), StandardCharsets.UTF_8));
            assertThat(schema.validate(event)).isEmpty();
            assertThat(event.has("change")).isEqualTo(event.has("prefix"));
            if (event.has("prefix")) {
                lines.add(
                        event.get("event").asText() + " " + event.get("prefix").asText() + " "
                                + event.get("change").asText());
            }
        }
        return lines;
    }

    /** Returns a code for each event of a batch; events of peers and sessions have no change. */
    private static List<String> ofHeaders(StationProcess station) {
        List<String> changes = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : station.records("bmp.routes")) {
            RouteBatch batch = RouteBatch.read(record.value());
            Header header = record.headers().lastHeader("changes");
            if (batch.router().isEmpty()) { // the start of a collector has no router
                assertThat(header).isNull();
                continue;
            }
            assertThat(header.value()).hasSize(batch.eventCount());
            RouteCursor event = batch.cursor();
            for (int i = 0; event.next(); i++) {
                String text = RouteChange.of(header.value()[i]).text();
                assertThat(text.isEmpty()).isEqualTo(!event.kind().isRoute());
                if (event.kind().isRoute()) {
                    changes.add(text);
                }
            }
        }
        return changes;
    }
}
