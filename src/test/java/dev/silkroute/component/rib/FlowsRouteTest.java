package dev.silkroute.component.rib;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.app.rpki.OriginValidation;
import dev.silkroute.bgp.RibView;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.fixture.TestConfig;
import dev.silkroute.net.Family;
import dev.silkroute.rib.BatchFeed;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.route.PeerEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.camel.Exchange;
import org.apache.camel.builder.AdviceWith;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
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
        Properties settings = new Properties();
        settings.setProperty("silkroute.routes.flows.enabled", "true");
        context.getPropertiesComponent().setInitialProperties(settings);
        context.getRegistry().bind("rib", rib);
        context.getRegistry().bind("ribFeed", offsets);
        context.getRegistry()
                .bind(
                        "rpki",
                        new OriginValidation(TestConfig.of("silkroute.rpki.vrps", folder.resolve("vrps.csv"))).load());
        context.getRegistry().bind("written", (org.apache.camel.Processor)
                exchange -> written.addAll(exchange.getMessage().getBody(List.class)));
        PluginHelper.getRoutesLoader(context)
                .loadRoutes(
                        PluginHelper.getResourceLoader(context)
                                .resolveResource("classpath:routes/error-handling.camel.yaml"),
                        PluginHelper.getResourceLoader(context).resolveResource("classpath:routes/flows.camel.yaml"));
        AdviceWith.adviceWith(context, "flows", route -> {
            route.replaceFromWith("direct:flows");
            route.weaveByToUri("kafka:*").replace().process("written");
        });
        AdviceWith.adviceWith(
                context,
                "flows-http",
                route -> route.weaveByToUri("kafka:*").replace().process("written"));
        context.start();
        return context;
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
}
