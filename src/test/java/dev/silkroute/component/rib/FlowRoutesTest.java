package dev.silkroute.component.rib;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.rib.BatchFeed;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.rib.RouteCondition;
import dev.silkroute.route.PeerEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.camel.Exchange;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The choice between several routes of a flow, and the readers that lookups leave behind. */
class FlowRoutesTest {
    private static final PeerEntry PEER = BatchFeed.peer(1, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final byte[] PREFIX = BatchFeed.ipv4(0x0A00_0000, 8);

    private final Rib rib = new Rib(RibConfig.ofBytes(16 << 20));

    @AfterEach
    void close() {
        rib.close();
    }

    private void announce(String router, long session, PeerEntry peer, int variant) {
        rib.apply(new BatchFeed()
                .begin(router, session)
                .announce(peer, Family.IPV4_UNICAST, null, PREFIX, BatchFeed.attributes(64500, variant))
                .build());
    }

    /** @param fields names and values of fields beside the destination */
    private Map<String, Object> enriched(String... fields) {
        Map<String, Object> flow = new HashMap<>(Map.of("dst_addr", "10.1.2.3"));
        for (int i = 0; i < fields.length; i += 2) {
            flow.put(fields[i], fields[i + 1]);
        }
        new FlowRoutes(rib, RouteCondition.ANY, new RibConfiguration()).enrich(List.of(flow));
        return flow;
    }

    @Test
    void readersAreSharedByConcurrentUsersNotKeptPerThread() throws Exception {
        announce("r1", 1, PEER, 1);
        FlowRoutes flows = new FlowRoutes(rib, RouteCondition.ANY, new RibConfiguration());
        Map<String, Object> flow = new HashMap<>(Map.of("dst_addr", "10.1.2.3"));
        try (DefaultCamelContext context = new DefaultCamelContext()) {
            Lookup lookup = new Lookup(rib, null, null);
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
    void flowsOfOneExchangeGetTheRoutesOfTheirOwnAddresses() {
        // Given routes of several lengths, and flows of both IP versions, with and without routes, more than one batch
        byte[] longer = BatchFeed.ipv4(0x0A01_0000, 16);
        announce("r1", 1, PEER, 1);
        rib.apply(new BatchFeed()
                .begin("r2", 2)
                .announce(PEER, Family.IPV4_UNICAST, null, longer, BatchFeed.attributes(64500, 2))
                .build());
        List<Map<String, Object>> flows = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Map<String, Object> flow = new HashMap<>();
            flow.put("src_addr", i % 3 == 0 ? "2001:db8::" + i : "10." + i % 2 + ".0." + i % 256);
            flow.put("dst_addr", i % 5 == 0 ? "not an address" : "10.1.2." + i % 256);
            flows.add(flow);
        }
        // When
        new FlowRoutes(rib, RouteCondition.ANY, new RibConfiguration()).enrich(flows);
        // Then
        for (int i = 0; i < 300; i++) {
            Object source = i % 3 == 0 ? null : i % 2 == 0 ? "10.0.0.0/8" : "10.1.0.0/16";
            assertThat(flows.get(i).get("src_prefix")).as("source %d", i).isEqualTo(source);
            assertThat(flows.get(i).get("dst_prefix"))
                    .as("destination %d", i)
                    .isEqualTo(i % 5 == 0 ? null : "10.1.0.0/16");
        }
    }

    @Test
    void theNextHopDecidesThenTheExportersOwnRoute() {
        announce("r1", 1, PEER, 1);
        announce("r2", 2, PEER, 2);
        assertThat(enriched("sampler_address", "r1")).containsEntry("dst_router", "r1");
        assertThat(enriched("sampler_address", "r1", "next_hop", "192.0.2.2")).containsEntry("dst_router", "r2");
    }

    @Test
    void equalRoutesAreDecidedByTheNewestSession() {
        // Given a route of a newer session that changes after an older session has announced its route
        announce("r2", 7, PEER, 1);
        announce("r1", 6, PEER, 1);
        announce("r2", 7, PEER, 2);
        assertThat(enriched()).containsEntry("dst_router", "r2");
        assertThat(enriched("sampler_address", "r3")).containsEntry("dst_router", "r2");
        // And the route of the older session has the next hop of the flow
        assertThat(enriched("next_hop", "192.0.2.1")).containsEntry("dst_router", "r1");
    }

    @Test
    void routesOfOneSessionAreDecidedIndependentlyOfTheirOrder() {
        for (List<Integer> order : List.of(List.of(1, 2, 3), List.of(3, 2, 1), List.of(2, 1, 3))) {
            for (int number : order) {
                PeerEntry peer = BatchFeed.peer(number, RibView.ADJ_RIB_IN_PRE_POLICY);
                rib.apply(new BatchFeed().begin("r1", 1).peerDown(peer, true).build());
            }
            for (int number : order) {
                announce("r1", 1, BatchFeed.peer(number, RibView.ADJ_RIB_IN_PRE_POLICY), number);
            }
            assertThat(enriched()).as(order.toString()).containsEntry("dst_peer", "192.0.2.1");
        }
    }

    @Test
    void theExporterMatchesTheRouterInAnyNotationOfItsAddress() {
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
    void theNextHopOfMpReachNlriTakesPrecedence() {
        // Given a route with NEXT_HOP and MP_REACH_NLRI, and routes with NEXT_HOP only
        ByteSink both = new ByteSink();
        both.u8(0x50).u8(1).u16(1).u8(0);
        both.u8(0x50).u8(2).u16(6).u8(2).u8(1).u32(64500);
        both.u8(0x50).u8(3).u16(4).u32(0xC0000201);
        both.u8(0x90).u8(14).u16(8).u16(1).u8(1).u8(4).u32(0x0A090909);
        rib.apply(new BatchFeed()
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
    void aMappedNextHopOf6PeMatchesItsIpv4Address() {
        ByteSink mapped = new ByteSink();
        mapped.u8(0x50).u8(1).u16(1).u8(0);
        mapped.u8(0x50).u8(2).u16(6).u8(2).u8(1).u32(64500);
        mapped.u8(0x90).u8(14).u16(20).u16(2).u8(1).u8(16).i64(0).u32(0xFFFF).u32(0x0A090909);
        rib.apply(new BatchFeed()
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

    /** 6PE announces labelled routes (RFC 4798, Section 2). */
    @Test
    void labelledRoutesAreFound() {
        ByteSink mapped = new ByteSink();
        mapped.u8(0x50).u8(1).u16(1).u8(0);
        mapped.u8(0x50).u8(2).u16(6).u8(2).u8(1).u32(64500);
        mapped.u8(0x90).u8(14).u16(20).u16(2).u8(4).u8(16).i64(0).u32(0xFFFF).u32(0x0A090909);
        int family = Family.IPV6_LABELED_UNICAST;
        byte[] prefix = BatchFeed.labeled(family, 300, 0, 0x2001_0DB8_0000_0000L, 0, 32, false);
        rib.apply(new BatchFeed()
                .begin("r1", 1)
                .announce(PEER, family, null, prefix, mapped.toByteArray())
                .build());
        assertThat(enriched("dst_addr", "2001:db8::1", "next_hop", "10.9.9.9"))
                .containsEntry("dst_prefix", "2001:db8::/32")
                .containsEntry("dst_next_hop", "::ffff:10.9.9.9");
    }

    @Test
    void theLongestPrefixOfUnicastAndLabelledRoutesIsUsed() {
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

    /** Exporters that do not know the next hop write 0.0.0.0, and routers do so for their own routes. */
    @Test
    void anUnspecifiedNextHopDoesNotMatchAnotherRoutersRoute() {
        ByteSink own = new ByteSink();
        own.u8(0x50).u8(1).u16(1).u8(0);
        own.u8(0x50).u8(2).u16(0);
        own.u8(0x50).u8(3).u16(4).u32(0);
        announce("r1", 1, PEER, 1);
        rib.apply(new BatchFeed()
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
        byte[] prefix = BatchFeed.labeled(family, 300, 0, 0x0A01_0000L << 32, 0, length, false);
        rib.apply(new BatchFeed()
                .begin(router, session)
                .announce(PEER, family, null, prefix, BatchFeed.attributes(64500, 1))
                .build());
    }
}
