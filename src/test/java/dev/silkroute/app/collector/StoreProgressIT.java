package dev.silkroute.app.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.collector.sessions.QuotaLimits;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.sessions.StoreShares;
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
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** The share of a session depends on the offsets that the consumer groups of the lanes commit to a real Kafka. */
class StoreProgressIT {
    private static final long HEAVY = 1;
    private static final long LIGHT = 2;
    private static final int MUCH = 1 << 20;
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final KafkaAccess kafka = new KafkaAccess(TestKafka.bootstrap(), Map.of());
    private final Map<LaneName, String> topics = new EnumMap<>(LaneName.class);
    private final SessionRegistry sessions = new SessionRegistry(10, QuotaLimits.NONE, Duration.ofSeconds(1));

    /** Commits in place of a lane. Kafka rejects that while consumers of a killed process are members of the group. */
    private void commit(Admin admin, String group) {
        TopicPartition partition = new TopicPartition(Objects.requireNonNull(topics.get(LaneName.ROUTES)), 0);
        await("a group without members")
                .atMost(LIMIT)
                .ignoreExceptionsMatching(e -> e.getCause() instanceof UnknownMemberIdException)
                .untilAsserted(() -> admin.alterConsumerGroupOffsets(group, Map.of(partition, new OffsetAndMetadata(1)))
                        .all()
                        .get());
    }

    @Test
    void givenMoreThanALaneHasStoredThenItsSessionWaitsUntilEachLaneHasCommittedIt() throws Exception {
        for (LaneName kind : LaneName.values()) {
            topics.put(kind, "bmp.progress-" + kind.text());
        }
        StoreShares shares = sessions.shares();
        shares.opened(HEAVY, InetAddress.ofLiteral("192.0.2.1"), 0);
        shares.opened(LIGHT, InetAddress.ofLiteral("192.0.2.2"), 0);
        StoreProgress progress = new StoreProgress(kafka, topics, shares, () -> 0);
        try (Admin admin = kafka.admin("test", Duration.ofSeconds(30));
                KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                        kafka.with(Map.of()), new ByteArraySerializer(), new ByteArraySerializer())) {
            admin.createTopics(topics.values().stream()
                            .map(topic -> new NewTopic(topic, 2, (short) 1))
                            .toList())
                    .all()
                    .get();
            progress.look();
            assertThat(shares.admitted(HEAVY, MUCH, 100, 0)).isPositive();

            shares.decoded(LaneName.ROUTES, HEAVY, 1, MUCH);
            producer.send(new ProducerRecord<>(topics.get(LaneName.ROUTES), 0, null, new byte[1]))
                    .get();
            progress.look();
            assertThat(shares.admitted(HEAVY, MUCH, 100, 0)).isZero();
            assertThat(shares.admitted(LIGHT, 1000, 100, 0)).isPositive();

            for (String group : List.of("silkroute-current", "silkroute-history")) {
                assertThat(shares.admitted(HEAVY, MUCH, 100, 0)).isZero();
                commit(admin, group);
                progress.look();
            }
            assertThat(shares.admitted(HEAVY, MUCH, 100, 0)).isPositive();
        } finally {
            progress.stop();
        }
    }
}
