package dev.silkroute.perf.rib;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.RibReader;
import dev.silkroute.rib.RouteCondition;
import dev.silkroute.rib.RouteView;
import java.util.concurrent.CountDownLatch;

/** Looks up one of a peer's routes until it is no longer visible. */
final class PeerWatcher extends Thread {
    private final Rib rib;
    private final RouteCondition condition;
    private long high;
    private long low;
    private int family;
    final CountDownLatch watching = new CountDownLatch(1);
    long gone;

    PeerWatcher(Rib rib, int number) {
        this.rib = rib;
        RibPeer peer = RibPeer.of("router", RecordFeed.peer(number));
        condition = RouteCondition.of(peer, RibView.ADJ_RIB_IN_PRE_POLICY);
    }

    @Override
    public void run() {
        try (RibReader reader = rib.reader()) {
            reader.forEach(route -> {
                if (family == 0 && condition.test(route)) {
                    family = route.family();
                    high = route.addressHigh();
                    low = route.addressLow();
                }
            });
            RouteView route = new RouteView();
            boolean there = true;
            while (there) {
                try (RibReader.Section _ = reader.enter()) {
                    there = reader.longestMatch(family, 0, high, low, condition, route);
                }
                watching.countDown();
            }
            gone = System.nanoTime();
        } finally {
            watching.countDown();
        }
    }
}
