package dev.silkroute.endtoend.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.endtoend.RouteText;
import dev.silkroute.fixture.SharedStation;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/**
 * Tests the topics of packaged routes that are disabled by default. {@code StationLifecycleIT} checks that they are
 * disabled.
 */
class OptionalTopicsIT {
    private static final String CAPTURE = "gobgp-all";
    private static final String ROUTER = "gobgp-o";

    private final StationProcess station = SharedStation.get();

    @Test
    void givenBothEnabledThenTheirConsumersReadTheRoutersMessagesInOrder() throws Exception {
        byte[] stream = CaptureFiles.stream(CAPTURE, ROUTER);
        try (TestRouter router = TestRouter.connect(station.bmpPort())) {
            router.send(stream);
        }
        List<String> truth = CaptureFiles.messages(CAPTURE).stream()
                .filter(row -> row.get("type").asText().equals("route_monitoring")
                        && row.hasNonNull("prefix")
                        && !row.get("action").asText().equals("eor"))
                .map(OptionalTopicsIT::truth)
                .toList();
        await().untilAsserted(() -> assertThat(difference(routes(), truth)).isEmpty());
        await().untilAsserted(() -> assertThat(openBmp()).isEqualTo(stream));

        var schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(Files.readString(Path.of("docs/reference/schema/route.schema.json")));
        for (ConsumerRecord<byte[], byte[]> record : station.records("bmp.routes.json")) {
            JsonNode event = json(record);
            // The start of a collector has no router
            if (event.path("router").asText(ROUTER).equals(ROUTER)) {
                assertThat(schema.validate(event)).isEmpty();
                assertThat(event.has("change")).isFalse(); // another option enables it
                if (event.has("router")) {
                    assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo(ROUTER);
                }
            }
        }
    }

    /** Returns the first difference of two lists, instead of both lists. */
    private static String difference(List<String> ours, List<String> truth) {
        for (int i = 0; i < Math.min(ours.size(), truth.size()); i++) {
            if (!ours.get(i).equals(truth.get(i))) {
                return "event " + i + ": " + ours.get(i) + "\n expected: " + truth.get(i);
            }
        }
        return ours.size() == truth.size() ? "" : ours.size() + " events, " + truth.size() + " expected";
    }

    private static JsonNode json(ConsumerRecord<byte[], byte[]> record) {
        return CaptureFiles.parse(new String(record.value(), StandardCharsets.UTF_8));
    }

    /** Returns the routes of the router that a consumer of bmp.routes.json reads, in order. */
    private List<String> routes() {
        return station.records("bmp.routes.json").stream()
                .map(OptionalTopicsIT::json)
                .filter(event ->
                        event.has("prefix") && event.get("router").asText().equals(ROUTER))
                .map(OptionalTopicsIT::ours)
                .toList();
    }

    private static String ours(JsonNode event) {
        List<String> labels = new ArrayList<>();
        event.path("labels").forEach(label -> labels.add(label.asText()));
        String route = String.join(
                " ",
                event.get("event").asText(),
                event.get("rib_view").asText(),
                event.get("peer_type").asText(),
                event.get("peer_address").asText(),
                event.get("peer_asn").asText(),
                event.get("peer_bgp_id").asText(),
                event.get("afi") + "/" + event.get("safi"),
                event.path("rd").asText("null"),
                event.get("prefix").asText(),
                "labels=" + labels,
                "id=" + event.path("path_id").asText("null"));
        return event.get("event").asText().equals("withdraw") ? route : route + attributes(event, "large_communities");
    }

    private static String truth(JsonNode row) {
        String route = row.get("action").asText() + " " + RouteText.identity(row);
        return row.get("action").asText().equals("withdraw") ? route : route + attributes(row, "large");
    }

    private static String attributes(JsonNode route, String large) {
        return " " + route.path("origin").asText("null") + " ["
                + route.path("as_path").asText("") + "] med="
                + route.path("med").asText("null") + " pref="
                + route.path("local_pref").asText("null") + " "
                + (route.path("communities").isMissingNode() ? "[]" : route.path("communities")) + " "
                + (route.path(large).isMissingNode() ? "[]" : route.path(large));
    }

    /** Returns the router's BMP messages from OpenBMP's topic and checks their headers. */
    private byte[] openBmp() throws Exception {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (ConsumerRecord<byte[], byte[]> record : station.records("openbmp.bmp_raw")) {
            ByteBuffer in = ByteBuffer.wrap(record.value());
            assertThat(in.getInt()).isEqualTo(0x4F424D50);
            assertThat(in.getShort()).isEqualTo((short) 0x0107);
            int header = in.getShort();
            int message = in.getInt();
            assertThat(header + message).isEqualTo(record.value().length);
            assertThat(in.get()).isEqualTo((byte) 0x80);
            assertThat(in.get()).isEqualTo((byte) 12);
            int seconds = in.getInt();
            assertThat(in.getInt()).isBetween(0, 999_999);
            in.position(in.position() + 16);
            byte[] collector = new byte[in.getShort()];
            in.get(collector);
            in.position(in.position() + 16);
            byte[] address = new byte[16];
            in.get(address);
            byte[] group = new byte[in.getShort()];
            in.get(group);
            if (!new String(group, StandardCharsets.UTF_8).equals(ROUTER)) {
                continue; // of another test
            }
            int now = (int) (System.currentTimeMillis() / 1000);
            assertThat(seconds).isBetween(now - 600, now);
            assertThat(InetAddress.getByAddress(Arrays.copyOf(address, 4)))
                    .isEqualTo(InetAddress.ofLiteral("127.0.0.1"));
            assertThat(in.getInt()).isEqualTo(1);
            assertThat(in.position()).isEqualTo(header);
            stream.write(record.value(), header, message);
        }
        return stream.toByteArray();
    }
}
