package dev.silkroute.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.fixture.RouteBlock;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestRouter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The routes that the documentation shows do what it states, in the directory of routes of one station that runs all of
 * them. Routes that read only new records get what they read until it has had its effect.
 */
class DocumentedRoutesIT {
    private static final String CAPTURE = "gobgp-all";
    private static final String PREFIX = "103.210.6.0/23";
    private static final String ADDRESS = "103.210.6.1";
    private static final String TENANTS_ROUTER = "127.0.4.1";

    private static final List<String> TOPICS = List.of(
            "alerts",
            "origins",
            "orders",
            "goflow2",
            "goflow2.enriched",
            "akvorado",
            "akvorado.enriched",
            "pmacct",
            "pmacct.enriched",
            "bmp.routes.invalid",
            "bmp.routes.as65012",
            "bmp.withdrawals.json");

    /** What each block does. The first logs part of what a later one logs, so it is checked first. */
    private static final Map<RouteBlock, Check> CHECKS = Map.ofEntries(
            Map.entry(RouteBlock.LOG_ROUTES, DocumentedRoutesIT::logsRoutesOfAnAs),
            Map.entry(RouteBlock.FLOWS_GOFLOW2, () -> enriches("goflow2", "sampler_address", "src_addr", "dst_addr")),
            Map.entry(RouteBlock.FLOWS_AKVORADO, () -> enriches("akvorado", "ExporterAddress", "SrcAddr", "DstAddr")),
            Map.entry(RouteBlock.FLOWS_PMACCT, () -> enriches("pmacct", "peer_ip_src", "ip_src", "ip_dst")),
            Map.entry(RouteBlock.INVALID_ROUTES, DocumentedRoutesIT::publishesInvalidRoutes),
            Map.entry(RouteBlock.JSON_EVENTS, DocumentedRoutesIT::logsEachEventAsJson),
            Map.entry(RouteBlock.MESSAGES_TO_STATION, DocumentedRoutesIT::sendsMessagesToTheStation),
            Map.entry(RouteBlock.PIPELINE, DocumentedRoutesIT::storesOrders),
            Map.entry(RouteBlock.PIPELINE_OF_TENANT, DocumentedRoutesIT::readsThePeersOfTheTenantOnly),
            Map.entry(RouteBlock.WITHDRAWALS_AS_JSON, DocumentedRoutesIT::publishesWithdrawals),
            Map.entry(RouteBlock.LOOKUP, DocumentedRoutesIT::looksUpAddresses),
            Map.entry(RouteBlock.FIND, DocumentedRoutesIT::findsRoutesOfAnOrigin),
            Map.entry(RouteBlock.ROUTES_TO_TOPIC, DocumentedRoutesIT::publishesRoutesOfAnAs));

    /** Runs a route until it has done what its page states. */
    @FunctionalInterface
    private interface Check {
        void run() throws Exception;
    }

    @TempDir
    static Path box;

    private static Path routes;
    private static StationProcess station;

    @BeforeAll
    static void start() throws Exception {
        routes = Files.createDirectory(box.resolve("my-routes"));
        Path vrps = Files.writeString(box.resolve("vrps.csv"), "ASN,IP Prefix,Max Length\nAS64500," + PREFIX + ",23\n");
        station = StationProcess.startOnSharedServers(
                Map.of("SILKROUTE_RPKI_VRPS", vrps.toString(), "SILKROUTE_ROUTER_NAMES", TENANTS_ROUTER + "=edge-1"),
                box.resolve("data"),
                "--routes-dir",
                routes.toString());
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", station.kafkaBootstrap()))) {
            admin.createTopics(TOPICS.stream()
                            .map(topic -> new NewTopic(topic, 1, (short) 1))
                            .toList())
                    .all()
                    .get();
        }
        announce("127.0.0.1");
    }

    @AfterAll
    static void stop() {
        station.close();
    }

    static Stream<RouteBlock> blocks() {
        return Stream.of(RouteBlock.values()).filter(block -> block.test().equals("DocumentedRoutesIT"));
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void routeDoesWhatItsPageStates(RouteBlock block) throws Exception {
        assertThat(CHECKS).containsKey(block);
        // The file replaces the packaged one of the same name, where the block is a version of its route
        String name = block == RouteBlock.WITHDRAWALS_AS_JSON ? "withdrawals" : block.name();
        save(name, block.text().replace("127.0.0.1:11019", "127.0.0.1:" + station.bmpPort()));
        CHECKS.get(block).run();
    }

    private static void save(String name, String text) throws IOException {
        Files.writeString(routes.resolve(name + ".yaml"), text);
        await().until(() -> station.log().lines().anyMatch(line -> line.contains(name + ".yaml: routes ")));
    }

    private static void logsRoutesOfAnAs() {
        until(() -> announce("127.0.0.1"), () -> logs("\"peer_asn\":65012"));
        assertThat(station.log()).doesNotContain("\"peer_asn\":4200000011");
    }

    private static void logsEachEventAsJson() {
        await().until(() -> logs("\"peer_asn\":4200000011"));
    }

    private static void enriches(String topic, String exporter, String source, String destination) {
        String record = "{\"%s\":\"127.0.0.1\",\"%s\":\"192.0.2.1\",\"%s\":\"%s\"}"
                .formatted(exporter, source, destination, ADDRESS);
        until(() -> send(topic, record), () -> contains(topic + ".enriched", "\"dst_prefix\":\"" + PREFIX + "\""));
    }

    private static void publishesInvalidRoutes() {
        until(() -> announce("127.0.0.1"), () -> contains("bmp.routes.invalid", "\"" + PREFIX + "\""));
        assertThat(station.records("bmp.routes.invalid"))
                .allSatisfy(
                        record -> assertThat(new String(record.value(), UTF_8)).contains("\"" + PREFIX + "\""));
    }

    private static void sendsMessagesToTheStation() throws IOException {
        Path inbox = Files.createDirectory(box.resolve("inbox"));
        save("messages", """
            - route:
                id: messages
                from:
                  uri: file:%s
                  steps:
                    - convertBodyTo: {type: "byte[]"}
                    - to: direct:messages
            - route:
                id: lost
                from: {uri: direct:lost, steps: [log: "lost ${body}"]}
            """.formatted(inbox));
        Path stream = Files.write(box.resolve("stream"), CaptureFiles.stream(CAPTURE, "netty-1"));
        Files.move(stream, inbox.resolve("stream"));
        await().until(() -> !station.sql("SELECT 1 FROM bmp.v_rib WHERE router = 'netty-1' LIMIT 1")
                .isEmpty());
    }

    private static void storesOrders() throws Exception {
        execute(
                "CREATE SCHEMA shop; CREATE TABLE shop.order (id bigint GENERATED BY DEFAULT AS IDENTITY, customer bigint);"
                        + " CREATE TABLE shop.customer (id bigint, name text, orders bigint);"
                        + " INSERT INTO shop.customer VALUES (7, 'Ada', 0)");
        until(() -> send("orders", "{\"id\":1,\"customer\":7}"), () -> logs("Ada"));
        assertThat(station.sql("SELECT DISTINCT id, customer FROM shop.order")).containsExactly("1|7");
        assertThat(station.sql("SELECT orders > 0 FROM shop.customer")).containsExactly("t");
    }

    private static void readsThePeersOfTheTenantOnly() throws Exception {
        execute("DO $$ BEGIN CREATE ROLE tenants; EXCEPTION WHEN duplicate_object THEN NULL; END $$;"
                + " INSERT INTO bmp.tenant_router VALUES ('acme', 'edge-1'); SELECT bmp.keep_tenants_apart('tenants')");
        announce(TENANTS_ROUTER);
        save("tenant", """
            - route:
                id: tenant
                from:
                  uri: timer:tenant?period=500
                  steps:
                    - to: direct:peers-of-acme
                    - log: "peers of acme: ${body}"
            """);
        await().until(() -> logs("peers of acme: [{router=edge-1"));
        assertThat(station.log().lines().filter(line -> line.contains("peers of acme: ")))
                .noneMatch(line -> line.contains("router=gobgp-1"));
    }

    private static void publishesWithdrawals() throws Exception {
        execute(
                "INSERT INTO bmp.withdrawal_outbox (received_at, session_id, sequence, peer_id, family, rib_view, prefix)"
                        + " SELECT now(), session_id, 0, peer_id, family, rib_view, prefix FROM bmp.rib_route"
                        + " WHERE prefix = '" + PREFIX + "' LIMIT 1");
        await().until(() -> contains("bmp.withdrawals.json", "\"" + PREFIX + "\""));
        await().untilAsserted(() -> assertThat(station.sql("SELECT count(*) FROM bmp.withdrawal_outbox"))
                .containsExactly("0"));
    }

    /** The Loc-RIB of the other router has no route to the address at the end of its capture. */
    private static void looksUpAddresses() throws IOException {
        announce("frr-all", "127.0.0.1");
        until(() -> send("alerts", "{\"address\":\"" + ADDRESS + "\"}"), () -> logs(" loc-rib ipv4-unicast " + PREFIX));
    }

    private static void findsRoutesOfAnOrigin() throws IOException {
        announce("frr-all", "127.0.0.1");
        until(
                () -> send("origins", "{\"origin_asn\":1190,\"view\":\"loc-rib\"}"),
                () -> logs(" routes, the first is ") && logs(" loc-rib ipv4-unicast " + PREFIX));
    }

    private static void publishesRoutesOfAnAs() {
        await().until(() -> contains("bmp.routes.as65012", "\"peer_asn\":65012"));
        assertThat(station.records("bmp.routes.as65012"))
                .allSatisfy(
                        record -> assertThat(new String(record.value(), UTF_8)).contains("\"peer_asn\":65012"));
    }

    /** Sends what a route reads until it has its effect. */
    private static void until(Check sends, Callable<Boolean> isDone) {
        await().pollInterval(Duration.ofMillis(500)).until(() -> {
            sends.run();
            return isDone.call();
        });
    }

    private static void announce(String from) throws IOException {
        announce(CAPTURE, from);
    }

    /** @param from the address of the router */
    private static void announce(String capture, String from) throws IOException {
        try (TestRouter router = TestRouter.connect(station.bmpPort(), from)) {
            router.send(CaptureFiles.stream(capture));
        }
    }

    private static void send(String topic, String record) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", station.kafkaBootstrap()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, record.getBytes(UTF_8))).get();
        }
    }

    private static boolean logs(String text) {
        return station.log().contains(text);
    }

    private static boolean contains(String topic, String text) {
        return station.records(topic).stream().anyMatch(record -> new String(record.value(), UTF_8).contains(text));
    }

    private static void execute(String sql) throws Exception {
        try (Connection connection = station.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
