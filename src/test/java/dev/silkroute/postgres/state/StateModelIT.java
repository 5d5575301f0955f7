package dev.silkroute.postgres.state;

import static dev.silkroute.postgres.TestBatch.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.HistoryWriter;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Random routers: the state is a model's, and the history leads to it. */
class StateModelIT extends StateHarness {
    /**
     * Whatever happens in whatever transactions: the state is the router's, and replaying the history from its
     * beginning leads to it.
     */
    @Test
    void stateIsTheModelsAndHistoryLeadsToIt() throws SQLException {
        for (long seed = 1; seed <= 12; seed++) {
            DataSource own = TestPostgres.database();
            DimensionCache ids = new DimensionCache(100);
            CurrentStateWriter current = new CurrentStateWriter(ids, new AttributeSets(8));
            HistoryWriter past = new HistoryWriter(ids, new AttributeSets(8));
            Random random = new Random(seed);
            Map<String, Integer> model = new TreeMap<>();
            List<RouteBatch> events = new RandomRouter(random, model).run();
            try (Connection connection = own.getConnection()) {
                for (int from = 0; from < events.size(); ) {
                    int to = Math.min(events.size(), from + 1 + random.nextInt(random.nextBoolean() ? 3 : 80));
                    List<RouteBatch> run = events.subList(from, to);
                    LaneTransaction.run(connection, past.prepareBatches(connection, run)::write);
                    LaneTransaction.run(connection, current.prepareBatches(connection, run)::write);
                    if (random.nextInt(4) == 0) {
                        withdrawals.purge(connection);
                    }
                    from = to;
                }
                withdrawals.purge(connection);
            }
            List<String> expected = model.entrySet().stream()
                    .map(route -> route.getKey() + "|" + route.getValue())
                    .toList();
            assertThat(TestPostgres.query(
                            own, "SELECT host(peer_address), rib_view, prefix, med FROM bmp.v_rib ORDER BY 1, 2, 3"))
                    .as("seed %d", seed)
                    .isEqualTo(expected);
            Map<String, Integer> replayed = new HashMap<>();
            for (String row : TestPostgres.query(
                    own,
                    "SELECT host(peer_address) || '|' || rib_view || '|' || prefix, event, med, synthetic FROM bmp.v_route_history"
                            + " ORDER BY session_id, received_at, sequence")) {
                String[] parts = row.split("\\|");
                String key = String.join("|", parts[0], parts[1], parts[2]);
                if (parts[3].equals("announce")) {
                    replayed.put(key, Integer.valueOf(parts[4]));
                } else {
                    // Then: a synthetic withdrawal is of a route that was there
                    assertThat(replayed.remove(key) != null || parts[5].equals("f"))
                            .as("seed %d: %s", seed, row)
                            .isTrue();
                }
            }
            assertThat(replayed).as("seed %d", seed).isEqualTo(model);
            assertThat(TestPostgres.query(own, "SELECT count(*) FROM bmp.rib_route"))
                    .containsExactly(Integer.toString(model.size()));
        }
    }

    /** A router of two peers and three tables, with its sessions, dumps, Peer Downs and changes. */
    private static final class RandomRouter {
        private static final List<PeerEntry> TABLES = List.of(PEER, POST, OTHER);

        private final Random random;
        private final Map<String, Integer> model;
        private final Map<String, Long> sessionOf = new HashMap<>();
        private final List<RouteBatch> events = new ArrayList<>();
        private long session;
        private long second;

        RandomRouter(Random random, Map<String, Integer> model) {
            this.random = random;
            this.model = model;
        }

        private TestBatch batch() {
            return of(session, second++);
        }

        List<RouteBatch> run() {
            for (int i = 0; i < 6; i++) {
                session++;
                events.add(batch().session(EventKind.SESSION_UP).build());
                boolean lostInDump = random.nextInt(3) == 0;
                for (PeerEntry peer : List.of(PEER, OTHER)) {
                    events.add(batch().peerUp(peer).build());
                }
                for (PeerEntry table : TABLES) {
                    dump(table, lostInDump);
                }
                if (!lostInDump) {
                    changes();
                }
                if (random.nextBoolean()) {
                    events.add(batch().session(EventKind.SESSION_DOWN).build());
                }
            }
            return events;
        }

        private void dump(PeerEntry table, boolean lost) {
            int routes = random.nextInt(12);
            for (int i = 0; i < routes; i++) {
                route(table, random.nextInt(8) > 0);
            }
            if (!lost) {
                events.add(batch().endOfRib(table, V4).build());
                String prefix = key(table, "");
                model.keySet().removeIf(route -> route.startsWith(prefix) && sessionOf.get(route) < session);
            }
        }

        private void route(PeerEntry table, boolean dump) {
            String prefix = (10 + random.nextInt(6)) + ".0.0.0/8";
            TestBatch batch = dump ? batch().dump() : batch();
            String key = key(table, prefix);
            if (random.nextInt(6) == 0) {
                events.add(batch.withdraw(table, prefix).build());
                model.remove(key);
            } else {
                int med = 1 + random.nextInt(2);
                events.add(batch.announce(table, prefix, med).build());
                model.put(key, med);
                sessionOf.put(key, session);
            }
        }

        private void changes() {
            for (int i = 0; i < 20; i++) {
                PeerEntry table = TABLES.get(random.nextInt(3));
                if (random.nextInt(8) > 0) {
                    route(table, false);
                } else {
                    boolean all = random.nextBoolean();
                    events.add(batch().peerDown(table, all).build());
                    String prefix =
                            all ? key(table, "").substring(0, key(table, "").indexOf('|') + 1) : key(table, "");
                    model.keySet().removeIf(route -> route.startsWith(prefix));
                    if (random.nextBoolean()) {
                        events.add(batch().peerUp(table).build());
                        for (int j = 0; j < 5; j++) {
                            route(table, true);
                        }
                        events.add(batch().endOfRib(table, V4).build());
                    }
                }
            }
        }

        private static String key(PeerEntry table, String prefix) {
            return "192.0.2." + (table.addressLow() & 255) + "|" + table.view().text() + "|" + prefix;
        }
    }
}
