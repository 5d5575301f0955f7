package dev.silkroute.app.rpki;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestConfig;
import dev.silkroute.names.LabelFile;
import dev.silkroute.names.LabelSource;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.view.RouteEvent;
import dev.silkroute.rpki.AspaVerdict;
import dev.silkroute.rpki.Validity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.Processor;
import org.apache.camel.builder.AdviceWith;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.apache.camel.support.PluginHelper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests the beans {@code rpki} and {@code names} in the packaged {@code json.camel.yaml} without Kafka, and {@code
 * rpki} in a user's route.
 */
class ValidatedRoutesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String VRPS = """
            ASN,IP Prefix,Max Length
            AS64500,10.0.0.0/8,8
            AS64500,2001:db8::/32,48
            AS0,198.51.100.0/24,24
            AS4200000011,172.16.0.0/12,12
            """;

    /** The end of a VPN prefix of RD 64500:1 and label 16; the bits of the prefix are those of 10.0.0.0/8. */
    private static final byte[] VPN = TestBatch.hex("60" + "000101" + "0000fbf400000001" + "0a");

    private static final byte[] LABELLED = TestBatch.hex("20" + "000101" + "0a");
    private static final byte[] WITH_PATH_ID = TestBatch.hex("00000007" + "080a");

    @TempDir
    private Path folder;

    private final DefaultCamelContext context = new DefaultCamelContext();
    private final List<JsonNode> written = new ArrayList<>();
    private LabelSource labels = LabelSource.NONE;

    @AfterEach
    void stop() {
        context.stop();
    }

    /** ORIGIN, AS_PATH and NEXT_HOP as a canonical set. */
    private static byte[] path(String segments) {
        return TestBatch.hex(
                "5001000100" + "5002%04x".formatted(segments.length() / 2) + segments + "50030004c0000201");
    }

    private static byte[] batch() {
        return batch(TestBatch.of(7, 0));
    }

    private static byte[] batch(TestBatch batch) {
        int unicast = Family.IPV4_UNICAST;
        byte[] covered = TestBatch.nlri("10.0.0.0/8");
        return batch.peerUp(TestBatch.PEER)
                .announce("10.0.0.0/8", 1)
                .announce("10.0.0.0/9", 1)
                .announce("192.0.2.0/24", 1)
                .announce("2001:db8:1::/48", 1)
                .announce("2001:db8:1::/49", 1)
                .announce("198.51.100.0/24", 1)
                .withdraw("10.0.0.0/8")
                // Origin AS 64500 in a sequence, in a set, before a set, after a set, before a confederation
                .announce(TestBatch.PEER, unicast, covered, false, path("02010000fbf4"))
                .announce(TestBatch.PEER, unicast, covered, false, path("02010000fbf5" + "01010000fbf4"))
                .announce(TestBatch.PEER, unicast, covered, false, path("01010000fbf5" + "02010000fbf4"))
                .announce(TestBatch.PEER, unicast, covered, false, path("02010000fbf4" + "03010000fde9"))
                // Another origin, an empty path, no path at all, an empty path without a VRP, and in a prefix with a
                // VRP
                // of the peer's AS
                .announce(TestBatch.PEER, unicast, covered, false, path("02010000fbf5"))
                .announce(TestBatch.PEER, unicast, covered, false, path(""))
                .announce(TestBatch.PEER, unicast, covered, false, TestBatch.hex("5001000100" + "50030004c0000201"))
                .announce(TestBatch.PEER, unicast, TestBatch.nlri("192.0.2.0/24"), false, path(""))
                .announce(TestBatch.PEER, unicast, TestBatch.nlri("172.16.0.0/12"), false, path(""))
                .announce(TestBatch.PEER, unicast, TestBatch.nlri("172.16.0.0/12"), false, path("03010000fde9"))
                .announce(TestBatch.PEER, unicast, TestBatch.nlri("172.16.0.0/12"), false, path("02010000fbf4"))
                // Families
                .announce(TestBatch.PEER, unicast, WITH_PATH_ID, true, path("02010000fbf4"))
                .announce(TestBatch.PEER, Family.IPV4_LABELED_UNICAST, LABELLED, false, path("02010000fbf4"))
                .announce(TestBatch.PEER, Family.IPV4_MULTICAST, covered, false, path("02010000fbf4"))
                .announce(TestBatch.PEER, Family.VPNV4, VPN, false, path("02010000fbf4"))
                .announce(TestBatch.PEER, Family.EVPN, TestBatch.hex(TestBatch.MAC_IP + "000101"), false, path(""))
                .endOfRib(TestBatch.PEER, unicast)
                .bytes();
    }

    private static final List<String> EXPECTED = List.of(
            "peer-up -",
            "10.0.0.0/8 valid",
            "10.0.0.0/9 invalid",
            "192.0.2.0/24 not-found",
            "2001:db8:1::/48 valid",
            "2001:db8:1::/49 invalid",
            "198.51.100.0/24 invalid",
            "10.0.0.0/8 -",
            "10.0.0.0/8 valid",
            "10.0.0.0/8 invalid",
            "10.0.0.0/8 valid",
            "10.0.0.0/8 valid",
            "10.0.0.0/8 invalid",
            "10.0.0.0/8 invalid",
            "10.0.0.0/8 invalid",
            "192.0.2.0/24 not-found",
            "172.16.0.0/12 valid",
            "172.16.0.0/12 valid",
            "172.16.0.0/12 invalid",
            "10.0.0.0/8 valid",
            "10.0.0.0/8 valid",
            "10.0.0.0/8 -",
            "10.0.0.0/8 -",
            "evpn -",
            "end-of-rib -");

    private static List<String> withoutValidity() {
        return EXPECTED.stream().map(line -> line.replaceFirst(" .*", " -")).toList();
    }

    private static String line(JsonNode event) {
        String name = event.path("prefix").asText(event.path("event").asText());
        return (name.equals("announce") ? event.path("family").asText() : name) + " "
                + event.path("rpki_validity").asText("-");
    }

    private OriginValidation rpki(String vrps) throws IOException {
        Path file = Files.writeString(folder.resolve("vrps.csv"), vrps);
        return new OriginValidation(TestConfig.of("silkroute.rpki.vrps", file)).load();
    }

    /** Starts the packaged route with a source and a target of the test. */
    private void startJson(OriginValidation rpki) throws Exception {
        Properties settings = new Properties();
        settings.setProperty("silkroute.routes.json.enabled", "true");
        context.getPropertiesComponent().setInitialProperties(settings);
        context.getRegistry().bind("rpki", rpki);
        context.getRegistry().bind("names", labels);
        Processor target = exchange -> {
            for (Object message : exchange.getMessage().getBody(Iterable.class)) {
                assertThat(((Message) message).getHeaders()).doesNotContainKey(Validity.HEADER);
                written.add(JSON.readTree(((Message) message).getBody(byte[].class)));
            }
        };
        context.getRegistry().bind("written", target);
        PluginHelper.getRoutesLoader(context)
                .loadRoutes(Stream.of("error-handling", "json")
                        .map(name -> PluginHelper.getResourceLoader(context)
                                .resolveResource("classpath:routes/" + name + ".camel.yaml"))
                        .toList());
        AdviceWith.adviceWith(context, "json", route -> {
            route.replaceFromWith("direct:json");
            route.weaveByToUri("kafka:*").replace().process("written");
        });
        context.start();
    }

    /** Sends records as a batching consumer does. */
    private void send(byte @Nullable []... records) {
        List<Exchange> batch = new ArrayList<>();
        for (byte[] record : records) {
            Exchange exchange = new DefaultExchange(context);
            exchange.getMessage().setBody(record);
            batch.add(exchange);
        }
        Exchange answer = context.createProducerTemplate()
                .request("direct:json", exchange -> exchange.getMessage().setBody(batch));
        assertThat(answer.getException()).isNull();
    }

    @Test
    void jsonOfAnnouncementsHasTheirValidity() throws Exception {
        startJson(rpki(VRPS));

        // A record without a value and one that is not a batch have no events
        send(batch(), null, "{}".getBytes(UTF_8), batch(TestBatch.of(7, 1).redecoded()));

        assertThat(written).hasSize(2 * EXPECTED.size());
        assertThat(written.subList(0, EXPECTED.size()))
                .extracting(ValidatedRoutesTest::line)
                .isEqualTo(EXPECTED);
        assertThat(written.subList(EXPECTED.size(), written.size()))
                .extracting(ValidatedRoutesTest::line)
                .isEqualTo(EXPECTED);
        JsonSchema schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(Files.readString(Path.of("docs/reference/schema/route.schema.json")));
        assertThat(written)
                .allSatisfy(event -> assertThat(schema.validate(event)).isEmpty());
    }

    private static final PeerEntry ACCEPTED = TestBatch.peer(12, 12, RibView.ADJ_RIB_IN_POST_POLICY);
    private static final PeerEntry SENT = TestBatch.peer(13, 13, RibView.ADJ_RIB_OUT_POST_POLICY);
    private static final PeerEntry USED = TestBatch.peer(14, 14, RibView.LOC_RIB);
    private static final PeerEntry OF_UNKNOWN_ROLE = TestBatch.peer(15, 15, RibView.ADJ_RIB_IN_PRE_POLICY);
    /** AS 4200000011, that of all peers. */
    private static final String NEIGHBOR = "fa56ea0b";

    private static byte[] verifiedBatch(NeighborRole role) {
        TestBatch batch = TestBatch.of(7, 0);
        for (PeerEntry peer : List.of(TestBatch.PEER, ACCEPTED, SENT, USED)) {
            batch.role(peer, role);
        }
        byte[] nlri = TestBatch.nlri("10.0.0.0/8");
        byte[] attested = path("0203" + NEIGHBOR + "0000fbf5" + "0000fbf4");
        for (String segments : List.of(
                "0203" + NEIGHBOR + "0000fbf5" + "0000fbf4",
                "0204" + NEIGHBOR + NEIGHBOR + "0000fbf6" + "0000fbf4",
                "0202" + NEIGHBOR + "0000fbf7",
                "0202" + "0000fbf5" + "0000fbf4",
                "0201" + NEIGHBOR + "0101" + "0000fbf7",
                "0301" + "0000fde9" + "0201" + NEIGHBOR + "0201" + "0000fbf7",
                "")) {
            batch.announce(TestBatch.PEER, Family.IPV4_UNICAST, nlri, false, path(segments));
        }
        return batch.announce(ACCEPTED, Family.IPV4_UNICAST, nlri, false, attested)
                .announce("2001:db8::/32", 1)
                .withdraw("10.0.0.0/8")
                .announce(SENT, Family.IPV4_UNICAST, nlri, false, attested)
                .announce(USED, Family.IPV4_UNICAST, nlri, false, attested)
                .announce(OF_UNKNOWN_ROLE, Family.IPV4_UNICAST, nlri, false, attested)
                .announce(TestBatch.PEER, Family.IPV4_LABELED_UNICAST, LABELLED, false, attested)
                .announce(TestBatch.PEER, Family.IPV4_MULTICAST, nlri, false, attested)
                .bytes();
    }

    private OriginValidation aspas() throws IOException {
        Path file = Files.writeString(folder.resolve("vrps.json"), """
                {"roas": [], "aspas": [
                  {"customer_asid": 64500, "providers": [64501]},
                  {"customer_asid": 64501, "providers": [4200000011]},
                  {"customer": "AS4200000011", "providers": ["AS0"]}]}
                """);
        return new OriginValidation(TestConfig.of("silkroute.rpki.vrps", file)).load();
    }

    @ParameterizedTest
    @CsvSource({
        // attested, denied behind a repetition, no ASPA, another first AS, a set, a confederation, no path
        "CUSTOMER, valid invalid unknown invalid invalid unknown invalid",
        "PEER, valid invalid unknown invalid invalid unknown invalid",
        "RS_CLIENT, valid invalid unknown invalid invalid unknown invalid",
        "RS, valid invalid unknown valid invalid unknown invalid",
        "PROVIDER, valid invalid valid invalid invalid valid invalid",
    })
    void jsonOfAnnouncementsHasTheVerdictAboutTheirPath(NeighborRole role, String verdicts) throws Exception {
        startJson(aspas());

        send(verifiedBatch(role));

        List<String> actual =
                written.stream().map(event -> event.path("aspa").asText("-")).toList();
        assertThat(actual.subList(0, 7)).isEqualTo(List.of(verdicts.split(" ")));
        assertThat(actual.subList(7, 8)).as("after policy").containsExactly("valid");
        assertThat(actual.subList(9, actual.size()))
                .as("withdrawals, other views, unknown roles and other families")
                .containsOnly("-");
        assertThat(written).noneMatch(event -> event.has("rpki_validity"));
        JsonSchema schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(Files.readString(Path.of("docs/reference/schema/route.schema.json")));
        assertThat(written)
                .allSatisfy(event -> assertThat(schema.validate(event)).isEmpty());
    }

    @Test
    void singleRoutesHaveTheVerdict() throws Exception {
        context.getRegistry().bind("rpki", aspas());
        List<Object> verdicts = new ArrayList<>();
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:user")
                        .bean("rpki", "validate")
                        .to("bmp:routes")
                        .split(body())
                        .filter(simple("${body.aspa} != null"))
                        .process(exchange -> {
                            assertThat(exchange.getMessage().getHeaders()).doesNotContainKey(AspaVerdict.HEADER);
                            verdicts.add(exchange.getMessage()
                                    .getBody(RouteEvent.class)
                                    .aspa());
                        });
            }
        });
        context.start();

        context.createProducerTemplate().sendBody("direct:user", verifiedBatch(NeighborRole.CUSTOMER));

        assertThat(verdicts).startsWith("valid", "invalid", "unknown").hasSize(9);
    }

    @Test
    void eventsHaveTheLabelsOfTheirPeer() throws Exception {
        Path file = Files.writeString(
                folder.resolve("labels.csv"),
                "router,peer,site,role\nr1,,fra,edge\nr1,192.0.2.11,,transit\nr2,,ams,\n");
        labels = LabelFile.read(file)::ofPeer;
        startJson(rpki(VRPS));

        send(
                batch(),
                TestBatch.of("r2", 8, 0)
                        .session(EventKind.SESSION_UP)
                        .announce("10.0.0.0/8", 1)
                        .bytes(),
                TestBatch.of("r3", 9, 0).announce("10.0.0.0/8", 1).bytes());

        assertThat(written.stream()
                        .filter(event -> event.has("peer_address"))
                        .map(event -> event.get("router").asText() + " " + event.path("peer_labels"))
                        .distinct())
                .containsExactly("r1 {\"role\":\"transit\",\"site\":\"fra\"}", "r2 {\"site\":\"ams\"}", "r3 ");
        assertThat(written)
                .filteredOn(event -> !event.has("peer_address"))
                .hasSize(1)
                .noneMatch(event -> event.has("peer_labels"));
        JsonSchema schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(Files.readString(Path.of("docs/reference/schema/route.schema.json")));
        assertThat(written)
                .allSatisfy(event -> assertThat(schema.validate(event)).isEmpty());
    }

    @Test
    void withoutVrpsThereIsNone() throws Exception {
        startJson(rpki("ASN,IP Prefix,Max Length\n"));

        send(batch());

        assertThat(written).extracting(ValidatedRoutesTest::line).isEqualTo(withoutValidity());
    }

    /** The header may come from Kafka, where anyone may have written it. */
    @Test
    void aHeaderThatDoesNotFitTheBatchIsIgnored() throws Exception {
        startJson(new OriginValidation(TestConfig.of()));
        byte[] batch = batch();
        for (byte[] header : List.of(new byte[] {1}, new byte[] {1, 2, 3}, new byte[200], new byte[0])) {
            written.clear();
            Exchange answer = context.createProducerTemplate().request("direct:json", exchange -> {
                exchange.getMessage().setBody(batch);
                exchange.getMessage().setHeader(Validity.HEADER, header);
            });
            assertThat(answer.getException()).isNull();
            assertThat(written).extracting(ValidatedRoutesTest::line).isEqualTo(withoutValidity());
        }
        byte[] unknown = new byte[EXPECTED.size()];
        Arrays.fill(unknown, (byte) -1);
        unknown[1] = 4;
        unknown[2] = Validity.NOT_FOUND.code();
        written.clear();
        context.createProducerTemplate().send("direct:json", exchange -> {
            exchange.getMessage().setBody(batch);
            exchange.getMessage().setHeader(Validity.HEADER, unknown);
        });
        assertThat(written.stream().map(ValidatedRoutesTest::line).filter(line -> !line.endsWith(" -")))
                .containsExactly("10.0.0.0/9 not-found");
    }

    /** The route of docs/how-to/rpki.md. */
    @Test
    void singleRoutesHaveItToo() throws Exception {
        context.getRegistry().bind("rpki", rpki(VRPS));
        List<String> invalid = new ArrayList<>();
        context.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:user")
                        .bean("rpki", "validate")
                        .to("bmp:routes")
                        .split(body())
                        .filter(simple("${body.rpkiValidity} == 'invalid'"))
                        .process(exchange -> {
                            assertThat(exchange.getMessage().getHeaders()).doesNotContainKey(Validity.HEADER);
                            invalid.add(exchange.getMessage().getBody().toString());
                        });
            }
        });
        context.start();

        context.createProducerTemplate().sendBody("direct:user", batch());

        assertThat(invalid).hasSize((int)
                EXPECTED.stream().filter(line -> line.endsWith(" invalid")).count());
    }
}
