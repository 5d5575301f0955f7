package dev.silkroute.app.rib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.fixture.TestKafka;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.state.CurrentStateWriter;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where the RIB goes on, with a real Kafka and a real PostgreSQL. */
class RibFeedIT {
    private static final int RECORDS = 2;

    private final Map<String, Object> kafka = Map.of("bootstrap.servers", TestKafka.bootstrap());
    private final DataSource database = TestPostgres.database();
    private final Rib rib = new Rib(RibConfig.ofBytes(16 << 20));
    private final RibFeed feed = new RibFeed(rib, database, new KafkaAccess(TestKafka.bootstrap(), Map.of()));

    @AfterEach
    void close() throws Exception {
        rib.close();
    }

    /**
     * Creates a topic of one partition with {@value #RECORDS} records, of which the database includes those before an
     * offset.
     */
    private void createTopic(String topic, long next) throws Exception {
        Uuid id;
        try (Admin admin = Admin.create(kafka)) {
            id = admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1)))
                    .topicId(topic)
                    .get();
        }
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>(topic, new byte[1])).get();
            }
        }
        storeOffset(topic, new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits()), next);
    }

    private void storeOffset(String topic, long next) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement update =
                        connection.prepareStatement("UPDATE bmp.lane_offset SET next_offset = ? WHERE topic = ?")) {
            update.setLong(1, next);
            update.setString(2, topic);
            update.executeUpdate();
        }
    }

    private void storeOffset(String topic, UUID id, long next) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO bmp.lane_offset (lane, topic, topic_id, kafka_partition, next_offset) VALUES ('current', ?, ?, 0, ?)")) {
            insert.setString(1, topic);
            insert.setObject(2, id);
            insert.setLong(3, next);
            insert.executeUpdate();
        }
    }

    @Test
    void itContinuesAtTheOffsetOfTheDatabase() throws Exception {
        createTopic("rib-feed", 1);
        assertThat(next("rib-feed")).isEqualTo(1);
        assertThat(feed.isNew("rib-feed", 0, 0)).isFalse();
        assertThat(feed.ready()).isFalse();
        feed.applied("rib-feed", 0, 1);
        assertThat(feed.ready()).isTrue();
        assertThat(next("rib-feed")).isEqualTo(2);
    }

    @Test
    void itIsReadyWithoutAnInvalidRowAndTheTablesOfItsRouterAreRequested() throws Exception {
        createTopic("rib-feed-invalid", RECORDS);
        var writer = new CurrentStateWriter(new DimensionCache(10), new AttributeSets(10));
        RouteBatch batch = TestBatch.of(1, 1)
                .announce("10.0.0.0/8", 1)
                .announce("10.0.1.0/24", 1)
                .build();
        try (Connection connection = database.getConnection();
                PreparedStatement change = connection.prepareStatement(
                        "UPDATE bmp.rib_route SET labels = '{7}' WHERE masklen(prefix) = 24")) {
            LaneTransaction.run(connection, writer.prepareBatches(connection, List.of(batch))::write);
            change.executeUpdate();
        }
        assertThat(next("rib-feed-invalid")).isEqualTo(RECORDS);
        assertThat(feed.ready()).isTrue();
        assertThat(feed.invalidRows()).isEqualTo(1);
        assertThat(rib.size()).isEqualTo(1);
        assertThat(TestPostgres.query(database, "SELECT router, session_id, reason FROM bmp.resync_candidate"))
                .containsExactly("r1|1|incomplete");
    }

    @Test
    void everythingIsNewAfterAnEndThatKafkaHasLost() throws Exception {
        // Given a database that includes more than the topic contains, as after a power failure
        createTopic("rib-feed-lost", RECORDS + 3);
        // When
        long next = next("rib-feed-lost");
        // Then
        assertThat(next).isEqualTo(2);
        assertThat(feed.isNew("rib-feed-lost", 0, RECORDS)).isTrue();
        assertThat(feed.ready()).isTrue();
    }

    @Test
    void everythingIsNewAfterAnEndThatKafkaLosesLater() throws Exception {
        // Given a RIB that has applied records that the topic no longer contains
        createTopic("rib-feed-later", RECORDS);
        next("rib-feed-later");
        feed.applied("rib-feed-later", 0, RECORDS + 3);
        // When its consumer is assigned the partition again, it may hold records from before
        assertThatThrownBy(() -> next("rib-feed-later")).hasMessageContaining("has been loaded again");
        // Then it continues at the end after reconnecting
        assertThat(next("rib-feed-later")).isEqualTo(2);
        assertThat(feed.isNew("rib-feed-later", 0, RECORDS)).isTrue();
        assertThat(feed.ready()).isTrue();
    }

    /** Kafka moves a consumer back if the topic has lost its end, and the records there are new ones. */
    @Test
    void theRibIsLoadedAgainWhenKafkaMovesItsConsumerBack() throws Exception {
        // Given a RIB that has applied more than the database includes
        createTopic("rib-feed-back", 1);
        next("rib-feed-back");
        read("rib-feed-back", 1);
        feed.applied("rib-feed-back", 0, 1);
        // When
        assertThatThrownBy(() -> read("rib-feed-back", 1))
                .hasMessageContaining("offset 1 of rib-feed-back-0 instead of 2");
        // Then it is loaded from the database when the consumer reconnects
        assertThat(next("rib-feed-back")).isEqualTo(1);
        assertThat(feed.ready()).isFalse();
        read("rib-feed-back", 1);
        assertThat(feed.isNew("rib-feed-back", 0, 1)).isTrue();
    }

    /**
     * A partition is revoked and assigned again while records are being gathered: these are read twice, and none is
     * lost.
     */
    @Test
    void aConsumerMayReadAgainAfterAnAssignment() throws Exception {
        createTopic("rib-feed-again", 0);
        next("rib-feed-again");
        read("rib-feed-again", 0);
        next("rib-feed-again");
        read("rib-feed-again", 0);
        assertThat(feed.isNew("rib-feed-again", 0, 0)).isTrue();
        feed.applied("rib-feed-again", 0, 0);
        assertThat(feed.isNew("rib-feed-again", 0, 0)).isFalse();
    }

    @Test
    void expiredRecordsAreLoadedFromTheDatabase() throws Exception {
        // Given a RIB that has not applied what the database includes
        createTopic("rib-feed-retained", 0);
        next("rib-feed-retained");
        deleteRecords("rib-feed-retained", 1);
        storeOffset("rib-feed-retained", RECORDS);
        // When
        assertThatThrownBy(() -> read("rib-feed-retained", 1))
                .hasMessageContaining("offset 1 of rib-feed-retained-0 instead of 0");
        // Then
        assertThat(next("rib-feed-retained")).isEqualTo(2);
        assertThat(feed.ready()).isTrue();
        assertThat(feed.gapRecords()).isZero();
    }

    @Test
    void recordsThatExpiredBeforeTheyWereStoredAreCounted() throws Exception {
        createTopic("rib-feed-gap", 0);
        deleteRecords("rib-feed-gap", 1);
        assertThat(next("rib-feed-gap")).isEqualTo(1);
        read("rib-feed-gap", 1);
        assertThat(feed.gapRecords()).isEqualTo(1);
    }

    /** Offsets of transaction markers are not returned, although the partition starts before them. */
    @Test
    void missingOffsetsAreNotALoss() throws Exception {
        createTopic("rib-feed-left-out", 0);
        next("rib-feed-left-out");
        read("rib-feed-left-out", 1);
        feed.applied("rib-feed-left-out", 0, 1);
        assertThat(next("rib-feed-left-out")).isEqualTo(2);
    }

    /** What the consumer does when it is assigned the topic's partition. */
    private long next(String topic) {
        return feed.nextOffset(new TopicPartition(topic, 0)).orElseThrow();
    }

    /** What the consumer does with each record that it has read. */
    private void read(String topic, long offset) {
        feed.onRead(new TopicPartition(topic, 0), offset, -1);
    }

    private void deleteRecords(String topic, long before) throws Exception {
        try (Admin admin = Admin.create(kafka)) {
            admin.deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(before)))
                    .all()
                    .get();
        }
    }
}
