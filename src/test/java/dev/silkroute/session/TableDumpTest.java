package dev.silkroute.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.bmp.PeerHeader;
import dev.silkroute.load.Churn;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.session.identity.RouterIdentity;
import dev.silkroute.session.identity.RouterValues;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Which announcements are part of a table dump, and when the dump is complete: by the router's End-of-RIB or a
 * generated one.
 */
class TableDumpTest {
    private static final long MINUTE = 60_000_000;
    private static final SessionConfig CONFIG = new SessionConfig(
            "col",
            100,
            AddPathPolicy.HEURISTIC,
            RouterValues.NONE,
            Map.of(),
            new TableDumpLimits(Duration.ofMinutes(2), Duration.ofMinutes(30)));

    private final BmpSession session =
            new BmpSession(CONFIG, 1, InetAddress.getLoopbackAddress(), RouterIdentity.configured("r1"));
    private long message;

    private List<String> decode(byte[] bytes, long minute) {
        DecodedBatch decoded = session.decode(bytes, message, minute * MINUTE, null);
        message = session.messages();
        List<String> events = new ArrayList<>();
        if (decoded.routes().length > 0) {
            RouteCursor cursor = RouteBatch.read(decoded.routes()).cursor();
            while (cursor.next()) {
                events.add(cursor.kind()
                        + (cursor.family() == 0 ? "" : " " + Family.text(cursor.family()))
                        + (cursor.isTableDump() ? " dump" : "")
                        + (cursor.synthetic() ? " synthetic " + cursor.sequence() : "")
                        + (cursor.coversAllViews() ? " all" : ""));
            }
        }
        return events;
    }

    /** Initiation, Peer Up, one route with End-of-RIB or without, and one change after it. */
    private static List<byte[]> messages() {
        LoadRouter router =
                TestLoad.of(7, 1, 1).churn(Churn.REDUMP, 1).down(true).router();
        List<byte[]> steps = new ArrayList<>();
        ByteSink sink = new ByteSink();
        router.next(sink); // Initiation goes with the Peer Up
        while (router.next(sink) > 0) {
            steps.add(sink.toByteArray());
            sink.reset();
        }
        return steps;
    }

    @Test
    void givenATableWhenTheRouterSendsEndOfRibThenAnnouncementsBeforeItArePartOfItAndThoseAfterItAreNot() {
        List<byte[]> steps = messages();
        assertThat(decode(steps.get(0), 0)).containsExactly("SESSION_UP", "PEER_UP");
        assertThat(decode(steps.get(1), 0)).containsExactly("ANNOUNCE ipv4-unicast dump");
        assertThat(decode(steps.get(2), 0)).containsExactly("END_OF_RIB ipv4-unicast");
        assertThat(decode(steps.get(4), 0)).containsExactly("ANNOUNCE ipv4-unicast");

        // Then: after a Peer Down and another Peer Up there is another dump
        assertThat(decode(steps.get(6), 0)).containsExactly("PEER_DOWN all");
        assertThat(decode(steps.get(0), 0)).containsExactly("PEER_UP");
        assertThat(decode(steps.get(1), 0)).containsExactly("ANNOUNCE ipv4-unicast dump");
    }

    @Test
    void givenATableWhenTheRouterSendsEndOfRibThenTheStateOfTheSessionIsComplete() {
        List<byte[]> steps = messages();
        assertThat(session.dumpState()).isEqualTo(DumpState.NOT_BEGUN);
        decode(steps.get(0), 0);
        assertThat(session.dumpState()).as("Peer Up").isEqualTo(DumpState.NOT_BEGUN);
        decode(steps.get(1), 0);
        assertThat(session.dumpState()).as("a route").isEqualTo(DumpState.IN_PROGRESS);
        decode(steps.get(2), 0);
        assertThat(session.dumpState()).as("End-of-RIB").isEqualTo(DumpState.COMPLETE);
        decode(steps.get(4), 0);
        assertThat(session.dumpState()).as("a change").isEqualTo(DumpState.COMPLETE);

        // Then: the only peer goes down, comes up again and begins another table
        decode(steps.get(6), 0);
        assertThat(session.dumpState()).isEqualTo(DumpState.NOT_BEGUN);
        decode(steps.get(0), 0);
        decode(steps.get(1), 0);
        assertThat(session.dumpState()).isEqualTo(DumpState.IN_PROGRESS);
        session.ignoreDumpState();
        decode(steps.get(2), 0);
        assertThat(session.dumpState()).as("not needed any more").isEqualTo(DumpState.IN_PROGRESS);
    }

    @Test
    void givenTwoPeersWhenOneHasSentEndOfRibThenTheSessionIsNotComplete() {
        LoadRouter router = TestLoad.of(7, 2, 1).router();
        List<DumpState> states = new ArrayList<>();
        ByteSink sink = new ByteSink();
        while (router.next(sink) > 0) {
            decode(sink.toByteArray(), 0);
            sink.reset();
            if (states.isEmpty() || states.getLast() != session.dumpState()) {
                states.add(session.dumpState());
            }
        }
        assertThat(states).containsExactly(DumpState.NOT_BEGUN, DumpState.IN_PROGRESS, DumpState.COMPLETE);
    }

    @Test
    void givenARouterWithoutEndOfRibWhenItsTableIsQuietThenTheStationGeneratesItOnce() {
        List<byte[]> steps = messages();
        decode(steps.get(0), 0);
        decode(steps.get(1), 1);
        assertThat(session.awaitsTables()).isTrue();
        assertThat(decode(new byte[0], 2)).isEmpty();
        assertThat(decode(new byte[0], 3)).containsExactly("END_OF_RIB ipv4-unicast synthetic 196607");
        assertThat(decode(new byte[0], 9)).isEmpty();
        assertThat(decode(steps.get(4), 9)).containsExactly("ANNOUNCE ipv4-unicast");
    }

    /** Decodes a batch without messages, at a time of the system clock and one of a monotonic clock. */
    private DecodedBatch withoutMessages(long receivedMicros, long elapsed) {
        return session.decode(new byte[0], 0, 0, session.messages(), receivedMicros, elapsed, null);
    }

    @Test
    void givenASystemClockThatJumpsWhenLittleTimeHasElapsedThenNoTableIsCompleted() {
        List<byte[]> steps = messages();
        session.decode(steps.get(0), 0, 0, null);
        session.decode(steps.get(1), session.messages(), 0, null);

        DecodedBatch afterTheJump = withoutMessages(600 * MINUTE, MINUTE);
        assertThat(afterTheJump.routes()).isEmpty();

        DecodedBatch afterTheTime = withoutMessages(600 * MINUTE, 2 * MINUTE);
        assertThat(afterTheTime.routes()).isNotEmpty();
    }

    @Test
    void givenATableThatIsNeverQuietWhenItsTimeIsOverThenAllOfThePeersTablesAreComplete() {
        List<byte[]> steps = messages();
        decode(steps.get(0), 0);
        for (int minute = 1; minute < 30; minute++) {
            assertThat(decode(steps.get(1), minute)).containsExactly("ANNOUNCE ipv4-unicast dump");
        }
        assertThat(decode(steps.get(1), 30))
                .containsExactly(
                        "ANNOUNCE ipv4-unicast dump", "END_OF_RIB synthetic " + ((message << 16) - 1) + " all");
        assertThat(session.awaitsTables()).isFalse();
        assertThat(decode(steps.get(1), 31)).containsExactly("ANNOUNCE ipv4-unicast");
        assertThat(decode(new byte[0], 99)).isEmpty();
    }

    @Test
    void givenAPeerWhoseTimeIsOverThenATableThatBeginsLaterIsNotADump() {
        List<byte[]> steps = messages();
        decode(steps.get(0), 0);
        assertThat(decode(new byte[0], 30)).containsExactly("END_OF_RIB synthetic 131071 all");
        assertThat(decode(steps.get(1), 60)).containsExactly("ANNOUNCE ipv4-unicast");
    }

    @Test
    void givenARepeatedPeerUpThenTheTableContinues() {
        List<byte[]> steps = messages();
        decode(steps.get(0), 0);
        decode(steps.get(1), 0);
        decode(steps.get(2), 0);
        decode(steps.get(0), 0);
        assertThat(decode(steps.get(1), 0)).containsExactly("ANNOUNCE ipv4-unicast");
    }

    @Test
    void givenMoreQuietTablesThanABatchCanHoldThenTheirEndIsReportedBatchByBatch() {
        // Given: more peers and views than the peer table of a batch can have
        int peers = 16_400;
        BmpSession many = new BmpSession(
                new SessionConfig(
                        "col", peers, AddPathPolicy.HEURISTIC, RouterValues.NONE, Map.of(), CONFIG.tableDumps()),
                1,
                InetAddress.getLoopbackAddress(),
                RouterIdentity.configured("r1"));
        byte[] update =
                Bytes.ofHex(Messages.update("", Messages.ATTRIBUTES, "080a")).toArray();
        for (int flags : new int[] {0, 0x40, 0x10, 0x50}) {
            ByteSink out = new ByteSink();
            for (int peer = 0; peer < peers; peer++) {
                PeerHeader header = new PeerHeader(0, flags, 0, 0, 0x0A00_0000L + peer, 65001, peer + 1, 0);
                BmpEncoder.routeMonitoring(header, update, 0, update.length, out);
            }
            many.decode(out.toByteArray(), many.messages(), 0, null);
        }

        // When all of them are quiet, and nothing more arrives
        List<Integer> events = new ArrayList<>();
        while (events.isEmpty() || events.getLast() > 0) {
            events.add(
                    many.decode(new byte[0], many.messages(), 2 * MINUTE, null).events());
        }

        // Then
        assertThat(events).allMatch(count -> count < 20_000);
        assertThat(events.stream().mapToInt(Integer::intValue).sum()).isEqualTo(4 * peers);
    }
}
