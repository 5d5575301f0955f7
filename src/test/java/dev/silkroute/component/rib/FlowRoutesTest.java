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

    @Test
    void aNextHopOf6PeIsTheIpv4AddressInIt() {
        ByteSink mapped = new ByteSink();
        mapped.u8(0x50).u8(1).u16(1).u8(0);
        mapped.u8(0x50).u8(2).u16(6).u8(2).u8(1).u32(64500);
        mapped.u8(0x90).u8(14).u16(20).u16(2).u8(1).u8(16).i64(0).u32(0xFFFF).u32(0x0A090909);
        rib.apply(new RibFeed()
                .begin("r1", 1)
                .announce(PEER, Family.IPV4_UNICAST, null, PREFIX, mapped.toByteArray())
                .build());
        announce("r2", 2, PEER, 2);
        for (String spelt : List.of("10.9.9.9", "::ffff:10.9.9.9", "::ffff:a09:909")) {
            assertThat(enriched("next_hop", spelt))
                    .as(spelt)
                    .containsEntry("dst_router", "r1")
                    .containsEntry("dst_next_hop", "::ffff:10.9.9.9");
        }
    }

    /** As 6PE has its routes (RFC 4798, Section 2). */
    @Test
    void aLabelledRouteIsFoundAsAUnicastOneIs() {
        ByteSink mapped = new ByteSink();
        mapped.u8(0x50).u8(1).u16(1).u8(0);
        mapped.u8(0x50).u8(2).u16(6).u8(2).u8(1).u32(64500);
        mapped.u8(0x90).u8(14).u16(20).u16(2).u8(4).u8(16).i64(0).u32(0xFFFF).u32(0x0A090909);
        int family = Family.IPV6_LABELED_UNICAST;
        byte[] prefix = RibFeed.labeled(family, 300, 0, 0x2001_0DB8_0000_0000L, 0, 32, false);
        rib.apply(new RibFeed()
                .begin("r1", 1)
                .announce(PEER, family, null, prefix, mapped.toByteArray())
                .build());
        assertThat(enriched("dst_addr", "2001:db8::1", "next_hop", "10.9.9.9"))
                .containsEntry("dst_prefix", "2001:db8::/32")
                .containsEntry("dst_next_hop", "::ffff:10.9.9.9");
    }

    @Test
    void ofUnicastAndLabelledRoutesTheLongestPrefixCountsAndThenTheOrderOfAll() {
        // Given a labelled route within a unicast one
        int family = Family.IPV4_LABELED_UNICAST;
        announce("r1", 1, PEER, 1);
        label("r2", 2, family, 16);
        assertThat(enriched()).containsEntry("dst_prefix", "10.1.0.0/16").containsEntry("dst_router", "r2");
        assertThat(enriched("dst_addr", "10.2.2.3")).containsEntry("dst_router", "r1");
        // And one as long as that
        label("r3", 3, family, 8);
        assertThat(enriched("dst_addr", "10.2.2.3")).containsEntry("dst_router", "r3");
        assertThat(enriched("dst_addr", "10.2.2.3", "sampler_address", "r1")).containsEntry("dst_router", "r1");
    }

    /** Exporters write it where they have no next hop to tell, and routers where a route is their own. */
    @Test
    void anUnspecifiedNextHopIsNoReasonToTakeAnothersRoute() {
        ByteSink own = new ByteSink();
        own.u8(0x50).u8(1).u16(1).u8(0);
        own.u8(0x50).u8(2).u16(0);
        own.u8(0x50).u8(3).u16(4).u32(0);
        announce("r1", 1, PEER, 1);
        rib.apply(new RibFeed()
                .begin("r2", 2)
                .announce(PEER, Family.IPV4_UNICAST, null, PREFIX, own.toByteArray())
                .build());
        for (String unspecified : List.of("0.0.0.0", "::ffff:0.0.0.0")) {
            assertThat(enriched("sampler_address", "r1", "next_hop", unspecified))
                    .as(unspecified)
                    .containsEntry("dst_router", "r1");
        }
    }

    private void label(String router, long session, int family, int length) {
        byte[] prefix = RibFeed.labeled(family, 300, 0, 0x0A01_0000L << 32, 0, length, false);
        rib.apply(new RibFeed()
                .begin(router, session)
                .announce(PEER, family, null, prefix, RibFeed.attributes(64500, 1))
                .build());
    }
}
