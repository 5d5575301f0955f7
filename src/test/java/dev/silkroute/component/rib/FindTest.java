package dev.silkroute.component.rib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.rib.BatchFeed;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.rib.RibRoute;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.camel.CamelExecutionException;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code rib:find} by its conditions. */
class FindTest {
    private final Rib rib = new Rib(RibConfig.ofBytes(64L << 20));
    private final TestOffsets offsets = new TestOffsets();
    private final DefaultCamelContext camel = new DefaultCamelContext();

    @BeforeEach
    void fill() {
        BatchFeed feed = new BatchFeed().begin("r", 1);
        for (int i = 0; i < 100; i++) {
            feed.announce(
                    BatchFeed.peer(1 + i % 2, i % 4 < 2 ? RibView.LOC_RIB : RibView.ADJ_RIB_IN_PRE_POLICY),
                    Family.IPV4_UNICAST,
                    null,
                    BatchFeed.ipv4(100 - i << 12, 24),
                    BatchFeed.attributes(1 + i % 10, i % 5));
        }
        rib.apply(feed.build());
        offsets.ready.set(true);
        camel.getRegistry().bind("rib", rib);
        camel.getRegistry().bind("offsets", offsets);
        camel.start();
    }

    @AfterEach
    void stop() throws IOException {
        camel.close();
        rib.close();
    }

    private List<RibRoute> find(String options, Map<String, ?> conditions) {
        @SuppressWarnings("unchecked") // the type of the component's answer
        List<RibRoute> found = camel.createProducerTemplate()
                .requestBody("rib:find?offsets=#offsets" + options, conditions, List.class);
        return found;
    }

    @Test
    void findsRoutesThatMeetAllConditionsInTheOrderOfPrefixes() {
        assertThat(find("", Map.of("origin_asn", 7)))
                .hasSize(10)
                .allMatch(route -> route.originAs() == 7)
                .extracting(RibRoute::addressLow)
                .isSorted();
        assertThat(find("", Map.of("origin_asn", "7", "community", "7:0"))).hasSize(10);
        assertThat(find("", Map.of("as_path_contains", 65001, "origin_asn", 7))).hasSize(10);
        assertThat(find("", Map.of("large_community", "7:1:7"))).hasSize(10);
        assertThat(find("", Map.of("next_hop", "192.0.2.3"))).hasSize(20);
        assertThat(find("", Map.of("router", "r", "peer", "192.0.2.1", "family", "ipv4-unicast")))
                .hasSize(50);
        assertThat(find("", Map.of("router", "another"))).isEmpty();
        assertThat(find("", Map.of("view", "loc-rib"))).hasSize(50);
        assertThat(find("&view=loc-rib", Map.of())).hasSize(50);
        assertThat(find("&view=loc-rib", Map.of("view", "adj-rib-in-pre"))).isEmpty();
        assertThat(find("", Map.of("prefix", "0.1.0.0/24"))).hasSize(1);
        assertThat(find("", Map.of("prefix", "0.1.0.0/16", "match", "covered"))).hasSize(16);
        assertThat(find("", Map.of("prefix", "0.1.0.7", "match", "longest"))).hasSize(1);
        assertThat(find("", Map.of("prefix", "0.1.0.7/32", "match", "covering")))
                .hasSize(1);
        assertThat(find("", Map.of("rd", "64500:1"))).isEmpty();
    }

    @Test
    void returnsAtMostTheLimit() {
        assertThat(find("", Map.of())).hasSize(100);
        assertThat(find("", Map.of("limit", 7))).hasSize(7);
        assertThat(find("&limit=5", Map.of())).hasSize(5);
        assertThat(find("&limit=5", Map.of("limit", 7))).hasSize(5);
    }

    @Test
    void invalidConditionsAreRejectedWithTheirName() {
        rejected(Map.of("asn", 1), "condition must be one of as_path_contains, community, ");
        rejected(Map.of("family", "ipv4"), "family: must be one of ");
        rejected(Map.of("view", "loc"), "view: 'loc' is not a RIB view");
        rejected(Map.of("origin_asn", "x"), "origin_asn: ");
        rejected(Map.of("origin_asn", -1), "origin_asn: an AS number is between 0 and 4294967295, not -1");
        rejected(Map.of("community", "1"), "community: '1' is not a community");
        rejected(Map.of("prefix", "x"), "prefix: ");
        rejected(Map.of("match", "near"), "match must be one of covered, covering, exact, longest, not 'near'");
        rejected(Map.of("limit", -1), "limit must not be negative: -1");
        rejected(Map.of("limit", "all"), "limit must be a number, not 'all'");
        assertThatThrownBy(() -> camel.createProducerTemplate().requestBody("rib:find", "origin_asn=1"))
                .hasRootCauseMessage("the body must be a map of conditions, such as {origin_asn: 64500}");
    }

    private void rejected(Map<String, ?> conditions, String message) {
        assertThatThrownBy(() -> find("", conditions))
                .isInstanceOf(CamelExecutionException.class)
                .cause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void failsUntilTheRibHasBeenLoaded() {
        offsets.ready.set(false);
        assertThatThrownBy(() -> find("", Map.of())).hasCauseInstanceOf(RibNotReady.class);
    }
}
