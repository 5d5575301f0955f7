package dev.silkroute.app.station;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.UsageError;
import dev.silkroute.fixture.TestConfig;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The topics that the configuration describes. */
class StationTopicsTest {
    private static Map<String, NewTopic> topics(int brokers, Object... keysAndValues) {
        return StationTopics.configured(TestConfig.of(keysAndValues), brokers).stream()
                .collect(Collectors.toMap(NewTopic::name, Function.identity()));
    }

    @Test
    void topicsOfRoutesThatAreOffAreNotCreated() {
        assertThat(topics(1))
                .containsOnlyKeys(
                        "bmp.raw",
                        "bmp.routes",
                        "bmp.peers",
                        "bmp.stats",
                        "bmp.mirror",
                        "bmp.quarantine",
                        "bmp.resync",
                        "bmp.identities");
        assertThat(topics(1, "silkroute.routes.flows.enabled", true)).containsKeys("flows", "flows.enriched");
    }

    @ParameterizedTest
    @CsvSource({"1, 1, ", "2, 2, ", "3, 3, 2", "5, 3, 2"})
    void replicasFollowTheBrokers(int brokers, short replicas, String inSync) {
        NewTopic raw = topics(brokers).get("bmp.raw");
        assertThat(raw.replicationFactor()).isEqualTo(replicas);
        assertThat(raw.configs().get("min.insync.replicas")).isEqualTo(inSync);
    }

    @Test
    void aSettingOfATopicOverridesThatOfAllTopics() {
        Map<String, NewTopic> topics = topics(
                3,
                "silkroute.topic.partitions",
                3,
                "silkroute.topic.retention",
                "1d",
                "silkroute.topic.raw.name",
                "station.raw",
                "silkroute.topic.raw.partitions",
                24,
                "silkroute.topic.raw.replication",
                1,
                "silkroute.topic.raw.retention",
                "2h",
                "silkroute.topic.raw.config.segment.bytes",
                1048576,
                "silkroute.topic.peers.config.min.insync.replicas",
                1);
        NewTopic raw = topics.get("station.raw");
        assertThat(raw.numPartitions()).isEqualTo(24);
        assertThat(raw.replicationFactor()).isEqualTo((short) 1);
        assertThat(raw.configs())
                .containsEntry("retention.ms", "7200000")
                .containsEntry("segment.bytes", "1048576")
                .doesNotContainKey("min.insync.replicas");
        NewTopic peers = topics.get("bmp.peers");
        assertThat(peers.numPartitions()).isEqualTo(3);
        assertThat(peers.configs()).containsEntry("retention.ms", "86400000").containsEntry("min.insync.replicas", "1");
    }

    @Test
    void identitiesAreInOneOrderAndKeptForEver() {
        NewTopic identities = topics(1).get("bmp.identities");
        assertThat(identities.numPartitions()).isEqualTo(1);
        assertThat(identities.configs())
                .containsEntry("cleanup.policy", "compact")
                .doesNotContainKeys("retention.ms", "retention.bytes");
    }

    @Test
    void withoutSettingsSessionsAndQuarantineAreKeptLonger() {
        Map<String, NewTopic> topics = topics(1);
        assertThat(topics.get("bmp.raw").configs()).containsEntry("retention.ms", "604800000");
        assertThat(topics.get("bmp.peers").configs()).containsEntry("retention.ms", "2592000000");
        assertThat(topics.get("bmp.quarantine").configs()).containsEntry("retention.ms", "2592000000");
    }

    @Test
    void moreReplicasThanKafkaSupportsAreRejected() {
        assertThatThrownBy(() -> topics(3, "silkroute.topic.replication", "40000"))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("topic bmp.raw cannot have 40000 replicas");
    }
}
