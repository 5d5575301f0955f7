package dev.silkroute.component.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.postgres.lane.LaneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LogTruncationTest {
    private static final UUID ID = new UUID(1, 2);
    private static final Map<Integer, LaneOffset> OFFSETS = Map.of(0, LaneOffset.at(100), 1, LaneOffset.at(50));

    private static TopicState ends(long first, long second) {
        return new TopicState(ID, Map.of(0, 0L, 1, 0L), Map.of(0, first, 1, second));
    }

    @Test
    void givenAnEndThatWasAskedBeforeThePlaceWasReadWhenAskedAgainItIsBeyondThenNothingIsLost() throws Exception {
        assertThat(LogTruncation.endingEarly(ends(90, 50), ID, OFFSETS)).containsOnlyKeys(0);
        assertThat(LogTruncation.confirm(ID, OFFSETS, () -> ends(100, 50))).isEmpty();
    }

    @Test
    void givenABrokerThatReportsItsEndOnlyAfterAWhileThenNothingIsLost() throws Exception {
        Deque<TopicState> answers = new ArrayDeque<>(List.of(ends(0, 0), ends(90, 50), ends(100, 50)));
        assertThat(LogTruncation.confirm(ID, OFFSETS, answers::remove)).isEmpty();
    }

    @Test
    void givenAnEndThatStaysBeforeThePlaceThenItIsLost() throws Exception {
        assertThat(LogTruncation.confirm(ID, OFFSETS, () -> ends(90, 60))).isEqualTo(Map.of(0, 90L));
    }

    @Test
    void givenATopicThatIsCreatedAgainInTheMeantimeThenNothingOfTheOldOneIsTouched() throws Exception {
        assertThat(LogTruncation.confirm(new UUID(3, 4), OFFSETS, () -> ends(0, 0)))
                .isEmpty();
    }
}
