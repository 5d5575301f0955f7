package dev.silkroute.component.rib;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.rib.BatchFeed;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
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

/** The packaged {@code flows.camel.yaml} without Kafka: it reads from {@code direct:} and writes to a queue. */
class FlowsRouteTest {
    private final BlockingQueue<Object> written = new LinkedBlockingQueue<>();

    private final TestOffsets offsets = new TestOffsets();

    private DefaultCamelContext context(Rib rib) throws Exception {
        DefaultCamelContext context = new DefaultCamelContext();
        Properties settings = new Properties();
        settings.setProperty("silkroute.routes.flows.enabled", "true");
        context.getPropertiesComponent().setInitialProperties(settings);
        context.getRegistry().bind("rib", rib);
        context.getRegistry().bind("ribFeed", offsets);
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
}
