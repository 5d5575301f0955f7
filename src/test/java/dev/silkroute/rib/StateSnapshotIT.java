package dev.silkroute.rib;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.RibView;
import dev.silkroute.digest.ComparedTable;
import dev.silkroute.digest.Position;
import dev.silkroute.digest.TableComparison;
import dev.silkroute.digest.TableSelection;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.RouteDistinguisher;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.lane.LaneOffset;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.state.CurrentStateWriter;
import dev.silkroute.postgres.state.InvalidRows;
import dev.silkroute.postgres.state.StateDigests;
import dev.silkroute.postgres.state.StateSnapshot;
import dev.silkroute.postgres.withdrawal.Withdrawals;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import io.agroal.api.AgroalDataSource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares a RIB that applied all batches, RIBs that were loaded from the current state of the database in between, and
 * the database itself, after random events.
 */
class StateSnapshotIT {
    private static final UUID TOPIC = UUID.fromString("00000000-0000-0000-0000-000000000001");

    @AutoClose
    private final AgroalDataSource database = TestPostgres.pool();

    private final CurrentStateWriter writer = new CurrentStateWriter(new DimensionCache(100), new AttributeSets(1000));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void aRibLoadedFromTheDatabaseReachesTheSameState(long seed) throws Exception {
        Random random = new Random(seed);
        RandomEvents events = new RandomEvents(random, ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        try (Connection connection = database.getConnection();
                Rib always = new Rib(RibConfig.ofBytes(64L << 20));
                Rib again = new Rib(RibConfig.ofBytes(64L << 20))) {
            place(connection, 7);
            for (int round = 0; round < 8; round++) {
                String about = "seed " + seed + ", round " + round;
                for (int i = random.nextInt(60); i >= 0; i--) {
                    store(connection, events.next(), always);
                }
                if (random.nextBoolean()) {
                    purge(connection, always);
                }
                try (Rib begun = new Rib(RibConfig.ofBytes(64L << 20))) {
                    // Given: a RIB that is loaded here
                    Map<Integer, LaneOffset> offsets = begin(connection, begun);
                    assertThat(offsets).containsExactly(Map.entry(3, LaneOffset.at(7)));
                    // And one that was loaded before and is loaded again
                    again.clear();
                    begin(connection, again);
                    // When: both apply the batches that follow
                    for (int i = random.nextInt(60); i > 0; i--) {
                        RouteBatch batch = events.next();
                        store(connection, batch, always);
                        begun.apply(batch);
                        again.apply(batch);
                    }
                    // Then
                    purge(connection, always);
                    while (begun.purge(1000) || again.purge(1000)) {}
                    Map<String, String> expected = routes(always);
                    assertThat(RibRandomWalkTest.differences(expected, routes(begun)))
                            .as(about + ": all batches, loaded from the database")
                            .isEmpty();
                    assertThat(RibRandomWalkTest.differences(expected, routes(again)))
                            .as(about + ": all batches, loaded again from the database")
                            .isEmpty();
                    List<String> inDatabase = stored();
                    List<String> inRib = summary(always);
                    assertThat(without(inDatabase, inRib))
                            .as(about + ": only in the database")
                            .isEmpty();
                    assertThat(without(inRib, inDatabase))
                            .as(about + ": only in the RIB")
                            .isEmpty();
                    assertThat(inRib).as(about).hasSameSizeAs(inDatabase);
                    compareDigests(always, about);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.1.0/24, prefix length is larger than the address",
        "10.0.0.0/8, a prefix with the labels [7] is not an NLRI of the family ipv4-unicast"
    })
    void anInvalidRowIsLeftOutAndItsRouterIsIncomplete(String prefix, String reason) throws Exception {
        try (Connection connection = database.getConnection();
                Rib rib = new Rib(RibConfig.ofBytes(64L << 20))) {
            place(connection, 7);
            // Given routes of two routers, of which one row is changed by hand
            store(connection, begin("edge", 1), rib);
            store(connection, begin("core", 1), rib);
            setLabels(connection, "edge", prefix);
            // When
            rib.clear();
            InvalidRows invalid = new InvalidRows();
            Map<Integer, LaneOffset> offsets = begin(connection, rib, invalid);
            // Then everything else is loaded
            assertThat(offsets).containsExactly(Map.entry(3, LaneOffset.at(7)));
            assertThat(staleness(rib, "edge")).hasSize(1).containsValue(true).doesNotContainKey(prefix);
            assertThat(staleness(rib, "core")).hasSize(2).doesNotContainValue(true);
            assertThat(invalid.count()).isEqualTo(1);
            assertThat(invalid.routers()).isEqualTo(1);
            assertThat(invalid.first())
                    .isEqualTo("router edge, peer 192.0.2.11, adj-rib-in-pre, ipv4-unicast prefix " + prefix + ": "
                            + reason);
            assertThat(rib.isIncomplete()).isTrue();
            assertThat(rib.statistics().rejected()).isEqualTo(1);
            // When the router is marked in the database, its tables are requested
            invalid.markIncomplete(connection);
            assertThat(TestPostgres.query(database, "SELECT router, session_id FROM bmp.incomplete_session"))
                    .containsExactly("edge|1");
            // Then the router's next session makes all of it whole again
            store(connection, begin("edge", 2), rib);
            assertThat(rib.statistics().hasRejected()).isFalse();
            assertThat(staleness(rib, "edge")).hasSize(2).doesNotContainValue(true);
            compareDigests(rib, "sent again");
            try (Rib later = new Rib(RibConfig.ofBytes(64L << 20))) {
                InvalidRows none = new InvalidRows();
                begin(connection, later, none);
                assertThat(none.count()).isZero();
                assertThat(later.isIncomplete()).isFalse();
                assertThat(routes(later)).isEqualTo(routes(rib));
            }
        }
    }

    @Test
    void peersHaveTheRolesOfTheirPeerUp() throws Exception {
        try (Connection connection = database.getConnection();
                Rib rib = new Rib(RibConfig.ofBytes(64L << 20))) {
            place(connection, 7);
            store(connection, begin("edge", 1), rib);
            store(connection, begin("core", 1), rib);
            try (var insert = connection.createStatement()) {
                insert.executeUpdate("""
                        INSERT INTO bmp.peer_state (peer_id, rib_view, up, session_id, sequence, capabilities)
                        SELECT peer_id, 0, true, 1, 0, '{"session": {"neighbor_role": "rs-client"}}'
                        FROM bmp.peer JOIN bmp.router USING (router_id) WHERE name = 'edge'
                        """);
            }
            rib.clear();
            begin(connection, rib);
            Map<String, Optional<NeighborRole>> roles = new TreeMap<>();
            try (RibReader reader = rib.reader()) {
                reader.forEach(route -> roles.put(route.peer().router(), route.neighborRole()));
            }
            assertThat(roles).isEqualTo(Map.of("core", Optional.empty(), "edge", Optional.of(NeighborRole.RS_CLIENT)));
        }
    }

    /** The beginning of a session, with the routes of one peer. */
    private static RouteBatch begin(String router, long session) {
        return TestBatch.of(router, session, session)
                .session(EventKind.SESSION_UP)
                .announce("10.0.0.0/8", 1)
                .announce("10.0.1.0/24", 1)
                .build();
    }

    private static void setLabels(Connection connection, String router, String prefix) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                UPDATE bmp.rib_route SET labels = '{7}' WHERE prefix = ?::cidr AND peer_id IN (
                  SELECT peer_id FROM bmp.peer JOIN bmp.router USING (router_id) WHERE name = ?)\
                """)) {
            update.setString(1, prefix);
            update.setString(2, router);
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
    }

    /** Returns whether each route of a router is stale, by prefix. */
    private static Map<String, Boolean> staleness(Rib rib, String router) {
        Map<String, Boolean> routes = new TreeMap<>();
        try (RibReader reader = rib.reader()) {
            reader.forEach(route -> {
                if (route.peer().router().equals(router)) {
                    String prefix = Addresses.prefix(
                            route.ipv6(), route.addressHigh(), route.addressLow(), route.prefixLength());
                    routes.put(prefix, route.stale());
                }
            });
        }
        return routes;
    }

    private void compareDigests(Rib rib, String about) throws IOException, InterruptedException {
        var result = new TableComparison(
                        new RibDigests(rib, () -> Position.UNKNOWN),
                        new StateDigests(database, "current", Duration.ofMinutes(1)),
                        Runnable::run,
                        Duration.ZERO)
                .compare(TableSelection.ALL, 0);
        assertThat(result.there().offsets()).containsExactly(Map.entry(3, 7L));
        assertThat(result.tables())
                .as(about + ": digests")
                .allMatch(table -> table.state() == ComparedTable.State.EQUAL);
        assertThat(result.tables().stream()
                        .mapToLong(table -> requireNonNull(table.here()).routes())
                        .sum())
                .isEqualTo(rib.size());
    }

    private static Map<Integer, LaneOffset> begin(Connection connection, Rib rib) throws SQLException {
        InvalidRows invalid = new InvalidRows();
        Map<Integer, LaneOffset> offsets = begin(connection, rib, invalid);
        assertThat(invalid.count()).isZero();
        return offsets;
    }

    private static Map<Integer, LaneOffset> begin(Connection connection, Rib rib, InvalidRows invalid)
            throws SQLException {
        StateSnapshot.Listener listener = new StateSnapshot.Listener() {
            @Override
            public void batch(RouteBatch batch) {
                rib.apply(batch);
            }

            @Override
            public void newestSession(String router, PeerEntry peer, long session) {
                rib.observeSession(router, peer, session);
            }

            @Override
            public void endOfRib(String router, PeerEntry peer, int family, long session) {
                rib.observeEndOfRib(router, peer, family, session);
            }

            @Override
            public void invalidRows(String router, PeerEntry peer, long rows) {
                rib.observeMissing(router, peer, rows);
            }
        };
        return StateSnapshot.read(connection, "current", TOPIC, listener, invalid);
    }

    private static void place(Connection connection, long next) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "INSERT INTO bmp.lane_offset (lane, topic, topic_id, kafka_partition, next_offset) VALUES ('current', 'bmp.routes', ?, 3, ?)")) {
            insert.setObject(1, TOPIC);
            insert.setLong(2, next);
            insert.executeUpdate();
        }
    }

    private void store(Connection connection, RouteBatch batch, Rib always) throws SQLException {
        always.apply(batch);
        if (!batch.redecoded()) {
            LaneTransaction.run(connection, writer.prepareBatches(connection, List.of(batch))::write);
        }
    }

    private static void purge(Connection connection, Rib always) throws SQLException {
        new Withdrawals(100, () -> true).purge(connection);
        while (always.purge(1000)) {}
    }

    private static Map<String, String> routes(Rib rib) {
        Map<String, String> routes = new TreeMap<>();
        try (RibReader reader = rib.reader()) {
            reader.forEach(route -> routes.put(RibRandomWalkTest.text(route), RibRandomWalkTest.value(route)));
        }
        return routes;
    }

    /** What both represent in the same way. */
    private List<String> stored() throws SQLException {
        return TestPostgres.query(
                database,
                "SELECT router, host(peer_address), rib_view, CASE WHEN prefix IS NULL THEN nlri ELSE concat_ws(' ', rd, encode(inet_send(prefix), 'hex')) END, coalesce(path_id, -1), coalesce(labels[1], 0), med, stale FROM bmp.v_rib"
                        + " ORDER BY 1, 2, 3, 4");
    }

    private static List<String> summary(Rib rib) {
        try (RibReader reader = rib.reader()) {
            List<String> lines = new java.util.ArrayList<>();
            reader.forEach(route -> lines.add(String.join(
                    "|",
                    route.peer().router(),
                    Addresses.text(false, 0, route.peer().addressLow()),
                    view(route.view()),
                    route.isPrefix() ? prefix(route) : route.nlri(),
                    route.hasPathId() ? Integer.toUnsignedString(route.pathId()) : "-1",
                    Integer.toString(route.labelCount() > 0 ? route.label(0) : 0),
                    Long.toString(route.med()),
                    route.stale() ? "t" : "f")));
            return lines.stream().sorted().toList();
        }
    }

    /** Not the string, which PostgreSQL writes differently for IPv6 addresses that contain IPv4 addresses. */
    private static String prefix(RouteView route) {
        String sent = route.ipv6()
                ? "03%02x0010%016x%016x".formatted(route.prefixLength(), route.addressHigh(), route.addressLow())
                : "02%02x0004%08x".formatted(route.prefixLength(), route.addressLow());
        return route.hasRd() ? RouteDistinguisher.text(route.rd()) + " " + sent : sent;
    }

    private static List<String> without(List<String> lines, List<String> others) {
        Set<String> known = new HashSet<>(others);
        return lines.stream().filter(line -> !known.contains(line)).limit(5).toList();
    }

    private static String view(RibView view) {
        return view.text();
    }
}
