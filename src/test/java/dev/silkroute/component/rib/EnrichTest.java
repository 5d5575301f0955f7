package dev.silkroute.component.rib;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.Test;

/** Invalid flow records, on an empty RIB. */
class EnrichTest {
    private static final List<Object> RECORDS = List.of(
            "{\"src_addr\":\"192.0.2.1\",\"dst_addr\":\"\"}",
            "no flow",
            "{\"src_addr\":\"192.0.2.1\",\"dst_addr\":\"192.0.2.1000\"}".getBytes(UTF_8),
            "[1]",
            "{\"src_addr\":7}",
            "{\"bytes\":1} {\"bytes\":2}",
            "null",
            "{\"dst_addr\":\"2001:db8::1\"}");

    private static Exchange enrich(String uri) throws Exception {
        return enrich(uri, RECORDS);
    }

    private static Exchange enrich(String uri, List<Object> records) throws Exception {
        try (DefaultCamelContext context = new DefaultCamelContext();
                Rib rib = new Rib(RibConfig.ofBytes(16 << 20))) {
            context.getRegistry().bind("rib", rib);
            context.start();
            return context.createProducerTemplate()
                    .request(uri, exchange -> exchange.getMessage().setBody(records));
        }
    }

    private static List<String> texts(Exchange exchange) {
        List<?> body = exchange.getMessage().getBody(List.class);
        return body.stream()
                .map(record -> record instanceof byte[] bytes ? new String(bytes, UTF_8) : record.toString())
                .toList();
    }

    @Test
    void withoutStrictEveryRecordIsPassedOnInOrder() throws Exception {
        Exchange exchange = enrich("rib:enrich?rib=#rib");
        assertThat(texts(exchange))
                .containsExactly(
                        "{\"src_addr\":\"192.0.2.1\",\"dst_addr\":\"\"}",
                        "no flow",
                        "{\"src_addr\":\"192.0.2.1\",\"dst_addr\":\"192.0.2.1000\"}",
                        "[1]",
                        "{\"src_addr\":7}",
                        "{\"bytes\":1} {\"bytes\":2}",
                        "null",
                        "{\"dst_addr\":\"2001:db8::1\"}");
        assertThat(exchange.getMessage().getHeader(RibConstants.UNPARSED)).isEqualTo(4);
        assertThat(exchange.getMessage().getHeader(RibConstants.REJECTIONS)).isNull();
    }

    @Test
    void numbersAreKeptExactly() throws Exception {
        String numbers =
                "{\"t\":1699999999.123456789,\"x\":1e400,\"y\":100000000000000000000.5,\"d\":1.10,\"h\":1e999999999,\"n\":123456789012345678901234567890}";
        assertThat(texts(enrich("rib:enrich?rib=#rib", List.of(numbers, "{\"beyond\":1e99999999999}"))))
                .containsExactly(
                        "{\"t\":1699999999.123456789,\"x\":1E+400,\"y\":100000000000000000000.5,\"d\":1.10,\"h\":1E+999999999,\"n\":123456789012345678901234567890}",
                        "{\"beyond\":1e99999999999}");
    }

    @Test
    void oversizedRecordsArePassedOnUnchangedOrLeftOut() throws Exception {
        // Given a record that grows when written, one that is too large already, and one that is not JSON and too large
        String grows = "{\"dst_addr\":\"192.0.2.1\",\"n\":[" + "1e9,".repeat(20) + "1e9]}";
        String large = "{\"n\":\"" + "ü".repeat(60) + "\"}";
        List<Object> records = List.of("{\"a\":1}", grows.getBytes(UTF_8), large, "x".repeat(121), "no flow");
        assertThat(grows).hasSizeLessThan(120);
        // When
        Exchange exchange = enrich("rib:enrich?rib=#rib&maxBytes=120", records);
        // Then
        assertThat(texts(exchange)).containsExactly("{\"a\":1}", grows, "no flow");
        assertThat(exchange.getMessage().getHeader(RibConstants.OVERSIZED)).isEqualTo(3);
        // When strict
        exchange = enrich("rib:enrich?rib=#rib&maxBytes=120&strict=true", records.subList(0, 2));
        // Then
        assertThat(texts(exchange)).containsExactly("{\"a\":1}");
        assertThat(exchange.getMessage().getHeader(RibConstants.REJECTIONS, List.class))
                .isEqualTo(List.of(new RibRejection(1, "larger than 120 bytes when enriched")));
        assertThat(enrich("rib:enrich?rib=#rib").getMessage().getHeaders()).doesNotContainKey(RibConstants.OVERSIZED);
    }

    @Test
    void oversizedRecordsAreLoggedOncePerMinute() {
        AtomicLong now = new AtomicLong(Long.MAX_VALUE);
        OversizedLog oversized = new OversizedLog(120, now::get);
        assertThat(oversized.add(1, 0)).isTrue();
        now.addAndGet(TimeUnit.SECONDS.toNanos(59));
        assertThat(oversized.add(1, 0)).isFalse();
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(oversized.add(0, 1)).isTrue();
    }

    @Test
    void withStrictInvalidRecordsAreLeftOutAndReported() throws Exception {
        Exchange exchange = enrich("rib:enrich?rib=#rib&strict=true");
        assertThat(texts(exchange))
                .containsExactly("{\"src_addr\":\"192.0.2.1\",\"dst_addr\":\"\"}", "{\"dst_addr\":\"2001:db8::1\"}");
        List<?> rejections = exchange.getMessage().getHeader(RibConstants.REJECTIONS, List.class);
        assertThat(rejections.stream()
                        .map(rejection ->
                                ((RibRejection) rejection).record() + " " + ((RibRejection) rejection).reason())
                        .toList())
                .satisfiesExactly(
                        first -> assertThat(first)
                                .startsWith("1 not JSON: Unrecognized token 'no'")
                                .endsWith(" at character 3"),
                        second ->
                                assertThat(second).isEqualTo("2 dst_addr: '192.0.2.1000' is not a valid IPv4 address"),
                        third -> assertThat(third).isEqualTo("3 not a JSON object but of type array"),
                        fourth -> assertThat(fourth).isEqualTo("4 src_addr is not a string"),
                        fifth -> assertThat(fifth).startsWith("5 not JSON: Trailing token"),
                        sixth -> assertThat(sixth).isEqualTo("6 not a JSON object but of type null"));
    }
}
