package dev.silkroute.app.store;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.component.lane.LaneComponent;
import dev.silkroute.component.pgcopy.PgCopyComponent;
import dev.silkroute.fixture.TestKafka;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.HistoryWriter;
import dev.silkroute.postgres.lane.RowSource;
import dev.silkroute.postgres.state.CurrentStateWriter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.apache.camel.CamelContext;
import org.apache.camel.component.kafka.KafkaComponent;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.Registry;
import org.apache.camel.support.PluginHelper;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The packaged routes of the store with a real Kafka and a real PostgreSQL, in a plain CamelContext. Each test has its
 * own topics and its own database.
 */
abstract class LaneHarness {
    static final int PARTITIONS = 4;
    private static final List<String> TOPICS = List.of("routes", "peers", "stats", "mirror", "quarantine");
    private static int run;

    final Map<String, Object> kafka = Map.of("bootstrap.servers", TestKafka.withoutStation());
    final DataSource database = TestPostgres.database();
    final FlakyDataSource flaky = new FlakyDataSource(database);
    final String suffix = "-" + ++run;
    final Properties topics = topics(suffix);
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    CamelContext context;

    @BeforeEach
    void makeTopics() throws Exception {
        try (Admin admin = Admin.create(kafka)) {
            List<NewTopic> made = new ArrayList<>();
            for (String name : TOPICS) {
                made.add(new NewTopic("bmp." + name + suffix, PARTITIONS, (short) 1));
            }
            admin.createTopics(made).all().get();
            awaitLeaders(admin, made);
        }
    }

    /**
     * Waits until the partitions have leaders. Without that, a producer whose first batch is too early and whose
     * second is not gets out-of-order errors for two minutes.
     */
    private static void awaitLeaders(Admin admin, List<NewTopic> topics) {
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        for (NewTopic topic : topics) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                ends.put(new TopicPartition(topic.name(), partition), OffsetSpec.latest());
            }
        }
        await().ignoreExceptionsMatching(e -> e.getCause() instanceof RetriableException)
                .until(() -> admin.listOffsets(ends).all().get().size() == ends.size());
    }

    static Properties topics(String suffix) {
        Properties topics = new Properties();
        TOPICS.forEach(name -> topics.setProperty("silkroute.topic." + name + ".name", "bmp." + name + suffix));
        return topics;
    }

    @AfterEach
    void stop() {
        flaky.setUnavailable(false);
        if (context != null) {
            context.stop();
        }
    }

    void start(String... files) throws Exception {
        context = station(flaky, files);
        context.start();
    }

    CamelContext station(DataSource database, String... files) throws Exception {
        return station(database, TestKafka.bootstrap(), topics, meters, files);
    }

    static CamelContext station(
            DataSource database, String bootstrap, Properties topics, SimpleMeterRegistry meters, String... files)
            throws Exception {
        DimensionCache dimensions = new DimensionCache(100);
        AttributeSets sets = new AttributeSets(1000);
        CamelContext context = new DefaultCamelContext();
        context.getPropertiesComponent().setInitialProperties(topics);
        context.getComponent("kafka", KafkaComponent.class).getConfiguration().setBrokers(bootstrap);
        context.getComponent("pgcopy", PgCopyComponent.class).setOffsetTable("bmp.lane_offset");
        LaneComponent lanes = context.getComponent("lane", LaneComponent.class);
        lanes.setOffsetTable("bmp.lane_offset");
        // Kafka's minimum, so that a killed writer is replaced sooner
        lanes.setSessionTimeout(Duration.ofSeconds(6));
        Registry beans = context.getRegistry();
        beans.bind("bulk", database);
        beans.bind("dataSource", database);
        beans.bind("meters", meters);
        beans.bind("history", RowSource.of(byte[].class, table -> new HistoryWriter(table, dimensions, sets)));
        beans.bind("currentState", RowSource.of(byte[].class, table -> new CurrentStateWriter(dimensions, sets)));
        for (String file : files) {
            PluginHelper.getRoutesLoader(context)
                    .loadRoutes(PluginHelper.getResourceLoader(context).resolveResource("classpath:routes/" + file));
        }
        return context;
    }

    void send(String topic, int partition, byte[]... records) throws Exception {
        Map<String, Object> properties = new HashMap<>(kafka);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (byte[] record : records) {
                sent.add(producer.send(new ProducerRecord<>(topic + suffix, partition, null, record)));
            }
            for (Future<RecordMetadata> future : sent) {
                future.get();
            }
        }
    }

    /** Sends so many one-route batches to every partition: each has its router, each batch its prefix. */
    void sendRoutes(int from, int to) throws Exception {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            byte[][] records = new byte[to - from][];
            for (int i = from; i < to; i++) {
                records[i - from] = batch(partition, i);
            }
            send("bmp.routes", partition, records);
        }
    }

    /** The record of bmp.routes of a partition's router with a number. */
    static byte[] batch(int partition, int i) {
        return TestBatch.of("r" + partition, 1, i)
                .announce("10." + i / 256 + "." + i % 256 + ".0/24", i)
                .bytes();
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    void awaitAnswer(String sql, String... rows) {
        await().untilAsserted(() -> assertThat(query(sql)).containsExactly(rows));
    }

    long lag(String group, String topic) throws Exception {
        try (Admin admin = Admin.create(kafka)) {
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                ends.put(new TopicPartition(topic + suffix, partition), OffsetSpec.latest());
            }
            var committed = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get();
            long lag = 0;
            for (var end : admin.listOffsets(ends).all().get().entrySet()) {
                var at = committed.get(end.getKey());
                lag += end.getValue().offset() - (at == null ? 0 : at.offset());
            }
            return lag;
        }
    }

    /** Waits until a lane has stored each partition of bmp.routes up to an offset. */
    void awaitPlace(String lane, long offset) {
        await().atMost(180, SECONDS)
                .untilAsserted(() -> assertThat(query("SELECT count(*), min(next_offset), max(next_offset)"
                                + " FROM bmp.lane_offset WHERE lane = '" + lane + "' AND topic = 'bmp.routes" + suffix
                                + "'"))
                        .containsExactly(PARTITIONS + "|" + offset + "|" + offset));
    }

    void awaitCommitted(String group, String topic) {
        await().untilAsserted(() -> assertThat(lag(group, topic)).isZero());
    }
}
