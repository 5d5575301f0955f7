package dev.silkroute.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the check finds each kind of error in a history, by modifying single rows of a correct one. */
class HistoryCheckTest {
    private static final PeerEntry PEER =
            new PeerEntry(0, 0, false, 0, 0xC0000201L, 65001, 0x0A000001, RibView.ADJ_RIB_IN_PRE_POLICY);
    private static final String STAYS = "10.1.0.0/16";
    private static final String LEAVES = "10.2.0.0/16";
    private static final String CHANGES = "10.3.0.0/16";
    private static final String RETURNS = "10.4.0.0/16";
    private static final long FIRST = 100;
    private static final long SECOND = 200;
    private static final long THIRD = 300;

    private final Findings findings = new Findings();
    private final TopicTruth truth = new TopicTruth(findings);
    /** Rows by route; the index is the number of the route in the database. */
    private final Map<String, List<HistoryRow>> history = new TreeMap<>();

    /**
     * Creates four routes, then a session that lacks two of them and changes one; one of the two is announced again
     * later.
     */
    private void twoSessions() {
        publish(
                new String[] {STAYS, LEAVES, CHANGES, RETURNS},
                TestBatch.of(FIRST, 0)
                        .dump()
                        .announce(PEER, STAYS, 1)
                        .announce(PEER, LEAVES, 1)
                        .announce(PEER, CHANGES, 1)
                        .announce(PEER, RETURNS, 1)
                        .endOfRib(PEER, Family.IPV4_UNICAST));
        publish(
                new String[] {STAYS, CHANGES, RETURNS},
                TestBatch.of(SECOND, 60)
                        .dump()
                        .announce(PEER, STAYS, 1)
                        .announce(PEER, CHANGES, 2)
                        .endOfRib(PEER, Family.IPV4_UNICAST)
                        .announce(PEER, RETURNS, 1));
        drop(STAYS, SECOND);
        ended(LEAVES, SECOND, 2);
        ended(RETURNS, SECOND, 2);
    }

    /** Adds a batch to the topic and all its events to history. */
    private void publish(String[] routes, TestBatch batch) {
        byte[] record = batch.bytes();
        truth.add(record);
        RouteBatch read = RouteBatch.read(record);
        RouteCursor event = read.cursor();
        int next = 0;
        while (event.next()) {
            if (event.kind().isRoute()) {
                boolean announced = event.kind() == EventKind.ANNOUNCE;
                long attributes = announced ? read.hashLow(event.attributeSet()) : 0;
                add(routes[next++], new HistoryRow(read.sessionId(), event.sequence(), announced, false, attributes));
            }
        }
    }

    private void ended(String route, long session, long sequence) {
        add(route, new HistoryRow(session, sequence, false, true, 0));
    }

    private void add(String route, HistoryRow row) {
        history.computeIfAbsent(route, _ -> new ArrayList<>()).add(row);
    }

    private void drop(String route, long session) {
        history.getOrDefault(route, new ArrayList<>()).removeIf(row -> row.session() == session);
    }

    private HistoryCounts check() {
        HistoryCheck check = new HistoryCheck(truth, findings);
        long route = 0;
        for (List<HistoryRow> rows : history.values()) {
            route++;
            rows.sort(Comparator.comparing(HistoryRow::session).thenComparing(HistoryRow::sequence));
            for (HistoryRow row : rows) {
                check.add(route, row);
            }
        }
        HistoryCounts counts = check.close();
        truth.close();
        return counts;
    }

    private void assertFound(String what) {
        check();
        assertThat(findings.texts()).singleElement().asString().startsWith("1 × " + what);
    }

    @Test
    void givenHistoryThatIsRightWhenCheckedThenNothingIsFound() {
        twoSessions();

        HistoryCounts counts = check();

        assertThat(findings.texts()).isEmpty();
        assertThat(counts).isEqualTo(new HistoryCounts(6, 2, 1, 0, 0, 0, 0, 0, 0, 0));
    }

    @ParameterizedTest
    @CsvSource({STAYS + ",100", CHANGES + ",200", RETURNS + ",100", LEAVES + ",100"})
    void givenHistoryWithoutAnAnnouncementWhenCheckedThenItIsMissed(String route, long session) {
        twoSessions();
        history.get(route).removeIf(row -> row.session() == session && !row.synthetic());

        check();

        assertThat(findings.texts()).anyMatch(text -> text.startsWith("1 × event of bmp.routes that history lacks"));
    }

    @ParameterizedTest
    @ValueSource(strings = {STAYS, LEAVES, CHANGES, RETURNS})
    void givenHistoryWithAnAnnouncementTwiceWhenCheckedThenThatIsFound(String route) {
        twoSessions();
        history.get(route).add(history.get(route).getFirst());

        assertFound("duplicate event in history");
    }

    @Test
    void givenAnAnnouncementThatIsRepeatedForNothingWhenCheckedThenThatIsFound() {
        twoSessions();
        add(
                STAYS,
                new HistoryRow(
                        SECOND, 0, true, false, history.get(STAYS).getFirst().attributes()));

        assertFound("announcement of a new session in history that changes nothing");
    }

    @Test
    void givenAnAnnouncementWithOtherAttributesWhenCheckedThenThatIsFound() {
        twoSessions();
        drop(CHANGES, SECOND);
        add(CHANGES, new HistoryRow(SECOND, 1, true, false, 4711));

        assertFound("event of history with other content than in bmp.routes");
    }

    @Test
    void givenAnEventThatIsNotInTheTopicWhenCheckedThenItIsFound() {
        twoSessions();
        add(STAYS, new HistoryRow(SECOND, 99, true, false, 1));

        assertFound("event of history that is not in bmp.routes");
    }

    @Test
    void givenAnEventUnderAnotherRouteWhenCheckedThenThatIsFound() {
        twoSessions();
        HistoryRow row = history.get(CHANGES).removeLast();
        add(STAYS, row);

        check();

        assertThat(findings.texts())
                .anyMatch(text -> text.startsWith("1 × event that history attributes to another route"));
    }

    @Test
    void givenAWithdrawalByTheStationThatIsLostWhenCheckedThenTheRouteIsFound() {
        twoSessions();
        drop(LEAVES, SECOND);

        assertFound("removed route that is not withdrawn in history");
    }

    @ParameterizedTest
    @ValueSource(strings = {LEAVES, RETURNS})
    void givenAWithdrawalByTheStationTwiceWhenCheckedThenThatIsFound(String route) {
        twoSessions();
        ended(route, SECOND, 2);

        assertFound("withdrawal by the station of a route that was already withdrawn in history");
    }

    @Test
    void givenAWithdrawalOfARouteThatIsThereWhenCheckedThenThatIsFound() {
        twoSessions();
        ended(STAYS, SECOND, 2);

        assertFound("withdrawal by the station of a route that its router has");
    }

    @ParameterizedTest
    @CsvSource({"200,1", "200,3", "300,2"})
    void givenAWithdrawalInTheNameOfNothingWhenCheckedThenThatIsFound(long session, long sequence) {
        twoSessions();
        drop(LEAVES, SECOND);
        ended(LEAVES, session, sequence);

        check();

        assertThat(findings.texts())
                .anyMatch(text -> text.startsWith("1 × withdrawal by the station without an End-of-RIB or Peer Down"));
    }

    @Test
    void givenAWithdrawalOfARouteThatNobodyAnnouncedWhenCheckedThenThatIsFound() {
        twoSessions();
        ended("10.9.0.0/16", SECOND, 2);

        assertFound("event of history that is not in bmp.routes");
    }

    @Test
    void givenARouteThatCameAgainBeforeItsWithdrawalWhenCheckedThenItMayStay() {
        twoSessions();
        history.get(RETURNS).removeIf(HistoryRow::synthetic);

        HistoryCounts counts = check();

        assertThat(findings.texts()).isEmpty();
        assertThat(counts.spared()).isOne();
    }

    @Test
    void givenATableThatIsDumpedOnceMoreBeforeTheWithdrawalsWhenTheyBearTheLaterEndOfRibThenThatIsRight() {
        twoSessions();
        publish(new String[] {}, TestBatch.of(THIRD, 120).dump().endOfRib(PEER, Family.IPV4_UNICAST));
        drop(LEAVES, SECOND);
        for (String route : List.of(STAYS, LEAVES, CHANGES, RETURNS)) {
            ended(route, THIRD, 0);
        }

        HistoryCounts counts = check();

        assertThat(findings.texts()).isEmpty();
        assertThat(counts.late()).isOne();
    }

    @Test
    void givenWithdrawalsByBothEndsOfRibWhenCheckedThenThatIsFound() {
        twoSessions();
        publish(new String[] {}, TestBatch.of(THIRD, 120).dump().endOfRib(PEER, Family.IPV4_UNICAST));
        for (String route : List.of(STAYS, LEAVES, CHANGES, RETURNS)) {
            ended(route, THIRD, 0);
        }

        assertFound("withdrawal by the station of a route that was already withdrawn in history");
    }

    @Test
    void givenAPeerDownWhenTheRouteComesBackWithoutAWithdrawalThenThatIsFound() {
        twoSessions();
        publish(
                new String[] {STAYS},
                TestBatch.of(THIRD, 120).peerDown(PEER, false).announce(PEER, STAYS, 2));
        ended(CHANGES, THIRD, 0);
        ended(RETURNS, THIRD, 0);

        assertFound("removed route that is not withdrawn in history");
    }

    @Test
    void givenASessionAfterANewerOneWhenReadThenThatIsFound() {
        twoSessions();
        publish(new String[] {}, TestBatch.of(FIRST, 120).endOfRib(PEER, Family.IPV4_UNICAST));

        assertFound("event of bmp.routes after one of a newer session of its router");
    }
}
