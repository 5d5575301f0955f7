package dev.silkroute.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every event in every phase of a table. */
class TablePhaseTest {
    /** A synchronized session of 0 stands for none. */
    @ParameterizedTest
    @CsvSource({"0, 1, 1, true", "5, 4, 5, false", "5, 5, 5, false", "5, 6, 6, true"})
    void givenAPhaseWhenAnEndOfRibComesThenANewerSessionPurges(long before, long session, long after, boolean purges) {
        TablePhase phase = before == 0 ? TablePhase.UNSYNCHRONIZED : new TablePhase.Synchronized(before);
        TablePhase next = phase.endOfRib(session);
        assertThat(next).isEqualTo(new TablePhase.Synchronized(after));
        assertThat(next != phase).isEqualTo(purges);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 3, 2, true",
        "0, 3, 3, true",
        "0, 3, 4, false",
        "4, 3, 4, true",
        "4, 3, 5, false",
        "5, 3, 4, true",
    })
    void givenATableThenItIsSynchronizedByItsEndOfRibOrBecauseItBeganInTheSession(
            long synchronizedIn, long since, long session, boolean expected) {
        TablePhase phase =
                synchronizedIn == 0 ? TablePhase.UNSYNCHRONIZED : new TablePhase.Synchronized(synchronizedIn);
        assertThat(phase.isSynchronized(new ViewPhase.Populated(9, since), session))
                .isEqualTo(expected);
        assertThat(phase.isSynchronized(new ViewPhase.Empty(9), session))
                .as("of an empty view only its End-of-RIB counts")
                .isEqualTo(synchronizedIn >= session);
    }
}
