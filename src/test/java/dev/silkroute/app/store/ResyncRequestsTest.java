package dev.silkroute.app.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ResyncRequestsTest {
    private long minutes;
    private final ResyncRequests requests = new ResyncRequests(() -> TimeUnit.MINUTES.toNanos(minutes));

    private List<String> due(long session) {
        return requests.due(List.of(Map.of("router", "r1", "session_id", session))).stream()
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void givenAnIncompleteRouterThenItsTablesAreRequestedAtOnce() {
        assertThat(due(7)).singleElement().asString().contains("\"router\":\"r1\"", "\"session_id\":7");
        assertThat(due(7)).isEmpty();
    }

    @Test
    void givenARouterThatIsIncompleteInEachSessionThenRequestsAreRepeatedAtGrowingIntervals() {
        int sent = 0;
        for (minutes = 0; minutes < 24 * 60; minutes++) {
            sent += due(minutes).size();
        }
        assertThat(sent).isBetween(8, 14);
    }

    @Test
    void givenARouterThatHasBeenCompleteForADayThenItsNextRequestIsSentAtOnce() {
        due(1);
        minutes = 24 * 60;
        requests.due(List.of());
        assertThat(due(2)).hasSize(1);
    }

    private static Map<String, Object> remaining(long session) {
        return Map.of("router", "r1", "session_id", session, "reason", "remaining");
    }

    @Test
    void givenSessionsThatRemainOneAfterTheOtherThenEachIsRequestedAtOnce() {
        for (long session = 1; session <= 20; session++) {
            assertThat(requests.due(List.of(remaining(session)))).hasSize(1);
            assertThat(requests.due(List.of(remaining(session)))).isEmpty();
        }
        assertThat(requests.incompleteRouters()).isZero();
    }

    @Test
    void givenASessionThatIsNotEndedThenTheRequestIsRepeated() {
        requests.due(List.of(remaining(7)));
        minutes = 2;
        assertThat(requests.due(List.of(remaining(7)))).hasSize(1);
    }

    @Test
    void givenAnIncompleteRouterThenASessionOfItThatRemainsIsRequestedAllTheSame() {
        due(7);
        assertThat(requests.due(List.of(remaining(6)))).hasSize(1);
    }
}
