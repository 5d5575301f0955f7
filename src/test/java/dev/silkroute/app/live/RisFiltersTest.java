package dev.silkroute.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import dev.silkroute.live.LiveFilter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RisFiltersTest {
    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }

    @Test
    void eachPrefixOfAListIsASubscriptionWithTheOtherConditions() throws IOException {
        JsonNode data = json("""
            {"prefix": ["192.0.2.0/24", "2001:db8::/32"], "host": "edge-1", "path": null, "moreSpecific": false,
             "socketOptions": {"acknowledge": true}}""");

        List<ObjectNode> subscriptions = RisFilters.subscriptions(data);

        assertThat(subscriptions)
                .map(ObjectNode::toString)
                .containsExactly(
                        "{\"host\":\"edge-1\",\"path\":null,\"moreSpecific\":false,\"prefix\":\"192.0.2.0/24\"}",
                        "{\"host\":\"edge-1\",\"path\":null,\"moreSpecific\":false,\"prefix\":\"2001:db8::/32\"}");
        assertThat(RisFilters.of(data))
                .containsExactly(
                        LiveFilter.parse(
                                Map.of("prefix", "192.0.2.0/24", "host", "edge-1", "moreSpecific", "false"), true),
                        LiveFilter.parse(
                                Map.of("prefix", "2001:db8::/32", "host", "edge-1", "moreSpecific", "false"), true));
    }

    @Test
    void withoutDataOrPrefixesThereIsOneFilter() throws IOException {
        LiveFilter all = LiveFilter.parse(Map.of(), true);
        for (String data : List.of("{}", "null", "{\"prefix\":[]}", "{\"socketOptions\":{\"includeRaw\":true}}")) {
            assertThat(RisFilters.of(json(data))).as(data).containsExactly(all);
        }
        for (String data : List.of("[]", "1", "{\"prefix\":[[]]}", "{\"path\":{}}")) {
            assertThatThrownBy(() -> RisFilters.of(json(data))).as(data).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Each subscription once had a copy of all prefixes: some gigabytes for a message of the largest size. */
    @Test
    void aLongListOfPrefixesTakesMemoryInProportionToItsLength() throws IOException {
        JsonNode data = json("{\"prefix\":[\"::/0\"" + ",\"::/0\"".repeat(30_000) + "]}");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        assertThat(RisFilters.subscriptions(data)).hasSize(30_001);

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100L << 20);
    }
}
