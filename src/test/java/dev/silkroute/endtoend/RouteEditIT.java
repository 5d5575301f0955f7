package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a running station follows edits of route files, with the example of the tutorial. */
class RouteEditIT {
    private static final String TOPIC = "bmp.routes.as65012";

    @TempDir
    private Path folder;

    @Test
    void givenARunningStationWhenRoutesAreAddedEditedAndBrokenThenItFollowsTheValidOnes() throws Exception {
        Path routes = Files.createDirectories(folder.resolve("routes"));
        try (StationProcess station =
                StationProcess.startOnSharedServers(folder.resolve("data"), "--routes-dir", routes.toString())) {
            assertThat(StationProcess.command(
                                    "topic",
                                    TOPIC,
                                    "--partitions",
                                    "3",
                                    "--data-dir",
                                    station.directory().toString())
                            .exitCode())
                    .isZero();
            byte[] stream = CaptureFiles.stream("gobgp-all");
            try (TestRouter router = TestRouter.connect(station.bmpPort())) {
                router.send(stream, 0, CaptureFiles.mark("gobgp-all"), 65_536);

                // When the tutorial's file is put into the directory
                String example = tutorialExample();
                assertThat(example).contains(TOPIC);
                Path file = Files.writeString(routes.resolve("as65012.yaml"), example);

                // Then exactly the routes of that peer AS are on the topic
                long expected = CaptureFiles.messages("gobgp-all").stream()
                        .filter(row -> row.path("off").asInt() < CaptureFiles.mark("gobgp-all"))
                        .filter(RouteEditIT::isOfPeer)
                        .count();
                List<JsonNode> records = new ArrayList<>();
                try (KafkaConsumer<String, String> consumer = consumer(station)) {
                    await().untilAsserted(() -> {
                        consumer.poll(Duration.ofMillis(200))
                                .forEach(record -> records.add(CaptureFiles.parse(record.value())));
                        assertThat(records).hasSizeGreaterThanOrEqualTo((int) expected);
                    });
                    awaitRouteAtEnd(station);
                    pollToEnd(consumer, records);
                    assertThat(records).hasSize((int) expected);
                    assertThat(records)
                            .allSatisfy(record ->
                                    assertThat(record.get("peer_asn").asLong()).isEqualTo(65012));

                    // When the file is invalid, then it is rejected with file and line, and the route continues
                    Files.writeString(file, example.replace("- split:", "- spilt:"));
                    await().untilAsserted(() ->
                            assertThat(station.log()).containsPattern("as65012\\.yaml.*line \\d+.*spilt"));
                    Files.writeString(file, example.replace("kafka:" + TOPIC, "kafke:" + TOPIC));
                    await().untilAsserted(() -> assertThat(station.log()).containsPattern("as65012\\.yaml.*kafke"));
                    records.clear();
                    router.send(stream, CaptureFiles.mark("gobgp-all"), stream.length, 65_536);
                    try (TestRouter again = TestRouter.connect(station.bmpPort())) {
                        again.send(stream, 0, CaptureFiles.mark("gobgp-all"), 65_536);
                        await().untilAsserted(() -> {
                            consumer.poll(Duration.ofMillis(200))
                                    .forEach(record -> records.add(CaptureFiles.parse(record.value())));
                            assertThat(records).hasSizeGreaterThanOrEqualTo((int) expected);
                        });
                    }
                }
            }
        }
    }

    /** Waits until the example's route has processed and committed all records of {@code bmp.routes}. */
    private static void awaitRouteAtEnd(StationProcess station) {
        try (AdminClient admin =
                AdminClient.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, station.kafkaBootstrap()))) {
            await().untilAsserted(() -> {
                Map<TopicPartition, Long> committed = new HashMap<>();
                admin.listConsumerGroupOffsets("as65012")
                        .partitionsToOffsetAndMetadata()
                        .get()
                        .forEach((partition, offset) -> committed.put(partition, offset.offset()));
                Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
                committed.keySet().forEach(partition -> latest.put(partition, OffsetSpec.latest()));
                Map<TopicPartition, Long> ends = new HashMap<>();
                admin.listOffsets(latest).all().get().forEach((partition, end) -> ends.put(partition, end.offset()));
                assertThat(committed).isNotEmpty().isEqualTo(ends);
            });
        }
    }

    /** Adds the records up to the current end of the topic, so that surplus ones are found. */
    private static void pollToEnd(KafkaConsumer<String, String> consumer, List<JsonNode> records) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            consumer.poll(Duration.ofMillis(200)).forEach(record -> records.add(CaptureFiles.parse(record.value())));
        }
    }

    private static boolean isOfPeer(JsonNode row) {
        // Routes of families with path identifiers that no OPEN announced are quarantined; the peer has none of those.
        return row.get("type").asText().equals("route_monitoring")
                && row.get("peer_as").asLong() == 65012
                && !row.get("action").asText().equals("eor");
    }

    /** Returns the YAML block of the tutorial that contains the topic. */
    private static String tutorialExample() throws Exception {
        String tutorial = Files.readString(Path.of("docs/tutorial/first-route.md"));
        for (String block : tutorial.split("```yaml\n")) {
            int end = block.indexOf("```");
            if (end > 0 && block.substring(0, end).contains("kafka:" + TOPIC)) {
                return block.substring(0, end);
            }
        }
        throw new AssertionError("the tutorial has no example with the topic " + TOPIC);
    }

    private static KafkaConsumer<String, String> consumer(StationProcess station) {
        KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of(
                        ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        station.kafkaBootstrap(),
                        ConsumerConfig.GROUP_ID_CONFIG,
                        UUID.randomUUID().toString(),
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest"),
                new StringDeserializer(),
                new StringDeserializer());
        consumer.subscribe(List.of(TOPIC));
        return consumer;
    }
}
