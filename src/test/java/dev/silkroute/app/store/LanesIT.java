package dev.silkroute.app.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.fixture.CapturedLog;
import dev.silkroute.fixture.LaneRows;
import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.MarkdownPage.Block;
import dev.silkroute.fixture.RouteBlock;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.lane.Lane;
import dev.silkroute.postgres.lane.RowSource;
import dev.silkroute.postgres.state.CurrentStateWriter;
import dev.silkroute.route.EventKind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** What comes through Kafka is in the database, each record once, whatever the lanes are put through. */
class LanesIT extends LaneHarness {
    private static final String OTHERS =
            " FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    + " AND backend_type = 'client backend'";

    @Test
    void routesOfEveryPartitionAreStoredAndCommitted() throws Exception {
        sendRoutes(0, 300);
        start("history.camel.yaml", "current.camel.yaml");
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
        start("history.camel.yaml");
        awaitCommitted("silkroute-history", "bmp.routes");
        context.stop();
        sendRoutes(50, 100);
        start("history.camel.yaml");
        awaitAnswer("SELECT count(*), count(DISTINCT (router, prefix)) FROM bmp.v_route_history", "400|400");
    }

    /** Consumers join and leave one after the other while batches are in progress. */
    @Test
    void rebalancesLoseNothingAndStoreNothingTwice() throws Exception {
        sendRoutes(0, 20);
        topics.setProperty("silkroute.history.consumers", "3");
        start("history.camel.yaml");
        sendRoutes(20, 200);
        CamelContext first = context;
        start("history.camel.yaml");
        sendRoutes(200, 300);
        first.stop();
        sendRoutes(300, 400);
        awaitPlace("history", 400);
        assertThat(query("SELECT count(*), count(DISTINCT (router, prefix)) FROM bmp.v_route_history"))
                .containsExactly("1600|1600");
    }

    /** The offsets of the Kafka group may be wrong in either direction: the lane's offsets count. */
    @Test
    void kafkasOwnCommitsDecideNothing() throws Exception {
        sendRoutes(0, 50);
        start("history.camel.yaml", "current.camel.yaml");
        awaitCommitted("silkroute-history", "bmp.routes");
        awaitCommitted("silkroute-current", "bmp.routes");
        context.stop();
        sendRoutes(50, 100);
        Map<TopicPartition, OffsetAndMetadata> back = new HashMap<>();
        Map<TopicPartition, OffsetAndMetadata> forth = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            back.put(new TopicPartition("bmp.routes" + suffix, partition), new OffsetAndMetadata(10));
            forth.put(new TopicPartition("bmp.routes" + suffix, partition), new OffsetAndMetadata(90));
        }
        try (Admin admin = Admin.create(kafka)) {
            await().ignoreExceptions()
                    .until(
                            () -> { // the group may have a member for some moments yet
                                admin.alterConsumerGroupOffsets("silkroute-history", back)
                                        .all()
                                        .get();
                                admin.alterConsumerGroupOffsets("silkroute-current", forth)
                                        .all()
                                        .get();
                                return true;
                            });
        }
        start("history.camel.yaml", "current.camel.yaml");
        awaitAnswer("SELECT count(*), count(DISTINCT (router, prefix)) FROM bmp.v_route_history", "400|400");
        awaitAnswer("SELECT count(*) FROM bmp.v_rib", "400");
    }

    @Test
    void aTopicThatIsCreatedAgainIsReadFromItsBeginning() throws Exception {
        sendRoutes(0, 50);
        start("history.camel.yaml");
        awaitPlace("history", 50);
        try (Admin admin = Admin.create(kafka)) {
            admin.deleteTopics(List.of("bmp.routes" + suffix)).all().get();
            await().ignoreExceptions().until(() -> {
                admin.createTopics(List.of(new NewTopic("bmp.routes" + suffix, PARTITIONS, (short) 1)))
                        .all()
                        .get();
                return true;
            });
        }
        sendRoutes(100, 110);
        awaitAnswer("SELECT count(*), count(DISTINCT (router, prefix)) FROM bmp.v_route_history", "240|240");
        assertThat(query("SELECT count(DISTINCT topic_id), max(next_offset) FROM bmp.lane_offset"))
                .containsExactly("2|50");
    }

    @Test
    void whatKafkaNoLongerHasIsCountedAndTheRestIsRead() throws Exception {
        sendRoutes(0, 10);
        start("history.camel.yaml");
        awaitPlace("history", 10);
        context.stop();
        sendRoutes(10, 40);
        try (Admin admin = Admin.create(kafka)) {
            admin.deleteRecords(Map.of(new TopicPartition("bmp.routes" + suffix, 2), RecordsToDelete.beforeOffset(25)))
                    .all()
                    .get();
        }
        start("history.camel.yaml");
        awaitPlace("history", 40);
        assertThat(query("SELECT router, count(*), count(DISTINCT prefix) FROM bmp.v_route_history GROUP BY 1"
                        + " ORDER BY 1"))
                .containsExactly("r0|40|40", "r1|40|40", "r2|25|25", "r3|40|40");
        assertThat(meters.get("silkroute.pgcopy.gap.records").functionCounter().count())
                .isEqualTo(15);
        assertThat(meters.get("silkroute.pgcopy.gaps").functionCounter().count())
                .isEqualTo(1);
    }

    @Test
    void routersOfAPartitionWhoseRecordsExpiredAreStaleAndAreToSendTheirTablesInTheirNextSession() throws Exception {
        String lost = routerOf(2);
        String other = routerOf(1);
        String stale = "SELECT router, prefix, stale FROM bmp.v_rib ORDER BY 1, 2";
        send("bmp.routes", 1, opened(other, 1).announce("10.1.0.0/16", 1).bytes());
        send("bmp.routes", 2, opened(lost, 1).announce("10.2.0.0/16", 1).bytes());
        start("current.camel.yaml");
        awaitAnswer("SELECT count(*) FROM bmp.v_rib WHERE NOT stale", "2");
        context.stop();

        send("bmp.routes", 2, TestBatch.of(lost, 1, 1).withdraw("10.2.0.0/16").bytes());
        send(
                "bmp.routes",
                2,
                TestBatch.of(lost, 1, 2).announce("10.3.0.0/16", 1).bytes());
        try (Admin admin = Admin.create(kafka)) {
            admin.deleteRecords(Map.of(new TopicPartition("bmp.routes" + suffix, 2), RecordsToDelete.beforeOffset(2)))
                    .all()
                    .get();
        }
        try (CapturedLog lane = CapturedLog.of(Lane.class);
                CapturedLog state = CapturedLog.of(CurrentStateWriter.class)) {
            start("current.camel.yaml");
            awaitAnswer("SELECT count(*) FROM bmp.v_rib", "3");
            String span = "bmp.routes" + suffix + "-2 from offset 1 to 1";
            assertThat(lane.messages())
                    .contains("1 records expired before lane current consumed them (" + span
                            + "): the topic's retention is shorter than the lane's lag");
            assertThat(state.messages())
                    .containsExactly("The routes of 1 routers count as stale until their next sessions: events of "
                            + span + " are missing");
        }
        assertThat(query(stale))
                .containsExactlyInAnyOrder(other + "|10.1.0.0/16|f", lost + "|10.2.0.0/16|t", lost + "|10.3.0.0/16|t");
        assertThat(query("SELECT * FROM bmp.resync_candidate")).containsExactly(lost + "|1|incomplete");

        send("bmp.routes", 2, opened(lost, 2).announce("10.3.0.0/16", 1).bytes());
        awaitAnswer("SELECT prefix FROM bmp.v_rib WHERE NOT stale ORDER BY 1", "10.1.0.0/16", "10.3.0.0/16");
        assertThat(query("SELECT * FROM bmp.resync_candidate")).isEmpty();
    }

    private static TestBatch opened(String router, long session) {
        return TestBatch.of(router, session, 0).session(EventKind.SESSION_UP);
    }

    /** A router whose records belong in a partition. */
    private static String routerOf(int partition) {
        return IntStream.range(0, 1000)
                .mapToObj(number -> "router" + number)
                .filter(name -> BuiltInPartitioner.partitionForKey(utf8(name), PARTITIONS) == partition)
                .findFirst()
                .orElseThrow();
    }

    /**
     * Records of a collector whose clock is ahead are no later ones, also where it is not known yet what the lane has
     * stored.
     */
    @Test
    void clocksThatDifferAreNoLoss() throws Exception {
        try (KafkaProducer<byte[], byte[]> ahead =
                new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer())) {
            long later = System.currentTimeMillis() + 3_600_000;
            ahead.send(new ProducerRecord<>("bmp.routes" + suffix, 0, later, null, batch(0, 1000)))
                    .get();
        }
        start("history.camel.yaml");
        awaitAnswer("SELECT count(*) FROM bmp.v_route_history", "1");
        context.stop();
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("UPDATE bmp.lane_offset SET max_timestamp_ms = NULL");
        }
        for (int i = 0; i < 3; i++) {
            sendRoutes(i, i + 1);
            start("history.camel.yaml");
            awaitAnswer("SELECT count(*) FROM bmp.v_route_history", String.valueOf(1 + (i + 1) * PARTITIONS));
            context.stop();
        }
        assertThat(query("SELECT count(*), count(DISTINCT (router, prefix)) FROM bmp.v_route_history"))
                .containsExactly("13|13");
    }

    /** A database that lacks the lane's offsets lacks its rows too, whatever the group has committed in Kafka. */
    @Test
    void whereOffsetsAreMissingALaneReadsFromTheBeginning() throws Exception {
        sendRoutes(0, 50);
        start("history.camel.yaml");
        awaitCommitted("silkroute-history", "bmp.routes");
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("TRUNCATE bmp.lane_offset, bmp.route_event");
        }
        sendRoutes(50, 80);
        awaitPlace("history", 80);
        assertThat(query("SELECT count(*), count(DISTINCT (router, prefix)) FROM bmp.v_route_history"))
                .containsExactly("320|320");
        assertThat(meters.get("silkroute.pgcopy.rejected").functionCounter().count())
                .isPositive();
    }

    /** Two stations with the same group, one of which sees its database only now and then. */
    @Test
    void writersThatHangAndComeBackNeitherRepeatNorSkip() throws Exception {
        topics.setProperty("silkroute.history.consumers", "2");
        FlakyDataSource other = new FlakyDataSource(database);
        try (CamelContext second = station(other, "history.camel.yaml")) {
            second.start();
            start("history.camel.yaml");
            for (int i = 0; i < 8; i++) {
                flaky.setUnavailable(i % 4 == 1);
                other.setUnavailable(i % 4 == 3);
                sendRoutes(i * 50, i * 50 + 50);
                int rejected = flaky.rejected.get() + other.rejected.get();
                if (i % 2 == 1) {
                    await().until(() -> flaky.rejected.get() + other.rejected.get() > rejected + 1);
                }
            }
            flaky.setUnavailable(false);
            other.setUnavailable(false);
            awaitPlace("history", 400);
        }
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
        start("history.camel.yaml", "current.camel.yaml");
        awaitAnswer("SELECT count(*) FROM bmp.v_route_history", "40");
        awaitCommitted("silkroute-history", "bmp.routes");
        awaitCommitted("silkroute-current", "bmp.routes");
        assertThat(query("SELECT split_part(kafka_record, '@', 2), length(bytes) > 0 FROM bmp.v_quarantine ORDER BY 1"))
                .containsExactly("0|t", "1|f", "2|t", "3|t");
    }

    @Test
    void whileTheDatabaseIsUnavailableNothingIsLostAndNothingStoredTwice() throws Exception {
        start("history.camel.yaml", "lifecycle.camel.yaml");
        sendRoutes(0, 10);
        awaitAnswer("SELECT count(*) FROM bmp.v_route_history", "40");
        flaky.setUnavailable(true);
        sendRoutes(10, 60);
        send("bmp.peers", 1, utf8(sessionUp(1)));
        await().until(() -> flaky.rejected.get() >= 4);
        assertThat(lag("silkroute-history", "bmp.routes")).isEqualTo(200);
        flaky.setUnavailable(false);
        awaitAnswer("SELECT count(*), count(DISTINCT (router, prefix)) FROM bmp.v_route_history", "240|240");
        awaitAnswer("SELECT router, state FROM bmp.v_routers WHERE connected_at IS NOT NULL", "x1|connected");
        awaitCommitted("silkroute-history", "bmp.routes");
        awaitCommitted("silkroute-peers", "bmp.peers");
    }

    /** A commit whose response is lost may have happened: the lane's offset in the same transaction shows it. */
    @Test
    void connectionsThatBreakInTheMiddleLoseNothingAndStoreNothingTwice() throws Exception {
        start("history.camel.yaml", "current.camel.yaml");
        breakWhileLanesWait();
        for (int i = 1; i < 10; i++) {
            sendRoutes(i * 40, i * 40 + 40);
            query("SELECT count(pg_terminate_backend(pid))" + OTHERS);
        }
        awaitAnswer("SELECT count(DISTINCT (router, prefix)), count(*) FROM bmp.v_route_history", "1600|1600");
        awaitAnswer("SELECT count(*), count(med) FROM bmp.v_rib", "1600|1600");
    }

    /** Within their transactions, which get as far as to their places and no further. */
    private void breakWhileLanesWait() throws Exception {
        try (Connection holder = database.getConnection();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("LOCK TABLE bmp.lane_offset IN EXCLUSIVE MODE");
            sendRoutes(0, 40);
            String broken = "SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) > 0" + OTHERS
                    + " AND pid IN (SELECT pid FROM pg_locks WHERE NOT granted AND relation ="
                    + " 'bmp.lane_offset'::regclass)";
            await().until(() -> query(broken).equals(List.of("t"))); // a rebalance may end a wait
            holder.rollback();
        }
    }

    /** It does not read from an offset that it would have to guess. */
    @Test
    void aLaneThatStartsWhileTheDatabaseIsUnavailableWaitsForItsOffsets() throws Exception {
        sendRoutes(0, 10);
        flaky.setUnavailable(true);
        start("history.camel.yaml");
        await().until(() -> flaky.rejected.get() >= 8);
        flaky.setUnavailable(false);
        awaitAnswer("SELECT count(*), count(DISTINCT (router, prefix)) FROM bmp.v_route_history", "40|40");
        assertThat(meters.get("silkroute.pgcopy.rejected").functionCounter().count())
                .isZero();
    }

    @Test
    void aStopWhileTheDatabaseIsUnavailableDoesNotWaitForItAndCommitsNothing() throws Exception {
        flaky.setUnavailable(true);
        sendRoutes(0, 10);
        start("history.camel.yaml");
        await().until(() -> flaky.rejected.get() >= 2);
        assertThat(CompletableFuture.runAsync(context::stop)).succeedsWithin(Duration.ofMinutes(1));
        assertThat(lag("silkroute-history", "bmp.routes")).isEqualTo(40);
        flaky.setUnavailable(false);
        start("history.camel.yaml");
        awaitAnswer("SELECT count(*) FROM bmp.v_route_history", "40");
    }

    @Test
    void lowVolumeRecordsAreStoredTextsWithNulIncluded() throws Exception {
        start("lifecycle.camel.yaml");
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
                utf8(common("quarantine", 4) + peer
                        + ",\"message_type\":\"route-monitoring\",\"offset\":7,\"reason\":\"bad\",\"section\":\"RFC"
                        + " 4271\",\"bytes\":\"AQI=\"}"));
        awaitAnswer("SELECT router, sys_name, sys_descr, state FROM bmp.v_routers", "x1|x1||connected");
        awaitAnswer("SELECT peer_address, state FROM bmp.v_peers", "192.0.2.11|up");
        awaitAnswer("SELECT value FROM bmp.v_stats", "18446744073709551615");
        awaitAnswer("SELECT bytes FROM bmp.v_mirror", "\\x0102");
        awaitAnswer(
                "SELECT byte_offset, reason, split_part(kafka_record, '@', 2) FROM bmp.v_quarantine ORDER BY 3",
                "-|not a JSON object: Unexpected end-of-input within/between Object entries|2",
                "-|not a JSON object: it does not start with {|3",
                "-|not a JSON object: something follows the object|4",
                "7|bad|-");
        for (String topic : List.of("peers", "stats", "mirror", "quarantine")) {
            awaitCommitted("silkroute-" + topic, "bmp." + topic);
        }
    }

    @Test
    void aNewLaneIsARouteAndAMigration() throws Exception {
        List<Block> blocks = new MarkdownPage(Path.of("CONTRIBUTING.md")).blocks();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(only(blocks, "sql"));
        }
        topics.setProperty("silkroute.topic.example.name", "bmp.stats" + suffix);
        context = station(database);
        PluginHelper.getRoutesLoader(context)
                .loadRoutes(ResourceHelper.fromString("example.yaml", RouteBlock.NEW_LANE.text()));
        context.start();
        send("bmp.stats", 0, utf8("{\"router\":\"x1\",\"value\":1}"), utf8("{\"router\":\"x2\",\"value\":2}"));
        awaitAnswer("SELECT router, value FROM bmp.example ORDER BY value", "x1|1", "x2|2");
        awaitCommitted("silkroute-example", "bmp.stats");
    }

    /** The routes have the same lane: the second and the third continue where the one before has stopped. */
    @Test
    void routesOfOwnRecordsStoreEachOfThemOnce() throws Exception {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA weather; CREATE TABLE weather.measurement (value text)");
        }
        RowSource<String> rows = RowSource.of(
                String.class,
                table -> (connection, records) -> transaction -> LaneRows.insert(transaction, table, records));
        List<String> stored = new ArrayList<>();
        for (RouteBlock route : List.of(RouteBlock.LANE, RouteBlock.COPIED_ROWS, RouteBlock.COPIED_ROWS_EXACTLY_ONCE)) {
            context = station(database);
            context.getRegistry().bind("rows", rows);
            context.getRegistry().bind("measurements", rows);
            PluginHelper.getRoutesLoader(context)
                    .loadRoutes(ResourceHelper.fromString(
                            "page.yaml", route.text().replace("lane:measurements", "lane:bmp.stats" + suffix)));
            context.start();
            send("bmp.stats", 0, utf8("of " + route));
            stored.add("of " + route);
            awaitAnswer("SELECT value FROM weather.measurement ORDER BY ctid", stored.toArray(String[]::new));
            context.stop();
        }
    }

    private static String only(List<Block> blocks, String language) {
        List<String> found = blocks.stream()
                .filter(block -> block.language().equals(language))
                .map(Block::text)
                .toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    @Test
    void aLaneWithAnIdleIntervalRunsItsRouteWithAnEmptyListWhileNoRecordsArrive() throws Exception {
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        context = station(database);
        RouteBuilder.addRoutes(
                context,
                routes -> routes.from("lane:bmp.stats" + suffix + "?lane=idle&offsets=kafka&idleInterval=100")
                        .process(exchange -> sizes.add(
                                exchange.getMessage().getBody(List.class).size())));
        context.start();
        await().until(() -> sizes.size() >= 2);
        assertThat(sizes).containsOnly(0);
        send("bmp.stats", 0, new byte[1]);
        await().until(() -> sizes.contains(1));
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
