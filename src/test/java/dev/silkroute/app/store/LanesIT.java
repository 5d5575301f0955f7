package dev.silkroute.app.store;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.postgres.AttributeSets;
import dev.silkroute.postgres.CurrentStateWriter;
import dev.silkroute.postgres.DimensionCache;
import dev.silkroute.postgres.HistoryWriter;
import dev.silkroute.postgres.RouteLane;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.TestPostgres;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.camel.CamelContext;
import org.apache.camel.component.kafka.KafkaComponent;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The packaged routes of the store with a real Kafka and a real PostgreSQL, in a plain CamelContext. */
class LanesIT {
    private static final int PARTITIONS = 4;
    private static int run;

    private final Map<String, Object> kafka = Map.of("bootstrap.servers", TestKafka.bootstrap());
    private final DataSource database = TestPostgres.database();
    private final FlakyDataSource flaky = new FlakyDataSource(database);
    private final String suffix = "-" + ++run;
    private final Properties topics = new Properties();
    private CamelContext context;

    @BeforeEach
    void makeTopics() throws Exception {
        try (Admin admin = Admin.create(kafka)) {
            List<NewTopic> made = new ArrayList<>();
            for (String name : List.of("routes", "peers", "stats", "mirror", "quarantine")) {
                topics.setProperty("silkroute.topic." + name, "bmp." + name + suffix);
                made.add(new NewTopic("bmp." + name + suffix, PARTITIONS, (short) 1));
            }
            admin.createTopics(made).all().get();
        }
    }

    @AfterEach
    void stop() {
        flaky.away(false);
        context.stop();
    }

    private void start(String... files) throws Exception {
        DimensionCache dimensions = new DimensionCache(100);
        AttributeSets sets = new AttributeSets(1000);
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        context = new DefaultCamelContext();
        context.getPropertiesComponent().setInitialProperties(topics);
        context.getComponent("kafka", KafkaComponent.class).getConfiguration().setBrokers(TestKafka.bootstrap());
        context.getRegistry()
                .bind(
                        "history",
                        new StoreLane("history", new RouteLane(flaky, new HistoryWriter(dimensions, sets)), meters));
        context.getRegistry()
                .bind(
                        "currentState",
                        new StoreLane(
                                "current", new RouteLane(flaky, new CurrentStateWriter(dimensions, sets)), meters));
        context.getRegistry().bind("laneOffsets", new LaneOffsets());
        context.getRegistry().bind("jsonRecords", new JsonRecords(flaky));
        context.getRegistry().bind("dataSource", flaky);
        for (String file : files) {
            PluginHelper.getRoutesLoader(context)
                    .loadRoutes(PluginHelper.getResourceLoader(context).resolveResource("classpath:routes/" + file));
        }
        context.start();
    }

    private void send(String topic, int partition, byte[]... records) throws Exception {
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
    private void sendRoutes(int from, int to) throws Exception {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            byte[][] records = new byte[to - from][];
            for (int i = from; i < to; i++) {
                records[i - from] = TestBatch.of("r" + partition, 1, i)
                        .announce("10." + i / 256 + "." + i % 256 + ".0/24", i)
                        .bytes();
            }
            send("bmp.routes", partition, records);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    private void awaitAnswer(String sql, String... rows) {
        await().atMost(30, SECONDS).untilAsserted(() -> assertThat(query(sql)).containsExactly(rows));
    }

    private long lag(String group, String topic) throws Exception {
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

    private void awaitCommitted(String group, String topic) {
        await().atMost(30, SECONDS)
                .untilAsserted(() -> assertThat(lag(group, topic)).isZero());
    }

    @Test
    void routesOfEveryPartitionAreStoredAndCommitted() throws Exception {
        sendRoutes(0, 300);
        start("history.yaml", "current.yaml");
        awaitAnswer("SELECT count(*), count(DISTINCT (router, prefix)) FROM bmp.v_route_history", "1200|1200");
        awaitAnswer("SELECT count(*), count(med) FROM bmp.v_rib", "1200|1200");
        awaitCommitted("silkroute-history", "bmp.routes");
        awaitCommitted("silkroute-current", "bmp.routes");
        sendRoutes(300, 310);
        awaitAnswer("SELECT count(*) FROM bmp.v_route_history", "1240");
    }

    @Test
    void aRestartGoesOnWhereTheLastCommitWas() throws Exception {
        sendRoutes(0, 50);
        start("history.yaml");
        awaitCommitted("silkroute-history", "bmp.routes");
        context.stop();
        sendRoutes(50, 100);
        start("history.yaml");
        awaitAnswer("SELECT count(*), count(DISTINCT (router, prefix)) FROM bmp.v_route_history", "400|400");
    }

    /** Consumers join and leave one after the other while batches are under way. */
    @Test
    void rebalancesLoseNothingAndStoreNothingTwice() throws Exception {
        sendRoutes(0, 20);
        topics.setProperty("silkroute.history.consumers", "3");
        start("history.yaml");
        sendRoutes(20, 200);
        CamelContext first = context;
        start("history.yaml");
        sendRoutes(200, 300);
        first.stop();
        sendRoutes(300, 400);
        awaitCommitted("silkroute-history", "bmp.routes");
        assertThat(query("SELECT count(*), count(DISTINCT (router, prefix)) FROM bmp.v_route_history"))
                .containsExactly("1600|1600");
    }

    @Test
    void whatIsNoRouteBatchGoesToQuarantineOnceAndHoldsNothingUp() throws Exception {
        byte[] wild = TestBatch.of("r9", 1, 8_000_000_000_000L)
                .announce("10.0.0.0/8", 1)
                .bytes(); // in the year 255537
        byte[] cut = TestBatch.of("r9", 1, 0).announce("10.0.0.0/8", 1).bytes();
        cut[cut.length - 1]++;
        send("bmp.routes", 0, utf8("no batch"), new byte[0], wild, cut);
        sendRoutes(0, 10);
        start("history.yaml", "current.yaml");
        awaitAnswer("SELECT count(*) FROM bmp.v_route_history", "40");
        awaitCommitted("silkroute-history", "bmp.routes");
        awaitCommitted("silkroute-current", "bmp.routes");
        assertThat(query("SELECT split_part(kafka_record, '@', 2), length(bytes) > 0 FROM bmp.v_quarantine ORDER BY 1"))
                .containsExactly("0|t", "1|f", "2|t", "3|t");
    }

    @Test
    void whileTheDatabaseIsAwayNothingIsLostAndNothingStoredTwice() throws Exception {
        start("history.yaml", "lifecycle.yaml");
        sendRoutes(0, 10);
        awaitAnswer("SELECT count(*) FROM bmp.v_route_history", "40");
        flaky.away(true);
        sendRoutes(10, 60);
        send("bmp.peers", 1, utf8(sessionUp(1)));
        await().atMost(30, SECONDS).until(() -> flaky.refused.get() >= 4);
        assertThat(lag("silkroute-history", "bmp.routes")).isEqualTo(200);
        flaky.away(false);
        awaitAnswer("SELECT count(*), count(DISTINCT (router, prefix)) FROM bmp.v_route_history", "240|240");
        awaitAnswer("SELECT router, state FROM bmp.v_routers WHERE connected_at IS NOT NULL", "x1|connected");
        awaitCommitted("silkroute-history", "bmp.routes");
        awaitCommitted("silkroute-peers", "bmp.peers");
    }

    /** A commit whose answer is lost may have happened: history may then hold its batch twice, the current state not. */
    @Test
    void connectionsThatBreakInTheMiddleLoseNothing() throws Exception {
        start("history.yaml", "current.yaml");
        String breakAll = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND pid <> pg_backend_pid()";
        AtomicInteger broken = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            sendRoutes(i * 40, i * 40 + 40);
            broken.addAndGet(Integer.parseInt(query(breakAll).getFirst()));
        }
        awaitAnswer("SELECT count(DISTINCT (router, prefix)), count(*) >= 1600 FROM bmp.v_route_history", "1600|t");
        awaitAnswer("SELECT count(*), count(med) FROM bmp.v_rib", "1600|1600");
        assertThat(broken.get()).isPositive();
    }

    @Test
    void aStopWhileTheDatabaseIsAwayDoesNotWaitForItAndCommitsNothing() throws Exception {
        flaky.away(true);
        sendRoutes(0, 10);
        start("history.yaml");
        await().atMost(30, SECONDS).until(() -> flaky.refused.get() >= 2);
        long before = System.nanoTime();
        context.stop();
        assertThat(System.nanoTime() - before).isLessThan(SECONDS.toNanos(25));
        assertThat(lag("silkroute-history", "bmp.routes")).isEqualTo(40);
        flaky.away(false);
        start("history.yaml");
        awaitAnswer("SELECT count(*) FROM bmp.v_route_history", "40");
    }

    @Test
    void lowVolumeRecordsAreStoredTextsWithNulIncluded() throws Exception {
        start("lifecycle.yaml");
        String peer =
                "\"peer_type\":\"global\",\"peer_distinguisher\":\"0000000000000000\",\"peer_address\":\"192.0.2.11\","
                        + "\"peer_asn\":65011,\"peer_bgp_id\":\"10.0.0.11\",\"rib_view\":\"adj-rib-in-pre\"";
        send(
                "bmp.peers",
                2,
                utf8(sessionUp(1)),
                utf8(common("initiation", 0)
                        + "\"sys_name\":\"x\\u00001\",\"sys_descr\":\"\\u0000\",\"information\":[]}"),
                utf8("{\"event\":"),
                utf8("[]"),
                utf8("{} {}"),
                utf8(common("peer-up", 1) + peer + ",\"capabilities\":{\"sent\":{\"\\u0000\":1e999}}}"));
        send(
                "bmp.stats",
                0,
                utf8(
                        common("statistics", 2) + peer
                                + ",\"statistics\":[{\"type\":7,\"name\":\"n\",\"value\":\"18446744073709551615\",\"raw\":\"ff\"}]}"));
        send(
                "bmp.mirror",
                1,
                utf8(common("mirror", 3) + peer + ",\"messages\":[{\"type\":0,\"name\":\"m\",\"bytes\":\"AQI=\"}]}"));
        send(
                "bmp.quarantine",
                3,
                utf8(
                        common("quarantine", 4) + peer
                                + ",\"message_type\":\"route-monitoring\",\"offset\":7,\"reason\":\"bad\",\"section\":\"RFC 4271\",\"bytes\":\"AQI=\"}"));
        awaitAnswer("SELECT router, sys_name, sys_descr, state FROM bmp.v_routers", "x1|x1||connected");
        awaitAnswer("SELECT peer_address, state FROM bmp.v_peers", "192.0.2.11|up");
        awaitAnswer("SELECT value FROM bmp.v_stats", "18446744073709551615");
        awaitAnswer("SELECT bytes FROM bmp.v_mirror", "\\x0102");
        awaitAnswer(
                "SELECT byte_offset, reason, split_part(kafka_record, '@', 2) FROM bmp.v_quarantine ORDER BY 3",
                "-|no JSON object: Unexpected end-of-input within/between Object entries|2",
                "-|no JSON object: java.io.IOException: it does not begin with {|3",
                "-|no JSON object: java.io.IOException: something follows the object|4",
                "7|bad|-");
        for (String topic : List.of("peers", "stats", "mirror", "quarantine")) {
            awaitCommitted("silkroute-" + topic, "bmp." + topic);
        }
    }

    private static String sessionUp(long sequence) {
        return common("session-up", sequence) + "\"reason\":null}";
    }

    private static String common(String event, long sequence) {
        return "{\"event\":\"" + event + "\",\"collector\":\"c1\",\"router\":\"x1\",\"router_address\":\"192.0.2.1\","
                + "\"session_id\":1,\"sequence\":" + sequence
                + ",\"received_at\":\"2026-11-21T08:00:00.000001Z\",\"router_time\":null,";
    }
}
