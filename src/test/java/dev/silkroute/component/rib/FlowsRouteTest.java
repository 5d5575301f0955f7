package dev.silkroute.component.rib;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.rpki.OriginValidation;
import dev.silkroute.bgp.RibView;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.MarkdownPage.Block;
import dev.silkroute.fixture.TestConfig;
import dev.silkroute.names.AsNameSource;
import dev.silkroute.net.Family;
import dev.silkroute.rib.BatchFeed;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.route.PeerEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.camel.Exchange;
import org.apache.camel.builder.AdviceWith;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.Resource;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged {@code flows.camel.yaml} without Kafka: it reads from {@code direct:} and writes to a queue. */
class FlowsRouteTest {
    private static final PeerEntry PEER = BatchFeed.peer(1, RibView.LOC_RIB);

    @TempDir
    private Path folder;

    private final BlockingQueue<Object> written = new LinkedBlockingQueue<>();

    private final TestOffsets offsets = new TestOffsets();

    private DefaultCamelContext context(Rib rib) throws Exception {
        DefaultCamelContext context = new DefaultCamelContext();
        load(
                context,
                rib,
                PluginHelper.getResourceLoader(context).resolveResource("classpath:routes/flows.camel.yaml"));
        AdviceWith.adviceWith(
                context,
                "flows-http",
                route -> route.weaveByToUri("kafka:*").replace().process("written"));
        readFromDirect(context, "flows");
        context.start();
        return context;
    }

    private void load(DefaultCamelContext context, Rib rib, Resource routes) throws Exception {
        Properties settings = new Properties();
        settings.setProperty("silkroute.routes.flows.enabled", "true");
        context.getPropertiesComponent().setInitialProperties(settings);
        context.getRegistry().bind("rib", rib);
        context.getRegistry().bind("ribFeed", offsets);
        context.getRegistry()
                .bind(
                        "rpki",
                        new OriginValidation(TestConfig.of("silkroute.rpki.vrps", folder.resolve("vrps.csv"))).load());
        context.getRegistry()
                .bind("names", (AsNameSource) asn -> asn == 64500 ? Optional.of("Example Inc.") : Optional.empty());
        context.getRegistry().bind("written", (org.apache.camel.Processor)
                exchange -> written.addAll(exchange.getMessage().getBody(List.class)));
        PluginHelper.getRoutesLoader(context)
                .loadRoutes(
                        PluginHelper.getResourceLoader(context)
                                .resolveResource("classpath:routes/error-handling.camel.yaml"),
                        routes);
    }

    private static void readFromDirect(DefaultCamelContext context, String id) throws Exception {
        AdviceWith.adviceWith(context, id, route -> {
            route.replaceFromWith("direct:" + id);
            route.weaveByToUri("kafka:*").replace().process("written");
        });
    }

    @Test
    void recordsWaitUntilTheRibHasBeenLoaded() throws Exception {
        try (Rib rib = new Rib(RibConfig.ofBytes(16 << 20));
                DefaultCamelContext context = context(rib)) {
            // Given
            var template = context.createProducerTemplate();
            byte[] flow = "{\"dst_addr\":\"10.1.2.3\"}".getBytes(UTF_8);
            // When
            CompletableFuture<Exchange> batch = template.asyncSend(
                    "direct:flows", exchange -> exchange.getMessage().setBody(List.of(flow)));
            // Then
            await().until(() -> offsets.readyCalls.get() > 1);
            assertThat(written).isEmpty();
            assertThat(batch).isNotDone();
            assertThat(template.request("direct:flows-http", e -> e.getMessage().setBody(List.of(flow)))
                            .getException())
                    .isInstanceOf(RibNotReady.class);
            assertThat(written).isEmpty();
            // When
            rib.apply(new BatchFeed()
                    .begin("r1", 1)
                    .announce(
                            BatchFeed.peer(1, RibView.LOC_RIB),
                            Family.IPV4_UNICAST,
                            null,
                            BatchFeed.ipv4(0x0A00_0000, 8),
                            BatchFeed.attributes(64500, 1))
                    .build());
            offsets.ready.set(true);
            // Then
            await().until(batch::isDone);
            assertThat(batch.get().getException()).isNull();
            assertThat(written)
                    .singleElement()
                    .satisfies(record ->
                            assertThat(new String((byte[]) record, UTF_8)).contains("\"dst_prefix\":\"10.0.0.0/8\""));
        }
    }

    @Test
    void recordsThatAreWaitingWhenTheRouteStopsFail() throws Exception {
        CompletableFuture<Exchange> batch;
        try (Rib rib = new Rib(RibConfig.ofBytes(16 << 20));
                DefaultCamelContext context = context(rib)) {
            // The error handler stops its retries when this time is over
            context.getShutdownStrategy().setTimeout(1);
            batch = context.createProducerTemplate()
                    .asyncSend("direct:flows", exchange -> exchange.getMessage().setBody(List.of("{}")));
            await().until(() -> offsets.readyCalls.get() > 1);
        }
        await().until(batch::isDone);
        assertThat(batch.get().getException()).isNotNull();
        assertThat(written).isEmpty();
    }

    /** ORIGIN and an AS_PATH of these segments. */
    private static byte[] path(String segments) {
        return HexFormat.of().parseHex("5001000100" + "5002%04x".formatted(segments.length() / 2) + segments);
    }

    private static BatchFeed routes() {
        return new BatchFeed()
                .begin("r1", 1)
                .announce(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0x0A00_0000, 8), path("02010000fbf4"))
                .announce(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0x0A80_0000, 9), path("02010000fbf4"))
                .announce(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0x0B00_0000, 8), path("01010000fbf4"))
                .announce(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0x0C00_0000, 8), path(""))
                .announce(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0x0D00_0000, 8), path("02010000fbf4"))
                .announce(
                        PEER,
                        Family.IPV4_LABELED_UNICAST,
                        null,
                        BatchFeed.labeled(Family.IPV4_LABELED_UNICAST, 16, 0, 0x0E00_0000_0000_0000L, 0, 8, false),
                        path("02010000fbf4"));
    }

    /** Returns the validity of destination and source. */
    private static String validity(DefaultCamelContext context, String source, String destination) {
        String flow = "{\"src_addr\":\"" + source + "\",\"dst_addr\":\"" + destination + "\"}";
        Exchange answer = context.createProducerTemplate()
                .request("direct:flows-http", exchange -> exchange.getMessage().setBody(List.of(flow)));
        byte[] record = (byte[]) answer.getMessage().getBody(List.class).getFirst();
        JsonNode json = CaptureFiles.parse(new String(record, UTF_8));
        return json.path("src_rpki_validity").asText("-") + " "
                + json.path("dst_rpki_validity").asText("-");
    }

    @Test
    void recordsHaveTheValidityOfTheirRoutes() throws Exception {
        Files.writeString(
                folder.resolve("vrps.csv"),
                "ASN,IP Prefix,Max Length\nAS64500,10.0.0.0/8,8\nAS64500,11.0.0.0/8,8\nAS0,12.0.0.0/8,8\nAS64500,14.0.0.0/8,8\n");
        try (Rib rib = new Rib(RibConfig.ofBytes(16 << 20));
                DefaultCamelContext context = context(rib)) {
            offsets.ready.set(true);
            rib.apply(routes().build());

            assertThat(validity(context, "10.1.2.3", "13.1.2.3")).isEqualTo("valid not-found");
            assertThat(validity(context, "13.1.2.3", "10.1.2.3")).isEqualTo("not-found valid");
            assertThat(validity(context, "10.129.0.1", "14.0.0.1"))
                    .as("longer than allowed, and labelled")
                    .isEqualTo("invalid valid");
            assertThat(validity(context, "11.0.0.1", "12.0.0.1"))
                    .as("a path of a set, and an empty one")
                    .isEqualTo("invalid invalid");
            assertThat(validity(context, "192.0.2.1", "10.0.0.1"))
                    .as("no route")
                    .isEqualTo("- valid");

            rib.apply(new BatchFeed()
                    .begin("r1", 1)
                    .withdraw(PEER, Family.IPV4_UNICAST, null, BatchFeed.ipv4(0x0A00_0000, 8))
                    .build());
            assertThat(validity(context, "192.0.2.1", "10.0.0.1"))
                    .as("withdrawn")
                    .isEqualTo("- -");
        }
    }

    @Test
    void withoutVrpsThereIsNoValidity() throws Exception {
        try (Rib rib = new Rib(RibConfig.ofBytes(16 << 20));
                DefaultCamelContext context = context(rib)) {
            offsets.ready.set(true);
            rib.apply(routes().build());

            assertThat(validity(context, "10.1.2.3", "13.1.2.3")).isEqualTo("- -");
        }
    }

    private static final String ENRICHED = """
            "src_prefix":"13.0.0.0/8","src_router":"r1","src_peer":"192.0.2.1","src_as":64500,"src_as_name":"Example Inc.",
            "src_as_path":"64500","src_communities":[],"src_large_communities":[],"src_rpki_validity":"not-found",
            "dst_prefix":"10.0.0.0/8","dst_router":"198.51.100.2","dst_peer":"192.0.2.1","dst_as":64501,
            "dst_as_path":"64501","dst_communities":[],"dst_large_communities":[],"dst_next_hop":"198.51.100.9",
            "dst_rpki_validity":"invalid"}""".replace("\n", "");

    /** As goflow2 2.2 writes records with {@code -format=json}. */
    private static final String GOFLOW2 = """
            {"type":"IPFIX","time_received_ns":1767324720787460121,"sequence_num":65361,"sampling_rate":1000,
            "sampler_address":"198.51.100.2","time_flow_start_ns":1767324720000000000,"bytes":1500,"packets":1,
            "src_addr":"13.1.2.3","dst_addr":"10.1.2.3","etype":"IPv4","proto":"UDP","next_hop":"198.51.100.9"}""".replace("\n", "");

    /** As ClickHouse writes rows of Akvorado's table flows with JSONEachRow; IPv4 addresses are mapped ones. */
    private static final String AKVORADO = """
            {"TimeReceived":"2026-11-27 18:00:00","SamplingRate":"1000","ExporterAddress":"::ffff:198.51.100.2",
            "ExporterName":"edge-2","SrcAddr":"::ffff:13.1.2.3","DstAddr":"::ffff:10.1.2.3","SrcAS":0,"DstAS":0,
            "InIfName":"ae0","EType":2048,"Proto":17,"Bytes":"1500","Packets":"1","NextHop":"::ffff:198.51.100.9"}""".replace("\n", "");

    /** As nfacctd writes records with the primitives of {@code aggregate} below and {@code kafka_output: json}. */
    private static final String PMACCT = """
            {"event_type":"purge","as_src":0,"as_dst":0,"peer_ip_src":"198.51.100.2","peer_ip_dst":"198.51.100.9",
            "iface_in":10,"iface_out":11,"ip_src":"13.1.2.3","ip_dst":"10.1.2.3","ip_proto":"udp","packets":1,
            "bytes":1500,"stamp_updated":"2026-11-27 18:00:01","writer_id":"default_kafka/42"}""".replace("\n", "");

    private static String enriched(String record) {
        return record.substring(0, record.length() - 1) + "," + ENRICHED;
    }

    /** The route of the second router, which exports the records, is the only one with their next hop. */
    private static void applyRoutesOfTwoRouters(Rib rib) {
        rib.apply(routes().build());
        rib.apply(new BatchFeed()
                .begin("198.51.100.2", 2)
                .announce(
                        PEER,
                        Family.IPV4_UNICAST,
                        null,
                        BatchFeed.ipv4(0x0A00_0000, 8),
                        HexFormat.of().parseHex("50010001005002000602010000fbf5500300" + "04c6336409"))
                .build());
    }

    private List<String> texts() {
        return written.stream()
                .map(record -> new String((byte[]) record, UTF_8))
                .toList();
    }

    @Test
    void recordsOfThreeCollectorsAreEnrichedByTheSameRoute() throws Exception {
        Files.writeString(folder.resolve("vrps.csv"), "ASN,IP Prefix,Max Length\nAS64500,10.0.0.0/8,8\n");
        try (Rib rib = new Rib(RibConfig.ofBytes(16 << 20));
                DefaultCamelContext context = context(rib)) {
            offsets.ready.set(true);
            applyRoutesOfTwoRouters(rib);
            context.createProducerTemplate()
                    .requestBody("direct:flows", List.of(GOFLOW2, AKVORADO.getBytes(UTF_8), PMACCT));
        }
        assertThat(texts()).containsExactly(enriched(GOFLOW2), enriched(AKVORADO), enriched(PMACCT));
    }

    /** Each template reads the fields of its own collector only. */
    @Test
    void theTemplatesOfTheGuideEnrichTheRecordsOfTheirCollector() throws Exception {
        Files.writeString(folder.resolve("vrps.csv"), "ASN,IP Prefix,Max Length\nAS64500,10.0.0.0/8,8\n");
        Map<String, String> records =
                Map.of("flows-goflow2", GOFLOW2, "flows-akvorado", AKVORADO, "flows-pmacct", PMACCT);
        List<Block> templates = new MarkdownPage(Path.of("docs/how-to/json-and-flows.md"))
                .blocks().stream()
                        .filter(block ->
                                block.language().equals("yaml") && block.text().contains("rib:enrich"))
                        .toList();
        Set<String> tested = new TreeSet<>();
        for (Block template : templates) {
            written.clear();
            try (Rib rib = new Rib(RibConfig.ofBytes(16 << 20));
                    DefaultCamelContext context = new DefaultCamelContext()) {
                offsets.ready.set(true);
                applyRoutesOfTwoRouters(rib);
                load(context, rib, ResourceHelper.fromString("template.yaml", template.text()));
                String id = context.getRouteDefinitions().getFirst().getRouteId();
                tested.add(id);
                readFromDirect(context, id);
                context.start();
                String own = records.get(id);
                for (String record : records.values()) {
                    context.createProducerTemplate().requestBody("direct:" + id, List.of(record));
                }
                assertThat(texts())
                        .as(id)
                        .containsExactlyElementsOf(records.values().stream()
                                .map(record -> record.equals(own) ? enriched(record) : record)
                                .toList());
            }
        }
        assertThat(tested).isEqualTo(new TreeSet<>(records.keySet()));
    }
}
