package dev.silkroute.component.rib;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.rib.RibFeed;
import dev.silkroute.rib.RouteCondition;
import dev.silkroute.route.PeerEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which of several routes flows get, and what asking for them leaves behind. */
class FlowRoutesTest {
    private static final PeerEntry PEER = RibFeed.peer(1, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final byte[] PREFIX = RibFeed.ipv4(0x0A00_0000, 8);

    private final Rib rib = new Rib(RibConfig.ofBytes(16 << 20));

    @AfterEach
    void close() {
        rib.close();
    }

    private void announce(String router, long session, PeerEntry peer, int variant) {
        rib.apply(new RibFeed()
                .begin(router, session)
                .announce(peer, Family.IPV4_UNICAST, null, PREFIX, RibFeed.attributes(64500, variant))
                .build());
    }

    /** @param fields of the record beside its destination: names and values */
    private Map<String, Object> enriched(String... fields) {
        Map<String, Object> flow = new HashMap<>(Map.of("dst_addr", "10.1.2.3"));
        for (int i = 0; i < fields.length; i += 2) {
            flow.put(fields[i], fields[i + 1]);
        }
        new FlowRoutes(rib, RouteCondition.ANY, new RibConfiguration()).enrich(List.of(flow));
        return flow;
    }

    @Test
    void asManyReadersAsAskAtATimeHoweverManyThreadsCome() throws Exception {
        announce("r1", 1, PEER, 1);
        FlowRoutes flows = new FlowRoutes(rib, RouteCondition.ANY, new RibConfiguration());
        Map<String, Object> flow = new HashMap<>(Map.of("dst_addr", "10.1.2.3"));
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            Lookup lookup = new Lookup(rib, RouteCondition.ANY, null);
            for (int i = 0; i < 200; i++) {
                Exchange exchange = new DefaultExchange(context);
                exchange.getMessage().setBody(List.of("10.1.2.3", "10.0.0.0/9"));
                Thread.startVirtualThread(() -> {
                            flows.enrich(List.of(flow));
                            lookup.process(exchange);
                        })
                        .join();
                assertThat(exchange.getMessage().getBody(List.class)).hasSize(2);
            }
        }
        assertThat(flow).containsEntry("dst_router", "r1");
        assertThat(rib.statistics().readers()).isEqualTo(1);
    }

    @Test
    void theExportersOwnRouteGoesBeforeOthersAndTheNextHopBeforeThat() {
        announce("r1", 1, PEER, 1);
        announce("r2", 2, PEER, 2);
        assertThat(enriched("sampler_address", "r1")).containsEntry("dst_router", "r1");
        assertThat(enriched("sampler_address", "r1", "next_hop", "192.0.2.2")).containsEntry("dst_router", "r2");
    }

    @Test
    void ofEqualOnesItIsThatOfTheNewestSessionWhateverCameFirst() {
        // Given a newer session whose route changes, which doesn't make it a new one, after an older one has announced
        // its own
        announce("r2", 7, PEER, 1);
        announce("r1", 6, PEER, 1);
        announce("r2", 7, PEER, 2);
        assertThat(enriched()).containsEntry("dst_router", "r2");
        assertThat(enriched("sampler_address", "r3")).containsEntry("dst_router", "r2");
        // When the older one has a route without a next hop that the flow names
        assertThat(enriched("next_hop", "192.0.2.1")).containsEntry("dst_router", "r1");
    }

    @Test
    void ofOneSessionItIsTheSameInWhateverOrderRoutesCame() {
        for (List<Integer> order : List.of(List.of(1, 2, 3), List.of(3, 2, 1), List.of(2, 1, 3))) {
            for (int number : order) {
                PeerEntry peer = RibFeed.peer(number, RibView.ADJ_RIB_IN_PRE_POLICY);
                rib.apply(new RibFeed().begin("r1", 1).peerDown(peer, true).build());
            }
            for (int number : order) {
                announce("r1", 1, RibFeed.peer(number, RibView.ADJ_RIB_IN_PRE_POLICY), number);
            }
            assertThat(enriched()).as(order.toString()).containsEntry("dst_peer", "192.0.2.1");
        }
    }

    @Test
    void anExporterIsTheRouterHoweverItsAddressIsSpelt() {
        announce("198.51.100.1", 1, PEER, 1);
        announce("2001:db8::1", 2, PEER, 1);
        announce("198.51.100.2", 3, PEER, 1);
        for (String spelt : List.of("198.51.100.1", "::ffff:198.51.100.1", "::FFFF:C633:6401")) {
            assertThat(enriched("sampler_address", spelt)).as(spelt).containsEntry("dst_router", "198.51.100.1");
        }
        for (String spelt : List.of("2001:db8::1", "2001:DB8:0:0::1")) {
            assertThat(enriched("sampler_address", spelt)).as(spelt).containsEntry("dst_router", "2001:db8::1");
        }
    }

    @Test
    void theNextHopIsThatOfMpReachNlriWhereThereIsOne() {
        // Given one with a NEXT_HOP that means nothing beside MP_REACH_NLRI, and one that has nothing else
        ByteSink both = new ByteSink();
        both.u8(0x50).u8(1).u16(1).u8(0);
        both.u8(0x50).u8(2).u16(6).u8(2).u8(1).u32(64500);
        both.u8(0x50).u8(3).u16(4).u32(0xC0000201);
        both.u8(0x90).u8(14).u16(8).u16(1).u8(1).u8(4).u32(0x0A090909);
        rib.apply(new RibFeed()
                .begin("r2", 2)
                .announce(PEER, Family.IPV4_UNICAST, null, PREFIX, both.toByteArray())
                .build());
        announce("r1", 1, PEER, 1);
        announce("r3", 3, PEER, 3);
        // Then
        assertThat(enriched("next_hop", "192.0.2.1"))
                .containsEntry("dst_router", "r1")
                .containsEntry("dst_next_hop", "192.0.2.1");
        assertThat(enriched("next_hop", "10.9.9.9"))
                .containsEntry("dst_router", "r2")
                .containsEntry("dst_next_hop", "10.9.9.9");
    }
}
