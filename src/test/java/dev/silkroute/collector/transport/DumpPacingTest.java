package dev.silkroute.collector.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.collector.sessions.DumpEnd;
import dev.silkroute.collector.sessions.DumpLimits;
import dev.silkroute.collector.sessions.DumpPlaces;
import dev.silkroute.session.DumpState;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DumpPacingTest {
    private static final InetAddress ADDRESS = InetAddress.ofLiteral("192.0.2.1");
    private static final int MANY = DumpPacing.FREE_BYTES + 1;

    private long millis;
    private final DumpPlaces places = new DumpPlaces(
            new DumpLimits(1, Duration.ofSeconds(2), Duration.ofSeconds(60)),
            () -> TimeUnit.MILLISECONDS.toNanos(millis));
    private final DumpPacing pacing = new DumpPacing(places, ADDRESS, this::granted);

    private void granted() {
        pacing.granted(0);
    }

    private static void received(DumpPacing pacing, int bytes, DumpState state) {
        pacing.received(bytes, true, state, 0);
    }

    /** A session that has the only place. */
    private DumpPacing other() {
        DumpPacing other = new DumpPacing(places, ADDRESS, () -> {});
        received(other, MANY, DumpState.IN_PROGRESS);
        assertThat(other.isDumping()).isTrue();
        return other;
    }

    @Test
    void givenASmallTableThenNoPlaceIsNeeded() {
        other();
        received(pacing, DumpPacing.FREE_BYTES, DumpState.IN_PROGRESS);
        assertThat(pacing.isWaiting()).isFalse();
        pacing.idle(DumpState.COMPLETE);
        assertThat(pacing.isOver()).isTrue();
        received(pacing, MANY, DumpState.COMPLETE);
        assertThat(pacing.isWaiting()).as("changes never wait").isFalse();
    }

    @Test
    void givenALargeTableThenTheSessionWaitsForThePlaceOfAnother() {
        DumpPacing other = other();
        received(pacing, MANY, DumpState.IN_PROGRESS);
        assertThat(pacing.isWaiting()).isTrue();
        other.idle(DumpState.COMPLETE);
        assertThat(pacing.isDumping()).isTrue();
        assertThat(places.ended(DumpEnd.END_OF_RIB)).isEqualTo(1);
    }

    @Test
    void givenARouterThatIsNotIdentifiedThenItIsReadFurther() {
        other();
        pacing.received(MANY, false, DumpState.NOT_BEGUN, 0);
        assertThat(pacing.isWaiting()).isFalse();
        pacing.received(1, true, DumpState.NOT_BEGUN, 0);
        assertThat(pacing.isWaiting()).isTrue();
    }

    @Test
    void givenAPauseBetweenTwoTablesThenTheSessionKeepsItsPlace() {
        received(pacing, MANY, DumpState.IN_PROGRESS);
        pacing.idle(DumpState.IN_PROGRESS);
        millis = 1900;
        assertThat(pacing.check(DumpState.IN_PROGRESS, true, 0)).isNull();
        received(pacing, MANY, DumpState.IN_PROGRESS);
        millis = 2100;
        assertThat(pacing.check(DumpState.IN_PROGRESS, true, 0))
                .as("much was received")
                .isNull();
        assertThat(pacing.isDumping()).isTrue();
    }

    @Test
    void givenARouterWithoutEndOfRibWhenItSendsOnlyAFewChangesThenTheSessionGivesUpItsPlace() {
        received(pacing, MANY, DumpState.IN_PROGRESS);
        assertThat(pacing.check(DumpState.IN_PROGRESS, true, 0)).isNull();
        millis = 1000;
        received(pacing, 1000, DumpState.IN_PROGRESS);
        millis = 2000;
        assertThat(pacing.check(DumpState.IN_PROGRESS, true, 0)).isEqualTo(DumpEnd.QUIET);
        assertThat(pacing.isOver()).isTrue();
        assertThat(places.taken()).isZero();
    }

    @Test
    void givenAStationThatDoesNotReadThenTheRouterDoesNotCountAsQuiet() {
        received(pacing, MANY, DumpState.IN_PROGRESS);
        assertThat(pacing.check(DumpState.IN_PROGRESS, true, 0)).isNull();
        millis = 1900;
        assertThat(pacing.check(DumpState.IN_PROGRESS, false, 1)).isNull();
        millis = 3800;
        assertThat(pacing.check(DumpState.IN_PROGRESS, true, 2))
                .as("read again, with a pause before")
                .isNull();
        millis = 5700;
        assertThat(pacing.check(DumpState.IN_PROGRESS, true, 2)).isNull();
        millis = 5800;
        assertThat(pacing.check(DumpState.IN_PROGRESS, true, 2)).isEqualTo(DumpEnd.QUIET);
    }

    @Test
    void givenCompleteTablesAndChangesWithoutPauseThenTheSessionGivesUpItsPlaceToo() {
        received(pacing, MANY, DumpState.IN_PROGRESS);
        millis = 2000;
        received(pacing, MANY, DumpState.COMPLETE);
        assertThat(pacing.check(DumpState.COMPLETE, false, 7)).isEqualTo(DumpEnd.END_OF_RIB);
        assertThat(pacing.isOver()).isTrue();
    }

    @Test
    void givenARouterThatSendsForTooLongThenAnotherOneMayBegin() {
        DumpPacing other = other();
        received(pacing, MANY, DumpState.IN_PROGRESS);
        for (millis = 0; millis < 60_000; millis += 500) {
            received(other, MANY, DumpState.IN_PROGRESS);
            assertThat(other.check(DumpState.IN_PROGRESS, true, 0)).isNull();
        }
        assertThat(pacing.isWaiting()).isTrue();
        assertThat(other.check(DumpState.IN_PROGRESS, true, 0)).isEqualTo(DumpEnd.AT_LATEST);
        assertThat(pacing.isDumping()).isTrue();
        received(other, MANY, DumpState.IN_PROGRESS);
        assertThat(other.isWaiting()).as("it continues").isFalse();
    }

    @Test
    void givenARouterThatSendsItsTablesLaterThenTheyWaitForAPlaceToo() {
        received(pacing, MANY, DumpState.NOT_BEGUN); // many Peer Up messages
        assertThat(pacing.isDumping()).isTrue();
        pacing.check(DumpState.NOT_BEGUN, true, 0);
        millis = 2000;
        assertThat(pacing.check(DumpState.NOT_BEGUN, true, 0)).isEqualTo(DumpEnd.QUIET);
        assertThat(pacing.isOver()).isFalse();
        DumpPacing other = other();
        millis = 9000;
        received(pacing, 100, DumpState.NOT_BEGUN);
        received(pacing, MANY, DumpState.NOT_BEGUN);
        assertThat(pacing.isWaiting()).isTrue();
        other.end();
        assertThat(pacing.isDumping()).isTrue();
    }

    @Test
    void givenChangesOfARouterWithoutEndOfRibThenTheyDoNotAddUp() {
        other();
        received(pacing, DumpPacing.FREE_BYTES, DumpState.IN_PROGRESS);
        millis = 2000;
        received(pacing, DumpPacing.FREE_BYTES, DumpState.IN_PROGRESS);
        assertThat(pacing.isOver()).isTrue();
        received(pacing, MANY, DumpState.IN_PROGRESS);
        assertThat(pacing.isWaiting()).isFalse();
    }

    @Test
    void givenASessionThatWasNotReadThenItHasNotBeenQuiet() {
        other();
        received(pacing, 1000, DumpState.IN_PROGRESS);
        millis = 2000;
        pacing.received(1000, true, DumpState.IN_PROGRESS, 1);
        assertThat(pacing.isOver()).isFalse();
        pacing.received(MANY, true, DumpState.IN_PROGRESS, 1);
        assertThat(pacing.isWaiting()).isTrue();
    }

    @Test
    void givenAWaitingSessionThatEndsThenItGetsNoPlace() {
        DumpPacing other = other();
        received(pacing, MANY, DumpState.IN_PROGRESS);
        pacing.end();
        assertThat(pacing.isWaiting()).isFalse();
        other.end();
        assertThat(places.taken()).isZero();
        assertThat(places.waiting()).isZero();
        assertThat(places.ended(DumpEnd.SESSION_ENDED)).isEqualTo(1);
    }
}
