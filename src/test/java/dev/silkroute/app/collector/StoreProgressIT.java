package dev.silkroute.app.collector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.collector.sessions.AddressQuota;
import dev.silkroute.collector.sessions.QuotaLimits;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.fixture.TestKafka;
import dev.silkroute.session.LaneName;
import java.net.InetAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** The share of an address depends on the offsets that the consumer groups of the lanes commit to a real Kafka. */
class StoreProgressIT {
    private static final InetAddress HEAVY = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress LIGHT = InetAddress.ofLiteral("192.0.2.2");
    private static final int MUCH = 1 << 20;

    private final KafkaAccess kafka = new KafkaAccess(TestKafka.bootstrap(), Map.of());
    private final Map<LaneName, String> topics = new EnumMap<>(LaneName.class);
    private final SessionRegistry sessions = new SessionRegistry(10, QuotaLimits.NONE, Duration.ofSeconds(1));

    private void commit(Admin admin, String group) throws Exception {
        TopicPartition partition = new TopicPartition(Objects.requireNonNull(topics.get(LaneName.ROUTES)), 0);
        admin.alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(1)))
                .all()
                .get();
    }

    @Test
    void givenMoreThanALaneHasStoredThenItsAddressWaitsUntilEachLaneHasCommittedIt() throws Exception {
        for (LaneName kind : LaneName.values()) {
            topics.put(kind, "bmp.progress-" + kind.text());
        }
        AddressQuota heavy = Objects.requireNonNull(sessions.reserve(HEAVY));
        AddressQuota light = Objects.requireNonNull(sessions.reserve(LIGHT));
        StoreProgress progress = new StoreProgress(kafka, topics, sessions.shares(), () -> 0);
        try (Admin admin = kafka.admin("test", Duration.ofSeconds(30));
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        kafka.with(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
            admin.createTopics(topics.values().stream()
                            .map(topic -> new NewTopic(topic, 2, (short) 1))
                            .toList())
                    .all()
                    .get();
            progress.look();
            assertThat(sessions.admitted(heavy, MUCH)).isPositive();

            sessions.shares().decoded(LaneName.ROUTES, HEAVY, 1, MUCH);
            producer.send(new ProducerRecord<>(topics.get(LaneName.ROUTES), 0, null, new byte[1]))
                    .get();
            progress.look();
            assertThat(sessions.admitted(heavy, MUCH)).isZero();
            assertThat(sessions.admitted(light, 1000)).isPositive();

            for (String group : List.of("silkroute-current", "silkroute-history")) {
                assertThat(sessions.admitted(heavy, MUCH)).isZero();
                commit(admin, group);
                progress.look();
            }
            assertThat(sessions.admitted(heavy, MUCH)).isPositive();
        } finally {
            progress.stop();
        }
    }
}
