package dev.silkroute.app.rib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.fixture.TestKafka;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
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

    /** A topic of one partition with {@value #RECORDS} records, of which the database has heard those before a place. */
    private void given(String topic, long place) throws Exception {
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
        heard(topic, new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits()), place);
    }

    private void heard(String topic, long place) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement update =
                        connection.prepareStatement("UPDATE bmp.lane_offset SET next_offset = ? WHERE topic = ?")) {
            update.setLong(1, place);
            update.setString(2, topic);
            update.executeUpdate();
        }
    }

    private void heard(String topic, UUID id, long place) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO bmp.lane_offset (lane, topic, topic_id, kafka_partition, next_offset) VALUES ('current', ?, ?, 0, ?)")) {
            insert.setString(1, topic);
            insert.setObject(2, id);
            insert.setLong(3, place);
            insert.executeUpdate();
        }
    }

    @Test
    void itGoesOnWhereTheDatabaseStands() throws Exception {
        given("rib-feed", 1);
        assertThat(next("rib-feed")).isEqualTo(1);
        assertThat(feed.isNew("rib-feed", 0, 0)).isFalse();
        assertThat(feed.ready()).isFalse();
        feed.applied("rib-feed", 0, 1);
        assertThat(feed.ready()).isTrue();
        assertThat(next("rib-feed")).isEqualTo(2);
    }

    @Test
    void afterAnEndThatKafkaHasLostEverythingIsNew() throws Exception {
        // Given a database that has heard more than the topic has, as after a power failure
        given("rib-feed-lost", RECORDS + 3);
        // When
        long next = next("rib-feed-lost");
        // Then
        assertThat(next).isEqualTo(2);
        assertThat(feed.isNew("rib-feed-lost", 0, RECORDS)).isTrue();
        assertThat(feed.ready()).isTrue();
    }

    @Test
    void afterAnEndThatKafkaLosesLaterEverythingIsNew() throws Exception {
        // Given a RIB that has applied what the topic hasn't any more
        given("rib-feed-later", RECORDS);
        next("rib-feed-later");
        feed.applied("rib-feed-later", 0, RECORDS + 3);
        // When its consumer gets its partitions again: what it may have read by then is of before
        assertThatThrownBy(() -> next("rib-feed-later")).hasMessageContaining("begins anew");
        // Then it goes on from the end when it has connected anew
        assertThat(next("rib-feed-later")).isEqualTo(2);
        assertThat(feed.isNew("rib-feed-later", 0, RECORDS)).isTrue();
        assertThat(feed.ready()).isTrue();
    }

    /** Kafka puts its consumer back by itself where a topic has lost its end, and what comes there is no repetition. */
    @Test
    void aConsumerThatIsPutBackBeginsAnew() throws Exception {
        // Given a RIB that has applied more than the database has heard
        given("rib-feed-back", 1);
        next("rib-feed-back");
        read("rib-feed-back", 1);
        feed.applied("rib-feed-back", 0, 1);
        // When
        assertThatThrownBy(() -> read("rib-feed-back", 1)).hasMessageContaining("gave 1 where 2 was to come");
        // Then it begins with the database when the consumer asks again
        assertThat(next("rib-feed-back")).isEqualTo(1);
        assertThat(feed.ready()).isFalse();
        read("rib-feed-back", 1);
        assertThat(feed.isNew("rib-feed-back", 0, 1)).isTrue();
    }

    /** Partitions are taken away and given back while records are gathered: those come again, which is no loss. */
    @Test
    void aConsumerThatAsksAgainMayReadAgain() throws Exception {
        given("rib-feed-again", 0);
        next("rib-feed-again");
        read("rib-feed-again", 0);
        next("rib-feed-again");
        read("rib-feed-again", 0);
        assertThat(feed.isNew("rib-feed-again", 0, 0)).isTrue();
        feed.applied("rib-feed-again", 0, 0);
        assertThat(feed.isNew("rib-feed-again", 0, 0)).isFalse();
    }

    @Test
    void whatIsRetainedNoLongerIsReadFromTheDatabase() throws Exception {
        // Given a RIB that has not applied what the database has heard
        given("rib-feed-retained", 0);
        next("rib-feed-retained");
        deleteRecords("rib-feed-retained", 1);
        heard("rib-feed-retained", RECORDS);
        // When
        assertThatThrownBy(() -> read("rib-feed-retained", 1)).hasMessageContaining("gave 1 where 0 was to come");
        // Then
        assertThat(next("rib-feed-retained")).isEqualTo(2);
        assertThat(feed.ready()).isTrue();
        assertThat(feed.gapRecords()).isZero();
    }

    @Test
    void whatNobodyHasAnyMoreIsCounted() throws Exception {
        given("rib-feed-gap", 0);
        deleteRecords("rib-feed-gap", 1);
        assertThat(next("rib-feed-gap")).isEqualTo(1);
        read("rib-feed-gap", 1);
        assertThat(feed.gapRecords()).isEqualTo(1);
    }

    /** As transactions' ends do: Kafka has what was to come, there was nothing to give. */
    @Test
    void offsetsThatAreLeftOutAreNoLoss() throws Exception {
        given("rib-feed-left-out", 0);
        next("rib-feed-left-out");
        read("rib-feed-left-out", 1);
        feed.applied("rib-feed-left-out", 0, 1);
        assertThat(next("rib-feed-left-out")).isEqualTo(2);
    }

    /** As the consumer does when it is assigned the topic's partition. */
    private long next(String topic) {
        return feed.nextOffset(new TopicPartition(topic, 0)).orElseThrow();
    }

    /** As the consumer does with each record that it has read. */
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
