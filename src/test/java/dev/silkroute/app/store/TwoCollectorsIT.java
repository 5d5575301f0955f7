package dev.silkroute.app.store;

import static dev.silkroute.postgres.TestBatch.PEER;

import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.copy.Times;
import dev.silkroute.route.EventKind;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lanes of a router that has a session with each of two collectors. */
class TwoCollectorsIT extends LaneHarness {
    private static final String HISTORY =
            "SELECT event, prefix, med, synthetic FROM bmp.v_route_history ORDER BY session_id, sequence, prefix";
    private static final String STATE = "SELECT prefix, med, stale FROM bmp.v_rib ORDER BY 1";
    private static final long FIRST = 1_100;
    private static final long SECOND = 2_200;
    private static final long THIRD = 3_100;

    private long second;

    /** Given a router whose tables have come through both collectors. */
    @BeforeEach
    void feedBoth() throws Exception {
        start("history.camel.yaml", "current.camel.yaml", "lifecycle.camel.yaml");
        for (long session : List.of(FIRST, SECOND)) {
            begin(session);
            send(dump(session)
                    .announce("10.1.0.0/16", 1)
                    .announce("10.2.0.0/16", 1)
                    .announce("10.3.0.0/16", 1)
                    .endOfRib(PEER, Family.IPV4_UNICAST));
        }
        awaitAnswer(STATE, "10.1.0.0/16|1|f", "10.2.0.0/16|1|f", "10.3.0.0/16|1|f");
    }

    private static String collector(long session) {
        return session == SECOND ? "c2" : "c1";
    }

    private TestBatch batch(long session) {
        return TestBatch.of(collector(session), "r1", session, ++second).message(second);
    }

    private TestBatch dump(long session) {
        return batch(session).peerUp(PEER).dump();
    }

    private void begin(long session) throws Exception {
        send(batch(session).session(EventKind.SESSION_UP));
        lifecycle(session, "session-up", "\"router\":\"r1\",\"router_address\":\"192.0.2.1\"");
    }

    private void send(TestBatch... batches) throws Exception {
        for (TestBatch batch : batches) {
            send("bmp.routes", 0, batch.bytes());
        }
    }

    private void lifecycle(long session, String event, String fields) throws Exception {
        lifecycle(session, collector(session), event, fields);
    }

    private void lifecycle(long session, String collector, String event, String fields) throws Exception {
        send(
                "bmp.peers",
                0,
                utf8(
                        "{\"event\":\"%s\",\"collector\":\"%s\",\"session_id\":%d,\"sequence\":%d,\"received_at\":\"%s\",%s}"
                                .formatted(
                                        event,
                                        collector,
                                        session,
                                        ++second,
                                        Times.of(TestBatch.EIGHT + second * 1_000_000),
                                        fields)));
    }

    /** The collector of a session is reported as unavailable. */
    private void lose(long session) throws Exception {
        send(TestBatch.of(collector(session), "", session + 1, ++second).collectorStart());
        lifecycle(session + 1, collector(session), "collector-start", "\"unavailable\":true");
    }

    @Test
    void givenTwoSessionsWhenBothReportTheSameChangesThenTheHistoryHasEachOnce() throws Exception {
        // When changes arrive in both sessions, ahead in one or the other
        send(
                batch(FIRST).announce("10.1.0.0/16", 2),
                batch(SECOND).announce("10.1.0.0/16", 2).withdraw("10.2.0.0/16"),
                batch(SECOND).announce("10.3.0.0/16", 3),
                batch(FIRST).withdraw("10.2.0.0/16").announce("10.3.0.0/16", 3),
                batch(SECOND).announce("10.4.0.0/16", 4));
        // Then
        awaitAnswer(STATE, "10.1.0.0/16|2|f", "10.3.0.0/16|3|f", "10.4.0.0/16|4|f");
        awaitAnswer(
                HISTORY,
                "announce|10.1.0.0/16|1|f",
                "announce|10.2.0.0/16|1|f",
                "announce|10.3.0.0/16|1|f",
                "announce|10.1.0.0/16|2|f",
                "withdraw|10.2.0.0/16|-|f",
                "announce|10.3.0.0/16|3|f",
                "announce|10.4.0.0/16|4|f");
        awaitAnswer("SELECT count(*) FROM bmp.resync_candidate", "0");
    }

    @Test
    void givenThatTheCollectorOfTheNewestSessionIsGoneThenTheOtherSessionIsToSendItsTablesAgainAndTheHistoryHasNoGap()
            throws Exception {
        // When the other session goes on alone
        lose(SECOND);
        send(batch(FIRST).announce("10.1.0.0/16", 2).withdraw("10.2.0.0/16"));
        // Then what it reports could repeat what is known or not: it has to begin again
        awaitAnswer("SELECT * FROM bmp.resync_candidate", "r1|" + FIRST + "|remaining");
        awaitAnswer(STATE, "10.1.0.0/16|1|t", "10.2.0.0/16|1|t", "10.3.0.0/16|1|t");

        // When it has been ended and the router has sent its tables in a new one
        send(batch(FIRST).session(EventKind.SESSION_DOWN));
        lifecycle(FIRST, "session-down", "\"router\":\"r1\"");
        begin(THIRD);
        send(dump(THIRD).announce("10.1.0.0/16", 2).announce("10.3.0.0/16", 1).endOfRib(PEER, Family.IPV4_UNICAST));
        // Then
        awaitAnswer(STATE, "10.1.0.0/16|2|f", "10.3.0.0/16|1|f");
        awaitCommitted("silkroute-history", "bmp.routes");
        awaitAnswer(
                HISTORY,
                "announce|10.1.0.0/16|1|f",
                "announce|10.2.0.0/16|1|f",
                "announce|10.3.0.0/16|1|f",
                "announce|10.1.0.0/16|2|f",
                "withdraw|10.2.0.0/16|-|t");
        awaitAnswer("SELECT count(*) FROM bmp.resync_candidate", "0");
    }

    @Test
    void givenThatTheCollectorOfTheOlderSessionIsGoneThenNothingChanges() throws Exception {
        lose(FIRST);
        send(batch(SECOND).announce("10.1.0.0/16", 2));
        awaitAnswer(STATE, "10.1.0.0/16|2|f", "10.2.0.0/16|1|f", "10.3.0.0/16|1|f");
        awaitAnswer("SELECT count(*) FROM bmp.resync_candidate", "0");
    }

    @Test
    void givenAWriterThatStartsAgainThenItGoesOnWithTheNewestSession() throws Exception {
        send(batch(SECOND).announce("10.1.0.0/16", 2));
        awaitAnswer("SELECT med FROM bmp.v_rib WHERE prefix = '10.1.0.0/16'", "2");
        context.stop();
        start("history.camel.yaml", "current.camel.yaml", "lifecycle.camel.yaml");
        send(
                batch(FIRST).announce("10.1.0.0/16", 2).announce("10.2.0.0/16", 5),
                batch(SECOND).announce("10.2.0.0/16", 6));
        awaitAnswer(STATE, "10.1.0.0/16|2|f", "10.2.0.0/16|6|f", "10.3.0.0/16|1|f");
        awaitAnswer(
                HISTORY,
                "announce|10.1.0.0/16|1|f",
                "announce|10.2.0.0/16|1|f",
                "announce|10.3.0.0/16|1|f",
                "announce|10.1.0.0/16|2|f",
                "announce|10.2.0.0/16|6|f");
    }
}
