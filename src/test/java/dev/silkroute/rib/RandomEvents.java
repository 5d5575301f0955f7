package dev.silkroute.rib;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.rib.trie.PrefixBits;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import java.util.Random;

/** Batches of random events from two routers whose sessions begin and end. */
final class RandomEvents {
    private static final int[] FAMILIES = {
        Family.IPV4_UNICAST,
        Family.IPV4_UNICAST,
        Family.IPV6_UNICAST,
        Family.IPV4_MULTICAST,
        Family.IPV6_LABELED_UNICAST,
        Family.VPNV4,
        Family.VPNV6,
        Family.EVPN,
        Family.IPV4_FLOWSPEC,
        7 << 8 | 99
    };
    static final String[] ROUTERS = {"r1", "r2"};
    static final int PEERS = 4;

    private final BatchFeed feed = new BatchFeed();
    private final long[] sessions = {1000, 1001};
    private final Random random;
    private long clock;

    /** @param clock microseconds since 1970 to begin at */
    RandomEvents(Random random, long clock) {
        this.random = random;
        this.clock = clock;
    }

    long now() {
        return clock;
    }

    void wait(int micros) {
        clock += micros;
    }

    RouteBatch next() {
        int r = random.nextInt(ROUTERS.length);
        clock += random.nextInt(20);
        switch (random.nextInt(40)) {
            case 0 -> sessions[r] += 1 + random.nextInt(3);
            case 1 -> {
                return feed.begin("c" + r, "", sessions[r] + 1, clock)
                        .event(EventKind.COLLECTOR_START)
                        .build();
            }
            default -> {}
        }
        long session = sessions[r] - (random.nextInt(50) == 0 ? 1 : 0);
        feed.begin("c" + r, ROUTERS[r], session, clock);
        int events = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(120);
        for (int i = 0; i < events; i++) {
            event();
        }
        RouteBatch batch = feed.build();
        return random.nextInt(50) == 0 ? RouteBatch.read(RouteBatch.asRedecoded(batch.bytes())) : batch;
    }

    private void event() {
        RibView view = RibView.of(random.nextInt(5));
        PeerEntry peer = BatchFeed.peer(random.nextInt(PEERS), view);
        int family = FAMILIES[random.nextInt(FAMILIES.length)];
        switch (random.nextInt(400)) {
            case 0 -> feed.event(EventKind.SESSION_UP);
            case 1 -> feed.event(EventKind.SESSION_DOWN);
            case 2 -> feed.peerDown(peer, random.nextBoolean());
            case 3, 4 -> feed.peerUp(peer);
            case 5, 6, 7 -> feed.endOfRib(peer, family);
            case 8 -> feed.endOfRib(peer, 0);
            default -> route(peer, family, random.nextInt(3) == 0);
        }
    }

    private void route(PeerEntry peer, int family, boolean withdraw) {
        Integer pathId = random.nextInt(4) == 0 ? Integer.valueOf(random.nextInt(3) - 1) : null;
        byte[] nlri = nlri(family, withdraw);
        if (withdraw) {
            feed.withdraw(peer, family, pathId, nlri);
        } else {
            long marking = random.nextInt(10) == 0 ? PathMarking.of(random.nextInt(4)) : PathMarking.NONE;
            byte[] attributes = BatchFeed.attributes(1 + random.nextInt(30), random.nextInt(4));
            feed.announce(peer, family, pathId, nlri, attributes, marking);
        }
    }

    private byte[] nlri(int family, boolean withdraw) {
        boolean ipv6 = Family.afi(family) == Family.AFI_IPV6;
        int length = ipv6 ? random.nextInt(random.nextBoolean() ? 49 : 129) : random.nextInt(33);
        long bits = ((long) random.nextInt(4) << 62)
                | ((long) random.nextInt(2) << 47)
                | (random.nextLong(4) << 38)
                | random.nextLong(4);
        long high = PrefixBits.maskHigh(bits, length);
        long low = ipv6 ? PrefixBits.maskLow(random.nextLong(3) << random.nextInt(62), length) : 0;
        long rd = 64500L << 32 | random.nextInt(3);
        return switch (family) {
            case Family.EVPN -> BatchFeed.macRoute(rd, random.nextInt(20), random.nextInt(2), random.nextInt(3));
            case Family.IPV4_FLOWSPEC -> BatchFeed.flow(random.nextInt(20) << 8);
            case 7 << 8 | 99 -> new byte[] {1, 2, (byte) random.nextInt(20)};
            case Family.VPNV4, Family.VPNV6, Family.IPV6_LABELED_UNICAST ->
                BatchFeed.labeled(family, 16 + random.nextInt(3), rd, high, low, length, withdraw);
            default -> BatchFeed.prefix(high, low, length);
        };
    }
}
