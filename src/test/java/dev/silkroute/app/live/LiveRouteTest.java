package dev.silkroute.app.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.rpki.OriginValidation;
import dev.silkroute.fixture.TestConfig;
import dev.silkroute.live.Delivery;
import dev.silkroute.live.LiveFilter;
import dev.silkroute.live.LiveLimits;
import dev.silkroute.live.LiveStream;
import dev.silkroute.live.Subscriber;
import dev.silkroute.postgres.TestBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.camel.Exchange;
import org.apache.camel.builder.AdviceWith;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.apache.camel.support.PluginHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged {@code live.camel.yaml} without Kafka: it reads from {@code direct:}. */
class LiveRouteTest {
    @TempDir
    private Path folder;

    private final LiveStream stream = new LiveStream("0f", new LiveLimits(1, 1, 1 << 20, 1 << 20));

    private DefaultCamelContext context(String vrps) throws Exception {
        Path file = Files.writeString(folder.resolve("vrps.csv"), "ASN,IP Prefix,Max Length\n" + vrps);
        DefaultCamelContext context = new DefaultCamelContext();
        Properties settings = new Properties();
        settings.setProperty("station.live-group", "live");
        context.getPropertiesComponent().setInitialProperties(settings);
        context.getRegistry().bind("liveFeed", new LiveFeed(new KafkaAccess("127.0.0.1:1", Map.of())));
        context.getRegistry().bind("rpki", new OriginValidation(TestConfig.of("silkroute.rpki.vrps", file)).load());
        context.getRegistry().bind("livePublisher", new LivePublisher(stream));
        PluginHelper.getRoutesLoader(context)
                .loadRoutes(
                        PluginHelper.getResourceLoader(context).resolveResource("classpath:routes/live.camel.yaml"));
        AdviceWith.adviceWith(context, "live", route -> route.replaceFromWith("direct:live"));
        context.start();
        return context;
    }

    private List<String> messages(String vrps) throws Exception {
        Subscriber subscriber = Objects.requireNonNull(stream.subscribe(() -> {}));
        stream.add(subscriber, List.of(LiveFilter.parse(Map.of(), false)));
        try (DefaultCamelContext context = context(vrps)) {
            List<Exchange> records = new ArrayList<>();
            byte[] batch = TestBatch.of(7, 0)
                    .announce("10.0.0.0/8", 1)
                    .withdraw("10.0.0.0/8")
                    .bytes();
            for (byte[] record : List.of("{\"event\":\"session-up\"}".getBytes(UTF_8), batch, "junk".getBytes(UTF_8))) {
                Exchange exchange = new DefaultExchange(context);
                exchange.getMessage().setBody(record);
                records.add(exchange);
            }
            Exchange answer = context.createProducerTemplate()
                    .request("direct:live", exchange -> exchange.getMessage().setBody(records));
            assertThat(answer.getException()).isNull();
        }
        List<String> messages = new ArrayList<>();
        for (Delivery next = subscriber.poll(); next != null; next = subscriber.poll()) {
            messages.add(new String(((Delivery.Message) next).data(false), UTF_8));
        }
        return messages;
    }

    @Test
    void announcementsHaveTheirValidity() throws Exception {
        assertThat(messages("AS64501,10.0.0.0/8,8\n"))
                .satisfiesExactly(
                        announcement -> assertThat(announcement)
                                .contains(
                                        "\"prefixes\":[\"10.0.0.0/8\"]",
                                        "\"routes\":[{\"prefix\":\"10.0.0.0/8\",\"nlri\":\"10.0.0.0/8\",\"rpki_validity\":\"invalid\"}]"),
                        withdrawal -> assertThat(withdrawal)
                                .contains("\"withdrawals\":[\"10.0.0.0/8\"]")
                                .doesNotContain("rpki_validity", "routes"));
    }

    @Test
    void withoutVrpsThereIsNone() throws Exception {
        assertThat(messages(""))
                .hasSize(2)
                .allSatisfy(message -> assertThat(message).doesNotContain("rpki_validity", "routes"));
    }
}
