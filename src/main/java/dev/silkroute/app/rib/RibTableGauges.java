package dev.silkroute.app.rib;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.meters.GaugeRows;
import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.bgp.RibView;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.net.Family;
import dev.silkroute.net.KeyedHash;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibTable;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gauges of the routes of single routers and peers in the RIB. They are counted periodically, because that takes a pass
 * over all tables; of more routers or peers than the limit, those with the oldest tables have metrics.
 */
@Singleton
final class RibTableGauges {
    /** A router's routes in one view and family. */
    record RouterTable(String router, RibView view, int family) {
        /** A router must not be able to choose tables whose hashes are equal. */
        @Override
        public int hashCode() {
            return KeyedHash.fold(KeyedHash.of((long) family << 8 ^ view.code(), router));
        }
    }

    /** A peer, by its address: peers that differ only by distinguisher or BGP ID are counted together. */
    record Peer(String router, String address) {
        /** A router must not be able to choose peers whose hashes are equal. */
        @Override
        public int hashCode() {
            return KeyedHash.fold(KeyedHash.of(KeyedHash.of(0, address), router));
        }
    }

    record PeerTable(Peer peer, RibView view) {}

    private final Rib rib;
    private final StationConfig config;
    private final GaugeRows<RouterTable, Long> routerRoutes;
    private final GaugeRows<String, Long> routerStale;
    private final GaugeRows<PeerTable, Long> peerRoutes;
    private final AtomicInteger omitted = new AtomicInteger();
    private final PeriodicTask refresh = new PeriodicTask("RIB tables", "silkroute-rib-gauges", this::refresh);

    RibTableGauges(Rib rib, StationConfig config, MeterRegistry meters) {
        this.rib = rib;
        this.config = config;
        routerRoutes = new GaugeRows<>(
                meters,
                Metric.RIB_ROUTER_ROUTES,
                table ->
                        Tags.of("router", table.router, "view", table.view.text(), "family", Family.text(table.family)),
                Long::doubleValue);
        routerStale = new GaugeRows<>(
                meters, Metric.RIB_ROUTER_STALE_ROUTES, router -> Tags.of("router", router), Long::doubleValue);
        peerRoutes = new GaugeRows<>(
                meters,
                Metric.RIB_PEER_ROUTES,
                table -> Tags.of("router", table.peer.router, "peer", table.peer.address, "view", table.view.text()),
                Long::doubleValue);
        new MeterGroup<>(meters, omitted).gauge(Metric.RIB_PEERS_OMITTED, AtomicInteger::get);
    }

    void start(@Observes StartupEvent event) {
        refresh.start(config.sessions().metricsInterval());
    }

    private void refresh() {
        Counts counts = Counts.of(rib.scans().tables(), config.rib().metricsLimit());
        omitted.set(counts.omittedPeers);
        routerRoutes.set(counts.routerRoutes);
        routerStale.set(counts.routerStale);
        peerRoutes.set(counts.peerRoutes);
    }

    /** Routes of all tables, added up. */
    static final class Counts {
        final Map<RouterTable, Long> routerRoutes = new LinkedHashMap<>();
        final Map<String, Long> routerStale = new LinkedHashMap<>();
        final Map<PeerTable, Long> peerRoutes = new LinkedHashMap<>();
        int omittedPeers;

        private Counts() {}

        /** @param limit maximum number of routers, and of peers */
        static Counts of(Iterable<RibTable> tables, int limit) {
            Counts counts = new Counts();
            Set<Peer> peers = new HashSet<>();
            Set<Peer> omitted = new HashSet<>();
            for (RibTable table : tables) {
                long routes = table.routes();
                if (routes == 0) {
                    continue;
                }
                String router = table.peer().router();
                if (counts.routerStale.containsKey(router) || counts.routerStale.size() < limit) {
                    counts.routerStale.merge(router, table.stale(), Long::sum);
                    counts.routerRoutes.merge(new RouterTable(router, table.view(), table.family()), routes, Long::sum);
                }
                Peer peer = new Peer(router, table.peer().address());
                if (peers.contains(peer) || peers.size() < limit) {
                    peers.add(peer);
                    counts.peerRoutes.merge(new PeerTable(peer, table.view()), routes, Long::sum);
                } else {
                    omitted.add(peer);
                }
            }
            counts.omittedPeers = omitted.size();
            return counts;
        }
    }

    @PreDestroy
    void stop() {
        refresh.close();
    }
}
