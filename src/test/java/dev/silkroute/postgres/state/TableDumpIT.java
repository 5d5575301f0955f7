package dev.silkroute.postgres.state;

import static dev.silkroute.postgres.TestBatch.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.HistoryWriter;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.lane.Prepared;
import dev.silkroute.postgres.withdrawal.Withdrawals;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import io.agroal.api.AgroalDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Table dumps that are copied lead to the same rows as if they were merged. */
class TableDumpIT {
    private static final PeerEntry POST = peer(11, 11, RibView.ADJ_RIB_IN_POST_POLICY);
    private static final PeerEntry OTHER = peer(12, 12, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final List<PeerEntry> TABLES = List.of(PEER, POST, OTHER);

    /** All columns but the ids that PostgreSQL assigns. */
    private static final List<String> EVERYTHING = List.of(
            "SELECT to_jsonb(v) - 'peer_id' FROM bmp.v_rib v ORDER BY v::text",
            "SELECT to_jsonb(r) - 'route_id' - 'peer_id', p.address FROM bmp.rib_route r JOIN bmp.peer p USING (peer_id)"
                    + " ORDER BY r.prefix, r.nlri, r.rd, r.path_id, p.address, r.rib_view, r.family",
            "SELECT to_jsonb(e) - 'peer_id', p.address FROM bmp.route_event e JOIN bmp.peer p USING (peer_id)"
                    + " ORDER BY session_id, sequence, received_at, synthetic, p.address, rib_view, family, path_id, rd, prefix, nlri",
            "SELECT p.address, t.rib_view, t.generation, t.session_id, t.oldest_session_id, t.empty"
                    + " FROM bmp.rib_table t JOIN bmp.peer p USING (peer_id) ORDER BY 1, 2",
            "SELECT p.address, t.rib_view, t.family, t.session_id FROM bmp.rib_sync t JOIN bmp.peer p USING (peer_id)"
                    + " ORDER BY 1, 2, 3",
            "SELECT p.address, t.rib_view, t.family, t.session_id, sum(cardinality(t.route_ids))"
                    + " FROM bmp.rib_confirmed t JOIN bmp.peer p USING (peer_id) GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4");

    private final List<Station> stations = new ArrayList<>();

    private Station station(int writers, long dumpBytes) {
        Station station = new Station(writers, dumpBytes);
        stations.add(station);
        return station;
    }

    @AfterEach
    void closeConnections() {
        stations.forEach(station -> station.database.close());
    }

    /** A database and the writers of its current state. */
    private static final class Station {
        private final AgroalDataSource database = TestPostgres.pool();
        private final DimensionCache ids = new DimensionCache(100);
        private final HistoryWriter history = new HistoryWriter(ids, new AttributeSets(8));
        private final Withdrawals withdrawals = new Withdrawals(3, () -> true);
        private final List<TableDumps> dumps = new ArrayList<>();
        private final List<CurrentStateWriter> writers = new ArrayList<>();

        Station(int writers, long dumpBytes) {
            for (int i = 0; i < writers; i++) {
                dumps.add(new TableDumps(dumpBytes));
                this.writers.add(new CurrentStateWriter(ids, new AttributeSets(8), false, dumps.get(i), 40));
            }
        }

        void write(int writer, List<RouteBatch> batches) throws SQLException {
            try (Connection connection = database.getConnection()) {
                LaneTransaction.run(connection, history.prepareBatches(connection, batches)::write);
                LaneTransaction.run(connection, writers.get(writer).prepareBatches(connection, batches)::write);
            }
        }

        /** Writes everything, and the server closes the connection before the commit. */
        void writeAndLose(int writer, List<RouteBatch> batches) throws SQLException {
            try (Connection connection = database.getConnection()) {
                Prepared prepared = writers.get(writer).prepareBatches(connection, batches);
                assertThatThrownBy(() -> LaneTransaction.run(connection, transaction -> {
                            prepared.write(transaction);
                            return transaction
                                    .connection()
                                    .createStatement()
                                    .execute("SELECT pg_terminate_backend(pg_backend_pid())");
                        }))
                        .isInstanceOf(SQLException.class);
            }
        }

        void purge() throws SQLException {
            try (Connection connection = database.getConnection()) {
                withdrawals.purge(connection);
            }
        }

        long copied() {
            return dumps.stream().mapToLong(TableDumps::copiedRoutes).sum();
        }

        long conflicts() {
            return dumps.stream().mapToLong(TableDumps::conflicts).sum();
        }
    }

    /**
     * Two writers take turns without knowledge of each other, as after a rebalance, and lose connections before the
     * commit. The other side merges everything.
     */
    @Test
    void copiedDumpsLeadToTheSameRowsAsMergedOnes() throws SQLException {
        long copied = 0;
        for (long seed = 1; seed <= 8; seed++) {
            Station copying = station(2, TableDumps.DEFAULT_BYTES);
            Station merging = station(1, 0);
            Random random = new Random(seed);
            List<RouteBatch> events = new RandomRouter(random).run();
            int writer = 0;
            for (int from = 0; from < events.size(); ) {
                int to = Math.min(events.size(), from + 1 + random.nextInt(12));
                List<RouteBatch> run = events.subList(from, to);
                if (random.nextInt(8) == 0) {
                    writer = 1 - writer;
                }
                if (random.nextInt(10) == 0) {
                    copying.writeAndLose(writer, run);
                }
                copying.write(writer, run);
                merging.write(0, run);
                if (random.nextInt(5) == 0) {
                    copying.purge();
                    merging.purge();
                }
                from = to;
            }
            for (String query : EVERYTHING) {
                assertThat(TestPostgres.query(copying.database, query))
                        .as("seed %d: %s", seed, query)
                        .isEqualTo(TestPostgres.query(merging.database, query));
            }
            assertThat(merging.copied()).isZero();
            copied += copying.copied();
        }
        assertThat(copied).isGreaterThan(200);
    }

    @Test
    void aDumpIntoAnEmptyViewIsCopiedAndOneIntoATableWithRowsIsMerged() throws SQLException {
        Station station = station(1, TableDumps.DEFAULT_BYTES);
        station.write(
                0,
                List.of(
                        of(1, 0).session(EventKind.SESSION_UP).peerUp(PEER).build(),
                        of(1, 1).dump()
                                .announce("10.0.0.0/8", 1)
                                .announce("11.0.0.0/8", 1)
                                .build(),
                        of(1, 2).dump()
                                .announce("11.0.0.0/8", 2)
                                .withdraw("12.0.0.0/8")
                                .build(),
                        of(1, 3).dump()
                                .announce("12.0.0.0/8", 1)
                                .announce("2001:db8::/32", 1)
                                .build(),
                        of(1, 4).endOfRib(PEER, Family.IPV4_UNICAST).build(),
                        of(1, 5).announce("13.0.0.0/8", 1).build()));
        // Then: the repeated route and the one that was withdrawn before were merged
        assertThat(station.copied()).isEqualTo(3);

        station.write(
                0,
                List.of(of(1, 6).dump()
                        .announce("2001:db9::/32", 1)
                        .announce("14.0.0.0/8", 1)
                        .build()));
        assertThat(station.copied()).isEqualTo(4);

        station.write(
                0,
                List.of(
                        of(2, 0).session(EventKind.SESSION_UP).peerUp(PEER).build(),
                        of(2, 1).dump()
                                .announce("10.0.0.0/8", 1)
                                .announce("15.0.0.0/8", 1)
                                .build()));
        assertThat(station.copied()).isEqualTo(4);
        assertThat(station.conflicts()).isZero();
    }

    /** Another writer has continued the dump meanwhile, so a route that this one takes for new has a row. */
    @Test
    void aRouteThatExistsAgainstThePredictionIsMerged() throws SQLException {
        Station station = station(2, TableDumps.DEFAULT_BYTES);
        station.write(0, List.of(up(1).announce("10.0.0.0/8", 1).build()));
        station.write(1, List.of(of(1, 1).dump().announce("11.0.0.0/8", 1).build()));
        station.write(
                0,
                List.of(
                        of(1, 2).dump().announce("11.0.0.0/8", 2).build(),
                        of(1, 3).dump().announce("12.0.0.0/8", 3).build()));
        station.write(0, List.of(of(1, 4).dump().announce("13.0.0.0/8", 4).build()));
        assertThat(station.copied()).isOne();
        assertThat(station.conflicts()).isOne();
        assertThat(station.dumps.getFirst().bytes()).isZero();
        assertThat(TestPostgres.query(station.database, "SELECT prefix, med FROM bmp.v_rib ORDER BY 1"))
                .containsExactly("10.0.0.0/8|1", "11.0.0.0/8|2", "12.0.0.0/8|3", "13.0.0.0/8|4");
        assertThat(TestPostgres.query(
                        station.database,
                        "SELECT prefix, med FROM bmp.v_route_history WHERE event = 'announce' ORDER BY received_at"))
                .containsExactly("10.0.0.0/8|1", "11.0.0.0/8|1", "11.0.0.0/8|2", "12.0.0.0/8|3", "13.0.0.0/8|4");
    }

    private static TestBatch up(long session) {
        return of(session, 0).session(EventKind.SESSION_UP).peerUp(PEER).dump();
    }

    @Test
    void withoutMemoryForAFilterDumpsAreMerged() throws SQLException {
        Station station = station(1, 2000);
        TestBatch batch = of(1, 0).dump();
        for (int i = 0; i < 600; i++) {
            batch.announce("10.%d.%d.0/24".formatted(i >> 8, i & 255), 1);
        }
        station.write(0, List.of(batch.build()));
        // Then: the first part of the filter fits, the second one does not
        assertThat(station.copied()).isBetween(500L, 512L);
        assertThat(station.dumps.getFirst().bytes()).isLessThan(2000);
        assertThat(TestPostgres.query(station.database, "SELECT count(*) FROM bmp.rib_route"))
                .containsExactly("600");
    }

    /** A router of two peers and three tables of several families. */
    private static final class RandomRouter {
        private final Random random;
        private final List<RouteBatch> batches = new ArrayList<>();
        private long session;
        private long second;

        RandomRouter(Random random) {
            this.random = random;
        }

        private TestBatch batch() {
            second++;
            return of(session, second).message(second);
        }

        List<RouteBatch> run() {
            for (int i = 0; i < 4; i++) {
                session++;
                batches.add(batch().session(EventKind.SESSION_UP)
                        .peerUp(PEER)
                        .peerUp(OTHER)
                        .build());
                TABLES.forEach(this::dump);
                for (int j = 0; j < 30; j++) {
                    PeerEntry table = TABLES.get(random.nextInt(TABLES.size()));
                    if (random.nextInt(8) > 0) {
                        events(table, false);
                    } else {
                        batches.add(
                                batch().peerDown(table, random.nextBoolean()).build());
                        dump(table);
                    }
                }
                if (random.nextBoolean()) {
                    batches.add(batch().session(EventKind.SESSION_DOWN).build());
                }
            }
            return batches;
        }

        private void dump(PeerEntry table) {
            int count = random.nextInt(14);
            for (int i = 0; i < count; i++) {
                events(table, random.nextInt(20) > 0);
            }
            if (random.nextInt(4) > 0) {
                batches.add(batch().endOfRib(table, Family.IPV4_UNICAST)
                        .endOfRib(table, Family.EVPN)
                        .build());
            }
        }

        /** A batch of several events, of which some concern the same route. */
        private void events(PeerEntry table, boolean dump) {
            TestBatch batch = batch();
            if (dump) {
                batch.dump();
            }
            int count = 1 + random.nextInt(5);
            for (int i = 0; i < count; i++) {
                event(batch, table);
            }
            batches.add(batch.build());
        }

        private void event(TestBatch batch, PeerEntry table) {
            int number = random.nextInt(40);
            boolean pathId = false;
            int family = Family.IPV4_UNICAST;
            byte[] nlri = nlri(number + ".0.0.0/8");
            switch (random.nextInt(8)) {
                case 0 -> {
                    pathId = true;
                    nlri = concat(hex("0000000" + random.nextInt(3)), nlri);
                }
                case 1 -> {
                    family = Family.VPNV4;
                    nlri = hex("60" + "0%02x0%x1".formatted(number, random.nextInt(2)) + "0000fbf400000001" + "0a");
                }
                case 2 -> {
                    family = Family.EVPN;
                    nlri = hex(MAC_IP.substring(0, MAC_IP.length() - 6)
                            + HexFormat.of().toHexDigits((byte) number) + "0002" + "0000" + random.nextInt(2) + "1");
                }
                default -> {}
            }
            if (random.nextInt(6) == 0) {
                batch.withdraw(table, family, nlri, pathId);
            } else {
                batch.announce(table, family, nlri, pathId, attributes(random.nextInt(2)));
            }
        }
    }
}
