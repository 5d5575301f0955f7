package dev.silkroute.postgres.withdrawal;

import static dev.silkroute.postgres.TestBatch.*;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.maintenance.Rebuild;
import dev.silkroute.postgres.state.CurrentStateWriter;
import dev.silkroute.postgres.state.TableDumps;
import dev.silkroute.postgres.withdrawal.WithdrawalOutbox.Entry;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import io.agroal.api.AgroalDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What waits for the topic of withdrawals: with the history's rows, bounded, until it is delivered. */
class WithdrawalOutboxIT {
    private static final String WAITING = "SELECT count(*) FROM bmp.withdrawal_outbox";
    private static final String TOLD = "SELECT session_id, sequence, nlri FROM bmp.v_route_history WHERE synthetic"
            + " ORDER BY received_at, session_id, sequence, nlri";

    @AutoClose
    private final AgroalDataSource database = TestPostgres.pool();

    private final DimensionCache dimensions = new DimensionCache(100);
    private final CurrentStateWriter state =
            new CurrentStateWriter(dimensions, new AttributeSets(1000), true, new TableDumps(TableDumps.DEFAULT_BYTES));
    private final Withdrawals withdrawals = new Withdrawals(2, () -> true, new WithdrawalOutbox(3));

    private void write(CurrentStateWriter writer, TestBatch... batches) throws SQLException {
        List<RouteBatch> list = Arrays.stream(batches).map(TestBatch::build).toList();
        try (Connection connection = database.getConnection()) {
            LaneTransaction.run(connection, writer.prepareBatches(connection, list)::write);
        }
    }

    private long purge(Withdrawals of) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return of.purge(connection);
        }
    }

    private int deliver(int limit, Consumer<List<Entry>> delivery) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return WithdrawalOutbox.deliver(connection, limit, delivery);
        }
    }

    /** Everything, in batches of two. */
    private List<JsonNode> deliverAll() throws SQLException {
        List<Entry> entries = new ArrayList<>();
        while (deliver(2, entries::addAll) > 0) {}
        return entries.stream().map(Entry::json).map(WithdrawalOutboxIT::parse).toList();
    }

    private static JsonNode parse(byte[] json) {
        try {
            return new ObjectMapper().readTree(json);
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String row(JsonNode withdrawal) {
        return withdrawal.get("session_id") + "|" + withdrawal.get("sequence") + "|"
                + withdrawal.get("nlri").asText();
    }

    private List<String> query(String sql) throws SQLException {
        return TestPostgres.query(database, sql);
    }

    private static TestBatch up(long session, long second) {
        return of(session, second).session(EventKind.SESSION_UP).peerUp(PEER).dump();
    }

    private static TestBatch seven(long session, long second) {
        TestBatch batch = up(session, second);
        for (int i = 1; i <= 7; i++) {
            batch.announce("10." + i + ".0.0/16", i);
        }
        return batch;
    }

    @Test
    void givenItIsOffThenNothingWaits() throws SQLException {
        CurrentStateWriter off = new CurrentStateWriter(dimensions, new AttributeSets(1000));
        write(off, seven(1, 0));
        write(off, of(1, 1).peerDown(PEER, true).peerUp(PEER).announce("10.1.0.0/16", 9));
        assertThat(purge(new Withdrawals(2, () -> true))).isEqualTo(6);
        assertThat(query(TOLD)).hasSize(7);
        assertThat(query(WAITING)).containsExactly("0");
    }

    @Test
    void givenItIsFullThenThePurgeWaitsAndTheLaneDoesNot() throws SQLException {
        write(state, seven(1, 0));
        write(state, of(1, 1).peerDown(PEER, true));
        assertThat(purge(withdrawals)).isEqualTo(4); // three would leave room for another batch
        assertThat(purge(withdrawals)).isZero();
        assertThat(query(WAITING)).containsExactly("4");
        assertThat(query("SELECT count(*) FROM bmp.v_rib")).containsExactly("0");
        assertThat(withdrawals.statistics().waitingWithdrawals()).isEqualTo(4);
        assertThat(withdrawals.statistics().waitingTables()).isEqualTo(1);

        // When: what is left comes again
        write(state, seven(1, 2));
        assertThat(query(WAITING)).containsExactly("7");
        assertThat(query("SELECT count(*) FROM bmp.v_rib")).containsExactly("7");
        assertThat(query(TOLD)).hasSize(7);

        // When: there is room
        assertThat(deliver(4, entries -> {})).isEqualTo(4);
        write(state, of(1, 3).peerDown(PEER, true));
        assertThat(purge(withdrawals)).isEqualTo(2);
        assertThat(query(WAITING)).containsExactly("5");
        deliverAll();
        assertThat(purge(withdrawals)).isEqualTo(4);
        deliverAll();
        assertThat(purge(withdrawals)).isEqualTo(1);
        assertThat(query("SELECT count(*) FROM bmp.rib_ended")).containsExactly("0");
    }

    @Test
    void givenWithdrawalsOfPurgeAndLaneThenEachIsDeliveredAsTheHistoryHasIt() throws SQLException {
        Withdrawals unbounded = new Withdrawals(2, () -> true, new WithdrawalOutbox(1000));
        write(state, seven(1, 0).endOfRib(PEER, Family.IPV4_UNICAST));
        write(state, of(1, 1).session(EventKind.SESSION_DOWN));
        // Another table: its End-of-RIB withdraws five, a Peer Down two, of which one is announced before the purge
        // comes
        write(
                state,
                up(2, 2).announce("10.1.0.0/16", 1).announce("10.2.0.0/16", 9).endOfRib(PEER, Family.IPV4_UNICAST));
        assertThat(purge(unbounded)).isEqualTo(5);
        write(state, of(2, 3).peerDown(PEER, true).peerUp(PEER).announce("10.2.0.0/16", 2));
        assertThat(purge(unbounded)).isEqualTo(1);

        // Then
        assertThatThrownBy(() -> deliver(3, entries -> {
                    throw new IllegalStateException("unavailable");
                }))
                .hasMessage("unavailable");
        assertThat(query(WAITING)).containsExactly("7");
        List<JsonNode> delivered = deliverAll();
        assertThat(query(WAITING)).containsExactly("0");
        assertThat(delivered.stream().map(WithdrawalOutboxIT::row)).containsExactlyInAnyOrderElementsOf(query(TOLD));
        assertThat(delivered.stream().map(each -> each.get("received_at").asText()))
                .isSorted()
                .contains("2026-11-21T08:00:02.000000Z", "2026-11-21T08:00:03.000000Z");
        assertThat(query("SELECT router FROM bmp.v_route_history WHERE synthetic"))
                .containsOnly(delivered.getFirst().get("router").asText());
    }

    @Test
    void givenWithdrawalsOfManyFamiliesThenTheirJsonIsThatOfTheRoutesTopic() throws SQLException {
        write(state, seven(1, 0));
        try (Connection connection = database.getConnection();
                Statement insert = connection.createStatement()) {
            insert.execute("UPDATE bmp.router SET address = NULL");
            insert.execute("UPDATE bmp.peer SET address = '2001:db8::192.0.2.1', peer_type = 1, distinguisher = -2");
            insert.execute("INSERT INTO bmp.withdrawal_outbox (received_at, session_id, sequence, peer_id, rib_view,"
                    + " family, rd, prefix, nlri, path_id) SELECT"
                    + " '2026-11-21 09:00:00.000001+01', 1, 2, peer_id, 4, w.*"
                    + " FROM bmp.peer, (VALUES"
                    + " (513, NULL, '::192.0.2.1/128'::cidr, NULL, 4294967295),"
                    + " (384, (2::bigint << 48) + (4200000001 << 16) + 7, '10.0.0.0/8', NULL, NULL),"
                    + " (6470, NULL, NULL, 'mac-ip etag=2', 0)) w");
        }
        List<String> json = new ArrayList<>();
        deliver(1, entries -> json.add(new String(entries.getFirst().json(), UTF_8)));
        try (Connection connection = database.getConnection();
                Statement update = connection.createStatement()) {
            update.execute("UPDATE bmp.router SET address = '::ffff:192.0.2.1'");
        }
        deliver(2, entries -> entries.forEach(entry -> json.add(new String(entry.json(), UTF_8))));

        // Then
        String header = "{'event':'withdraw','collector':'c1','router':'r1',%s'session_id':1,"
                + "'received_at':'2026-11-21T08:00:00.000001Z','sequence':2,'synthetic':true,"
                + "'peer_type':'rd','peer_distinguisher':'fffffffffffffffe','peer_address':'2001:db8::c000:201',"
                + "'peer_asn':4200000011,'peer_bgp_id':'10.0.0.11','rib_view':'loc-rib',";
        String address = "'router_address':'::ffff:192.0.2.1',";
        assertThat(json.stream().map(text -> text.replace('"', '\'')))
                .containsExactly(
                        header.formatted("") + "'afi':2,'safi':1,'family':'ipv6-unicast',"
                                + "'prefix':'::c000:201/128','nlri':'::c000:201/128','path_id':4294967295}",
                        header.formatted(address) + "'afi':1,'safi':128,'family':'vpnv4','rd':'4200000001:7',"
                                + "'prefix':'10.0.0.0/8','nlri':'4200000001:7 10.0.0.0/8'}",
                        header.formatted(address) + "'afi':25,'safi':70,'family':'evpn','nlri':'mac-ip etag=2',"
                                + "'path_id':0}");
    }

    @Test
    void givenANumberThatComesLateThenItIsDeliveredAfterThoseBehindIt() throws SQLException {
        write(state, seven(1, 0));
        String insert =
                "INSERT INTO bmp.withdrawal_outbox (received_at, session_id, sequence, peer_id, family, rib_view,"
                        + " prefix) SELECT now(), 1, %d, peer_id, 257, 0, '10.0.0.0/8' FROM bmp.peer";
        try (Connection late = database.getConnection();
                Connection early = database.getConnection()) {
            late.setAutoCommit(false);
            late.createStatement().execute(insert.formatted(1));
            early.createStatement().execute(insert.formatted(2));
            List<JsonNode> first = deliverAll();
            late.commit();
            List<JsonNode> second = deliverAll();
            assertThat(first.stream().map(each -> each.get("sequence").asInt())).containsExactly(2);
            assertThat(second.stream().map(each -> each.get("sequence").asInt()))
                    .containsExactly(1);
        }
    }

    @Test
    void whileOneDeliversNobodyElseDoes() throws SQLException {
        write(state, seven(1, 0));
        write(state, of(1, 1).peerDown(PEER, true));
        purge(withdrawals);
        List<Entry> others = new ArrayList<>();
        assertThat(deliver(2, entries -> {
                    try {
                        assertThat(deliver(10, others::addAll)).isZero();
                    } catch (SQLException e) {
                        throw new AssertionError(e);
                    }
                }))
                .isEqualTo(2);
        assertThat(others).isEmpty();
        assertThat(deliver(10, others::addAll)).isEqualTo(2);
    }

    @Test
    void whatARebuildWithdrawsWaitsTooIfPublishingIsEnabled() throws SQLException {
        write(state, seven(1, 0));
        write(state, of(1, 1).peerDown(PEER, true));
        try (Connection connection = database.getConnection()) {
            WithdrawalOutbox.setEnabled(connection, true);
            new Rebuild(Duration.ofSeconds(10)).run(connection);
        }
        assertThat(query(WAITING)).containsExactly("7");
        try (Connection connection = database.getConnection()) {
            WithdrawalOutbox.setEnabled(connection, false);
            write(state, seven(1, 2));
            write(state, of(1, 3).peerDown(PEER, true));
            new Rebuild(Duration.ofSeconds(10)).run(connection);
        }
        assertThat(query(WAITING)).containsExactly("7");
    }
}
