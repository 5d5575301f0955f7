package dev.silkroute.postgres.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.copy.Times;
import dev.silkroute.postgres.maintenance.Rebuild;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.state.PhaseModel;
import dev.silkroute.state.RouterSession;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * SQL restates some decisions of package {@code state}: which session of a router is connected (functions of the
 * low-volume lanes), which routes are stale (views), which routes the history leads to (rebuild). Random events go to
 * the phases and to the database, which have to agree.
 */
class PhasesInSqlIT extends StateHarness {
    private static final String[] ROUTERS = {"r1", "r2"};
    private static final RibView[] VIEWS = {RibView.ADJ_RIB_IN_PRE_POLICY, RibView.ADJ_RIB_IN_POST_POLICY};
    private static final Duration NEVER = Duration.ofDays(36_500);

    private final PhaseModel model = new PhaseModel();
    private final long[] sessions = {1, 2};
    private Random random = new Random();
    private boolean inOrder;
    private long second;
    private long sequence;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void givenRandomEventsThenTheDatabaseIsWhereThePhasesAre(long seed) throws SQLException {
        walk(seed, "seed " + seed);
    }

    /**
     * Only what the history records in order: no timeouts, whose withdrawals happen now and not at the time of the
     * events.
     */
    @ParameterizedTest
    @ValueSource(longs = {6, 7, 8})
    void givenRandomEventsWhenTheStateIsRebuiltThenTheHistoryLeadsWhereThePhasesAre(long seed) throws SQLException {
        inOrder = true;
        walk(seed, "seed " + seed);
        try (Connection connection = database.getConnection()) {
            assertThat(new Rebuild(Duration.ofSeconds(5)).run(connection))
                    .as("seed %d", seed)
                    .isEqualTo(new Rebuild.Result(model.routes().size(), 0, 0, 0));
        }
    }

    private void walk(long seed, String about) throws SQLException {
        random = new Random(seed);
        for (int router = 0; router < ROUTERS.length; router++) {
            begin(router);
        }
        for (int step = 1; step <= 120; step++) {
            step();
            if (step % 6 == 0) {
                purge();
                compare(about + " after step " + step);
            }
        }
    }

    private void step() throws SQLException {
        int index = random.nextInt(2);
        String router = ROUTERS[index];
        long session = sessions[index];
        long reporting = random.nextInt(8) == 0 ? session - 1 : session;
        PeerEntry peer = peer();
        PhaseModel.View view = view(router, peer);
        switch (random.nextInt(24)) {
            case 0, 1 -> {
                sessions[index] += 1 + random.nextInt(2);
                begin(index);
            }
            case 2 -> {
                model.sessionDown(router, reporting);
                write(batch(router, reporting).session(EventKind.SESSION_DOWN));
                lifecycle(router, reporting, "session-down");
            }
            case 3 -> {
                long start = Math.max(sessions[0], sessions[1]) + random.nextInt(2) - 1;
                model.collectorStarted(start);
                write(TestBatch.of("", start, ++second).collectorStart());
                lifecycle("", start, "collector-start");
            }
            case 4 -> {
                model.peerUp(view, reporting);
                write(batch(router, reporting).peerUp(peer));
            }
            case 5, 6 -> {
                boolean all = random.nextBoolean();
                model.peerDown(view, all, reporting);
                write(batch(router, reporting).peerDown(peer, all));
            }
            case 7, 8, 9 -> {
                int family = new int[] {0, Family.IPV4_UNICAST, Family.IPV6_UNICAST}[random.nextInt(3)];
                model.endOfRib(view, family, reporting);
                write(batch(router, reporting).endOfRib(peer, family));
            }
            case 10 -> {
                if (!inOrder) {
                    expire(random.nextBoolean());
                }
            }
            default -> routes(router, reporting);
        }
    }

    private void begin(int router) throws SQLException {
        long session = sessions[router];
        String name = ROUTERS[router];
        if (inOrder || random.nextInt(4) > 0) {
            model.sessionUp(name, session);
            write(batch(name, session).session(EventKind.SESSION_UP));
            lifecycle(name, session, "session-up");
        } else {
            PeerEntry peer = peer();
            model.peerUp(view(name, peer), session);
            write(batch(name, session).peerUp(peer));
            lifecycle(name, session, "initiation");
        }
    }

    private void routes(String router, long session) throws SQLException {
        TestBatch batch = batch(router, session);
        if (random.nextBoolean()) {
            batch.dump();
        }
        for (int i = random.nextInt(6); i >= 0; i--) {
            PeerEntry peer = peer();
            String prefix = random.nextBoolean()
                    ? 10 + random.nextInt(3) + ".0.0.0/8"
                    : "2001:db8:" + (1 + random.nextInt(3)) + "::/48";
            PhaseModel.Route route = new PhaseModel.Route(view(router, peer), TestBatch.unicast(prefix), prefix);
            if (random.nextInt(4) == 0) {
                model.withdraw(route, session);
                batch.withdraw(peer, prefix);
            } else {
                int med = 1 + random.nextInt(2);
                model.announce(route, session, med);
                batch.announce(peer, prefix, med);
            }
        }
        write(batch);
    }

    private void expire(boolean down) throws SQLException {
        model.expire(down);
        try (Connection connection = database.getConnection()) {
            withdrawals.expire(connection, down ? Duration.ZERO : NEVER, down ? NEVER : Duration.ZERO);
        }
    }

    private TestBatch batch(String router, long session) {
        return TestBatch.of(router, session, ++second).message(++sequence);
    }

    private PeerEntry peer() {
        int host = 11 + random.nextInt(2);
        return TestBatch.peer(host, host, VIEWS[random.nextInt(2)]);
    }

    private static PhaseModel.View view(String router, PeerEntry peer) {
        return new PhaseModel.View(
                router, "192.0.2." + (peer.addressLow() & 255), peer.view().text());
    }

    private void lifecycle(String router, long session, String event) throws SQLException {
        String record = "[{\"event\":\"" + event + "\",\"collector\":\"c1\""
                + (router.isEmpty() ? "" : ",\"router\":\"" + router + "\",\"router_address\":\"192.0.2.1\"")
                + ",\"session_id\":" + session + ",\"sequence\":" + ++sequence
                + ",\"received_at\":\"" + Times.of(TestBatch.EIGHT + second * 1_000_000) + "\"}]";
        try (Connection connection = database.getConnection();
                PreparedStatement apply =
                        connection.prepareStatement("SELECT bmp.apply_peer_events(CAST(? AS jsonb))")) {
            apply.setString(1, record);
            apply.execute();
        }
    }

    private void compare(String about) throws SQLException {
        List<String> sessions = new ArrayList<>();
        for (String router : ROUTERS) {
            RouterSession session = model.routers().get(router);
            sessions.add(router + "|" + session.id() + "|" + (session.isUp() ? "t" : "f"));
        }
        assertThat(query("SELECT name, session_id, connected FROM bmp.router ORDER BY 1"))
                .as("routers, " + about)
                .isEqualTo(sessions);
        assertThat(query(
                        "SELECT r.name, l.session_id, l.live FROM bmp.live_session l JOIN bmp.router r USING (router_id)"
                                + " ORDER BY 1"))
                .as("sessions, " + about)
                .isEqualTo(sessions);
        List<String> routes = model.routes().entrySet().stream()
                .map(entry -> String.join(
                        "|",
                        entry.getKey().view().router(),
                        entry.getKey().view().peer(),
                        entry.getKey().view().view(),
                        entry.getKey().prefix(),
                        Integer.toString(entry.getValue().med()),
                        model.isStale(entry.getKey()) ? "t" : "f"))
                .sorted()
                .toList();
        assertThat(query("SELECT router, host(peer_address), rib_view, prefix, med, stale FROM bmp.v_rib").stream()
                        .sorted()
                        .toList())
                .as("routes, " + about)
                .isEqualTo(routes);
    }
}
