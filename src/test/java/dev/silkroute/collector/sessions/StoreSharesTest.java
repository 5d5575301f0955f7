package dev.silkroute.collector.sessions;

import static dev.silkroute.collector.sessions.StoreShares.DEMAND_NANOS;
import static dev.silkroute.collector.sessions.StoreShares.DUE;
import static dev.silkroute.collector.sessions.StoreShares.FIRST_PEERS_COST;
import static dev.silkroute.collector.sessions.StoreShares.FIRST_WINDOW;
import static dev.silkroute.collector.sessions.StoreShares.LONGEST_NANOS;
import static dev.silkroute.collector.sessions.StoreShares.OUTAGE_NANOS;
import static dev.silkroute.collector.sessions.StoreShares.RECORD_COST;
import static dev.silkroute.collector.sessions.StoreShares.ROUTE_COST;
import static dev.silkroute.collector.sessions.StoreShares.SMALLEST_SHARE;
import static dev.silkroute.collector.sessions.StoreShares.SMALLEST_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.session.LaneName;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lanes of two partitions, whose time and offsets the test sets. */
class StoreSharesTest {
    private static final long HEAVY = 1;
    private static final long LIGHT = 2;
    /** Has the address of {@link #HEAVY}. */
    private static final long NEIGHBOR = 3;

    private static final InetAddress HEAVY_ADDRESS = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress LIGHT_ADDRESS = InetAddress.ofLiteral("192.0.2.2");
    private static final Duration TARGET = Duration.ofMillis(700);
    private static final long SOON =
            StoreShares.COLLECTING_NANOS + (TARGET.toNanos() - StoreShares.COLLECTING_NANOS) / 4 * 3 - 1;
    private static final int BATCH = 64 << 10;
    private static final int MESSAGE = 100;
    private static final long FILLED = FIRST_WINDOW + 1;

    private final StoreShares shares = new StoreShares(TARGET);
    private long now = Long.MAX_VALUE - 1000; // System.nanoTime() may have any value, and overflows
    private long end;
    private long next;

    @BeforeEach
    void aLaneThatHasStoredEverything() {
        shares.opened(HEAVY, HEAVY_ADDRESS, now);
        shares.opened(LIGHT, LIGHT_ADDRESS, now);
        look("current", LaneName.ROUTES);
    }

    private void look(String lane, LaneName kind) {
        shares.progress(lane, kind, new long[] {end, 0}, new long[] {next, Long.MAX_VALUE}, now);
    }

    /** Sends a route with a cost. */
    private void send(long session, long cost) {
        shares.decoded(LaneName.ROUTES, session, 1, cost - ROUTE_COST);
        end++;
    }

    private void fill() {
        send(HEAVY, FILLED);
        mark();
    }

    private void mark() {
        shares.mark(now);
        look("current", LaneName.ROUTES);
    }

    /** The lane stores everything, which takes a time. */
    private void store(long nanos) {
        now += nanos;
        next = end;
        look("current", LaneName.ROUTES);
    }

    private boolean mustWait(long session, int bytes) {
        return shares.admitted(session, bytes, MESSAGE, now) == 0;
    }

    @Test
    void anAddressWithMoreThanItsShareWaitsAndOthersDoNot() {
        assertThat(mustWait(HEAVY, BATCH)).isFalse();
        fill();
        send(LIGHT, SMALLEST_SHARE / 2);
        assertThat(mustWait(HEAVY, BATCH)).isTrue();
        assertThat(mustWait(LIGHT, 1000)).isFalse();
    }

    @Test
    void aSmallShareIsAdmittedHoweverManyAddressesThereAre() {
        fill();
        for (int i = 0; i < 250; i++) {
            shares.opened(1000 + i, InetAddress.ofLiteral("198.51.100." + i), now);
            send(1000 + i, 10_000);
        }
        shares.opened(2000, InetAddress.ofLiteral("203.0.113.1"), now);
        send(LIGHT, SMALLEST_SHARE - 1000);
        assertThat(mustWait(LIGHT, 1000)).isFalse();
        assertThat(mustWait(LIGHT, 1001)).isTrue();
    }

    @Test
    void aMessageThatCostsMoreThanAShareWaitsForRoomInTheWindow() {
        fill();
        int large = (int) FIRST_WINDOW / 2 + 1;
        assertThat(shares.admitted(LIGHT, large, large, now)).isZero();
        assertThat(shares.admitted(LIGHT, large, large - 1, now)).isPositive();
        store(1);
        assertThat(shares.admitted(LIGHT, large, large, now)).isPositive();
    }

    @Test
    void whileThereIsNoRoomOneSuchMessageIsAdmittedNowAndThen() {
        fill();
        int large = (int) FIRST_WINDOW / 2 + 1;
        now += TARGET.toNanos() - 1;
        assertThat(shares.admitted(LIGHT, large, large, now)).isZero();
        now++;
        assertThat(shares.admitted(LIGHT, large, large, now)).isEqualTo(large);
        assertThat(shares.admitted(HEAVY, large, large, now)).isZero();
        now += TARGET.toNanos();
        assertThat(shares.admitted(HEAVY, large, large, now)).isEqualTo(large);
    }

    @Test
    void sessionsHaveSmallerPartsTheMoreTheirAddressHas() {
        int count = 4 * (int) StoreShares.SMALLEST_PARTS;
        for (int i = 0; i < count; i++) {
            shares.opened(1000 + i, HEAVY_ADDRESS, now);
        }
        now += LONGEST_NANOS + 1;
        fill();
        long part = SMALLEST_SHARE / 4;
        for (int i = 1; i < count; i++) {
            send(1000 + i, part - 1000);
        }
        assertThat(mustWait(1001, 1000)).isFalse();
        assertThat(mustWait(1001, 1001)).isTrue();
    }

    private void openNeighbor() {
        shares.opened(NEIGHBOR, HEAVY_ADDRESS, now);
    }

    @Test
    void aSessionWithASmallPartOfItsAddressesShareDoesNotWait() {
        openNeighbor();
        now += LONGEST_NANOS + 1;
        fill();
        long part = FIRST_WINDOW / 2 / 2;
        send(NEIGHBOR, part - 1000);
        assertThat(mustWait(HEAVY, BATCH)).isTrue();
        assertThat(mustWait(NEIGHBOR, 1000)).isFalse();
        assertThat(mustWait(NEIGHBOR, 1001)).isTrue();
    }

    @Test
    void aNewSessionHasNoPartOfItsOwn() {
        fill();
        openNeighbor();
        now += LONGEST_NANOS;
        assertThat(mustWait(NEIGHBOR, 1)).isTrue();
        assertThat(shares.mayRead(NEIGHBOR, 1, now)).isFalse();
        now++;
        assertThat(mustWait(NEIGHBOR, 1)).isFalse();
        assertThat(shares.mayRead(NEIGHBOR, 1, now)).isTrue();
    }

    /** Closes the session of another address. */
    private void onlyOneAddress() {
        shares.closed(LIGHT);
        openNeighbor();
        shares.opened(LIGHT, HEAVY_ADDRESS, now);
    }

    @Test
    void sessionsOfTheOnlyAddressDoNotWaitWhileAllOfThemHaveMuchToSend() {
        onlyOneAddress();
        send(HEAVY, FILLED);
        assertThat(mustWait(HEAVY, BATCH)).isTrue();
        assertThat(mustWait(NEIGHBOR, BATCH)).as("LIGHT sends nothing").isTrue();
        assertThat(mustWait(LIGHT, BATCH)).isFalse();
        assertThat(mustWait(HEAVY, BATCH)).isFalse();
        assertThat(mustWait(NEIGHBOR, BATCH)).isFalse();
        now += DEMAND_NANOS;
        assertThat(mustWait(NEIGHBOR, BATCH)).isFalse();
        now++;
        assertThat(mustWait(NEIGHBOR, BATCH))
                .as("others have asked for nothing for a while")
                .isTrue();
    }

    @Test
    void aSessionThatWaitsWithLittleIsProtected() {
        onlyOneAddress();
        send(HEAVY, FILLED);
        assertThat(mustWait(HEAVY, BATCH)).isTrue();
        assertThat(mustWait(LIGHT, BATCH)).isTrue();
        assertThat(mustWait(NEIGHBOR, (int) SMALLEST_SHARE - 1))
                .as("all others have much to send")
                .isFalse();
        assertThat(mustWait(HEAVY, BATCH)).isTrue();
    }

    @Test
    void sessionsOfSeveralAddressesWaitAlthoughAllOfThemHaveMuchToSend() {
        send(HEAVY, FILLED);
        send(LIGHT, FILLED);
        assertThat(mustWait(HEAVY, BATCH)).isTrue();
        assertThat(mustWait(LIGHT, BATCH)).isTrue();
        assertThat(mustWait(HEAVY, BATCH)).isTrue();
    }

    @Test
    void aSessionThatHasEndedDemandsNothing() {
        onlyOneAddress();
        send(HEAVY, FILLED);
        assertThat(mustWait(HEAVY, BATCH)).isTrue();
        shares.closed(HEAVY);
        assertThat(mustWait(NEIGHBOR, BATCH)).isTrue();
    }

    @Test
    void theOnlySessionNeverWaits() {
        shares.closed(LIGHT);
        fill();
        assertThat(mustWait(HEAVY, BATCH)).isFalse();
    }

    @Test
    void whatASessionHasSentCountsForItsAddressWhenItHasEnded() {
        fill();
        shares.sending(HEAVY, BATCH);
        shares.closed(HEAVY);
        openNeighbor();
        assertThat(mustWait(NEIGHBOR, BATCH)).isTrue();
        store(SOON);
        assertThat(mustWait(NEIGHBOR, BATCH)).isFalse();
    }

    @Test
    void whatIsBeingDecodedCounts() {
        for (long sent = 0; sent <= FIRST_WINDOW; sent += BATCH) {
            assertThat(mustWait(HEAVY, BATCH)).isFalse();
            shares.sending(HEAVY, BATCH);
        }
        assertThat(mustWait(HEAVY, BATCH)).isTrue();
        assertThat(mustWait(LIGHT, 1000)).isFalse();
        shares.sent(HEAVY, BATCH);
        assertThat(mustWait(HEAVY, BATCH)).isFalse();
    }

    @Test
    void storingMakesRoom() {
        fill();
        send(HEAVY, 5000);
        mark();
        next = 1;
        look("current", LaneName.ROUTES);
        assertThat(shares.cost("current")).as("what is behind the second mark").isEqualTo(5000);
        assertThat(mustWait(HEAVY, BATCH)).isFalse();
    }

    @Test
    void eachLaneOfATopicCounts() {
        look("history", LaneName.ROUTES);
        fill();
        store(SOON);
        assertThat(mustWait(HEAVY, BATCH)).as("history has not stored it").isTrue();
        look("history", LaneName.ROUTES);
        assertThat(mustWait(HEAVY, BATCH)).isFalse();
    }

    @Test
    void recordsOfOtherLanesDoNotCount() {
        shares.decoded(LaneName.PEERS, HEAVY, 1, FILLED);
        assertThat(mustWait(HEAVY, BATCH)).isFalse();
    }

    @Test
    void routesOfFewBytesCountAsWhatIsStoredOfThem() {
        int routes = (int) (FIRST_WINDOW / ROUTE_COST);
        shares.decoded(LaneName.ROUTES, HEAVY, routes, 9L * routes);
        assertThat(shares.cost("current")).isEqualTo(FIRST_WINDOW + 9L * routes);
        assertThat(mustWait(HEAVY, BATCH)).isTrue();
    }

    @Test
    void aLaneThatIsSeenLateCountsWhatIsNotMarkedYet() {
        shares.decoded(LaneName.PEERS, HEAVY, 1, FILLED);
        look("peers", LaneName.PEERS);
        assertThat(shares.cost("peers")).isEqualTo(FILLED + RECORD_COST);
        shares.mark(now);
        look("peers", LaneName.PEERS); // the offsets of the test are those of an empty topic
        assertThat(shares.cost("peers")).isZero();
    }

    @Test
    void theWindowFollowsHowSoonRecordsAreStored() {
        for (int i = 0; i < 100; i++) {
            send(HEAVY, FILLED);
            mark();
            send(HEAVY, FILLED);
            store(SOON);
            mark();
            store(SOON);
        }
        assertThat(shares.window("current")).isGreaterThan(FIRST_WINDOW);
        for (int i = 0; i < 100; i++) {
            fill();
            store(2 * SOON);
        }
        assertThat(shares.window("current")).isEqualTo(SMALLEST_WINDOW);
    }

    @Test
    void theWindowStaysWhileRecordsAreStoredJustInTime() {
        for (long age : new long[] {SOON + 1, TARGET.toNanos()}) {
            fill();
            store(age);
            assertThat(shares.window("current")).isEqualTo(FIRST_WINDOW);
        }
    }

    @Test
    void theWindowShrinksOnceForWhatWasSentUnderIt() {
        for (int i = 0; i < 10; i++) {
            fill();
        }
        now += 2 * TARGET.toNanos();
        for (next = 1; next < 10; next++) {
            look("current", LaneName.ROUTES);
        }
        assertThat(shares.window("current")).isEqualTo(FIRST_WINDOW / 2);
    }

    @Test
    void theWindowDoesNotGrowUnused() {
        send(LIGHT, RECORD_COST);
        mark();
        store(1);
        assertThat(shares.window("current")).isEqualTo(FIRST_WINDOW);
    }

    @Test
    void batchesFitIntoTheWindow() {
        assertThat(shares.admitted(HEAVY, BATCH, MESSAGE, now)).isEqualTo((int) FIRST_WINDOW / 2);
        send(HEAVY, FIRST_WINDOW / 2);
        assertThat(shares.admitted(HEAVY, BATCH, MESSAGE, now)).isEqualTo((int) FIRST_WINDOW / 4);
        send(HEAVY, FIRST_WINDOW / 2);
        assertThat(shares.admitted(HEAVY, 1, MESSAGE, now)).isEqualTo((int) FIRST_WINDOW / 8);
        shares.closed(LIGHT);
        assertThat(shares.admitted(HEAVY, BATCH, MESSAGE, now))
                .as("of the only session")
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void aWindowAlsoGrowsWhileTheLaneStoresEverythingAtOnce() {
        fill();
        store(SOON);
        assertThat(shares.cost("current")).isZero();
        assertThat(shares.window("current")).isEqualTo(2 * FIRST_WINDOW);
    }

    @Test
    void theWindowGrowsOnceForWhatWasSentUnderIt() {
        for (int i = 0; i < 3; i++) {
            fill();
        }
        now += SOON;
        for (next = 1; next <= 3; next++) {
            look("current", LaneName.ROUTES);
        }
        assertThat(shares.window("current")).isEqualTo(2 * FIRST_WINDOW);
    }

    @Test
    void addressesOfWhichNothingIsDecodedYetHaveEqualShares() {
        shares.sending(HEAVY, FILLED);
        for (int i = 0; i < 15; i++) {
            shares.opened(1000 + i, InetAddress.ofLiteral("198.51.100." + i), now);
            int most = shares.admitted(1000 + i, BATCH, MESSAGE, now);
            assertThat(most).isPositive().isLessThanOrEqualTo((int)
                    Math.max(SMALLEST_SHARE, FIRST_WINDOW / (2 + 2 * i)));
            shares.sending(1000 + i, most);
        }
        assertThat(mustWait(HEAVY, BATCH)).isTrue();
    }

    @Test
    void aNewSessionIsExpectedToSendPeerUps() {
        look("peers", LaneName.PEERS);
        assertThat(shares.admitted(HEAVY, BATCH, MESSAGE, now)).isEqualTo((int) (FIRST_WINDOW / 2 / FIRST_PEERS_COST));
        shares.sending(HEAVY, 1000);
        shares.decoded(LaneName.PEERS, HEAVY, 1, 2000 - RECORD_COST);
        shares.sent(HEAVY, 1000);
        assertThat(shares.admitted(HEAVY, BATCH, MESSAGE, now)).isEqualTo((int) (FIRST_WINDOW - 2000) / 2 / 2);
    }

    @Test
    void aWindowThatHasBeenTooLargeGrowsMoreSlowly() {
        fill();
        store(2 * TARGET.toNanos());
        send(HEAVY, FILLED);
        mark();
        long window = shares.window("current");
        store(SOON);
        assertThat(shares.window("current")).isEqualTo(window + window / 8);
    }

    @Test
    void whatIsBeingDecodedCountsWithTheCostOfEarlierMessages() {
        shares.sending(HEAVY, BATCH);
        send(HEAVY, 4 * BATCH);
        shares.sent(HEAVY, BATCH);
        mark();
        store(SOON);
        long window = shares.window("current");
        assertThat(shares.admitted(HEAVY, BATCH, MESSAGE, now)).isEqualTo((int) window / 2 / 4);
        shares.sending(HEAVY, (window + 4) / 4);
        assertThat(mustWait(HEAVY, BATCH)).isTrue();
        assertThat(shares.admitted(LIGHT, BATCH, MESSAGE, now))
                .as("whose cost is unknown")
                .isPositive();
        shares.sent(HEAVY, (window + 4) / 4);
        assertThat(mustWait(HEAVY, BATCH)).isFalse();
    }

    @Test
    void aSessionWithALongBacklogAndASmallShareOnTheWayContinues() {
        fill();
        assertThat(shares.admitted(LIGHT, BATCH, MESSAGE, now)).isEqualTo((int) FIRST_WINDOW / 2);
        for (int i = 0; i < 250; i++) {
            shares.opened(1000 + i, InetAddress.ofLiteral("198.51.100." + i), now);
            send(1000 + i, 10_000);
        }
        send(LIGHT, 1000);
        assertThat(shares.admitted(LIGHT, BATCH, MESSAGE, now)).isEqualTo((int) SMALLEST_SHARE - 1000);
        send(LIGHT, SMALLEST_SHARE / 2);
        assertThat(mustWait(LIGHT, BATCH)).as("a batch would be small").isTrue();
    }

    @Test
    void aLaneThatIsFarBehindLetsAddressesContinueSlowly() {
        fill();
        now += LONGEST_NANOS;
        look("current", LaneName.ROUTES);
        assertThat(mustWait(HEAVY, BATCH)).isTrue();
        now++;
        look("current", LaneName.ROUTES);
        assertThat(mustWait(HEAVY, BATCH)).isFalse();
        assertThat(shares.window("current")).isLessThan(FIRST_WINDOW);
    }

    @Test
    void aLaneThatStoresNothingLimitsNothingUntilItStores() {
        long start = now;
        while (now - start <= OUTAGE_NANOS) {
            fill();
            assertThat(mustWait(HEAVY, BATCH)).isTrue();
            now += TimeUnit.MILLISECONDS.toNanos(100);
        }
        fill();
        assertThat(mustWait(HEAVY, BATCH)).isFalse();
        next++;
        look("current", LaneName.ROUTES);
        assertThat(mustWait(HEAVY, BATCH)).isTrue();
    }

    @Test
    void aLaneThatHadNothingToStoreIsNotTakenForOneThatStoresNothing() {
        now += TimeUnit.HOURS.toNanos(1);
        fill();
        assertThat(mustWait(HEAVY, BATCH)).isTrue();
    }

    @Test
    void lanesAreLookedAtWhileEnoughIsOnTheWay() {
        assertThat(shares.isDue()).isFalse();
        send(HEAVY, DUE - 1);
        assertThat(shares.isDue()).isFalse();
        send(HEAVY, RECORD_COST);
        assertThat(shares.isDue()).isTrue();
        mark();
        assertThat(shares.isDue()).as("the mark is not reached").isTrue();
        store(SOON);
        assertThat(shares.isDue()).isFalse();
    }

    @Test
    void whatLanesHaveStoredMayBeUnknown() {
        fill();
        shares.forget();
        assertThat(mustWait(HEAVY, BATCH)).isFalse();
        assertThat(shares.isDue()).as("it may be known again").isTrue();
    }

    @Test
    void withoutATargetNothingIsLimited() {
        StoreShares off = new StoreShares(Duration.ZERO);
        assertThat(off.isDue()).isFalse();
        off.progress("current", LaneName.ROUTES, new long[] {1}, new long[] {0}, now);
        off.opened(HEAVY, HEAVY_ADDRESS, now);
        off.opened(LIGHT, LIGHT_ADDRESS, now);
        off.decoded(LaneName.ROUTES, HEAVY, 1, 1L << 40);
        assertThat(off.admitted(HEAVY, BATCH, MESSAGE, now)).isEqualTo(Integer.MAX_VALUE);
    }
}
