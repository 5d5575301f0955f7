package dev.silkroute.postgres.dimension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.postgres.dimension.DimensionCache.RouterPeer;
import dev.silkroute.postgres.lane.JsonRows;
import dev.silkroute.postgres.lane.LaneRecord;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.lane.Prepared;
import dev.silkroute.route.PeerEntry;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class DimensionCacheIT {
    private final DataSource database = TestPostgres.database();
    private final AtomicLong now = new AtomicLong();
    private final DimensionCache dimensions = new DimensionCache(10, now::get);

    private int router(Connection connection, String name) throws SQLException {
        return Objects.requireNonNull(dimensions
                .routers(connection, new TreeMap<>(Map.of(name, "192.0.2.1")))
                .get(name));
    }

    @Test
    void routersAreInsertedTogetherAlsoMoreThanAreCached() throws SQLException {
        SortedMap<String, String> all = new TreeMap<>();
        IntStream.range(0, 100).forEach(i -> all.put("r" + i, "192.0.2." + i));
        try (Connection connection = database.getConnection()) {
            Map<String, Integer> some = dimensions.routers(connection, new TreeMap<>(all.headMap("r5")));
            Map<String, Integer> ids = dimensions.routers(connection, all);

            assertThat(ids).containsOnlyKeys(all.keySet()).containsAllEntriesOf(some);
            assertThat(ids.values()).doesNotHaveDuplicates();
            assertThat(dimensions.routers(connection, all)).isEqualTo(ids);
            assertThat(TestPostgres.query(database, "SELECT name, host(address) FROM bmp.router"))
                    .containsExactlyInAnyOrderElementsOf(all.entrySet().stream()
                            .map(of -> of.getKey() + "|" + of.getValue())
                            .toList());
        }
    }

    @Test
    void anIdIsNotMadeWhereItCouldBeRolledBack() throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> router(connection, "r1")).isInstanceOf(IllegalStateException.class);
            connection.rollback();
            connection.setAutoCommit(true);
            assertThat(router(connection, "r1")).isPositive();
        }
    }

    @Test
    void anIdIsCachedForOneDay() throws SQLException {
        try (Connection connection = database.getConnection()) {
            int first = router(connection, "r1");
            connection.createStatement().execute("DELETE FROM bmp.router");
            assertThat(router(connection, "r1")).isEqualTo(first);
            now.addAndGet(Duration.ofDays(1).toNanos());
            assertThat(router(connection, "r1")).isGreaterThan(first);
        }
    }

    private static PeerEntry peer(int number) {
        return new PeerEntry(1, number, false, 0, 0xC0000201L, 65_001, 1, RibView.LOC_RIB);
    }

    @Test
    void peersAreInsertedTogetherAlsoMoreThanAreCached() throws SQLException {
        List<PeerEntry> all =
                IntStream.range(0, 100).mapToObj(DimensionCacheIT::peer).toList();
        try (Connection connection = database.getConnection()) {
            int router = router(connection, "r1");
            int[] none = dimensions.peers(connection, of(router, all), false);
            assertThat(none).containsOnly(BatchPeers.UNKNOWN);
            int[] some = dimensions.peers(connection, of(router, all.subList(50, 60)), true);
            int[] ids = dimensions.peers(connection, of(router, all), true);
            assertThat(ids).doesNotHaveDuplicates().hasSize(100);
            assertThat(Arrays.copyOfRange(ids, 50, 60)).isEqualTo(some);
            assertThat(dimensions.peers(connection, of(router, all), false)).isEqualTo(ids);
        }
    }

    private static List<RouterPeer> of(int router, List<PeerEntry> peers) {
        return peers.stream().map(peer -> new RouterPeer(router, peer)).toList();
    }

    @Test
    void peersOfSeveralRoutersAreInsertedTogether() throws SQLException {
        try (Connection connection = database.getConnection()) {
            int first = router(connection, "r1");
            int second = router(connection, "r2");
            List<RouterPeer> both = List.of(
                    new RouterPeer(second, peer(1)), new RouterPeer(first, peer(1)), new RouterPeer(second, peer(1)));
            int[] ids = dimensions.peers(connection, both, true);
            assertThat(ids[0]).isEqualTo(ids[2]).isNotEqualTo(ids[1]);
            assertThat(TestPostgres.query(database, "SELECT peer_id, router_id FROM bmp.peer ORDER BY router_id"))
                    .containsExactly(ids[1] + "|" + first, ids[0] + "|" + second);
        }
    }

    @Test
    void lanesOfRoutesDoNotWaitForTheTransactionInWhichALaneStoresThePeersEvents() throws SQLException {
        String up = """
            {"event": "peer-up", "collector": "c1", "router": "r1", "router_address": "192.0.2.1", "session_id": 1,
             "sequence": 1, "received_at": "2026-11-21T08:00:00Z", "peer_type": "rd",
             "peer_distinguisher": "0000000000000007", "peer_address": "192.0.2.1", "peer_asn": 65001,
             "peer_bgp_id": "0.0.0.1", "rib_view": "adj-rib-in-pre"}""";
        JsonRows rows = new JsonRows("bmp.apply_peer_events", "bmp.ensure_peers");
        try (Connection peersLane = database.getConnection();
                Connection routesLane = database.getConnection()) {
            routesLane.createStatement().execute("SET lock_timeout = '2s'");
            Prepared prepared = rows.prepare(
                    peersLane, List.of(new LaneRecord<>("bmp.peers-0@0", null, up.getBytes(StandardCharsets.UTF_8))));
            int[] id = LaneTransaction.run(peersLane, transaction -> {
                assertThat(prepared.write(transaction)).isEqualTo(1);
                int router = router(routesLane, "r1");
                return dimensions.peers(routesLane, of(router, List.of(peer(7))), true);
            });
            assertThat(TestPostgres.query(database, "SELECT peer_id FROM bmp.peer JOIN bmp.peer_state USING (peer_id)"))
                    .containsExactly(String.valueOf(id[0]));
        }
    }
}
