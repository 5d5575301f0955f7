package dev.silkroute.app.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.apache.camel.impl.DefaultCamelContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CollectorWatchTest {
    private long seconds;
    private boolean upToDate = true;
    private final CollectorWatch watch = watch(Duration.ofMinutes(2));

    private CollectorWatch watch(Duration timeout) {
        return new CollectorWatch(
                new DefaultCamelContext(), timeout, () -> upToDate, () -> TimeUnit.SECONDS.toNanos(seconds));
    }

    private List<String> check(String aliveAt, long started, long alive, @Nullable Long newest) {
        return check(watch, aliveAt, started, alive, newest);
    }

    private static List<String> check(
            CollectorWatch watch, String aliveAt, long started, long alive, @Nullable Long newest) {
        Map<String, Object> row = new HashMap<>();
        row.put("name", "c1");
        row.put("session_id", started);
        row.put("alive_at", aliveAt);
        row.put("alive_session_id", alive);
        row.put("newest_session", newest);
        return StreamSupport.stream(watch.check(List.of(row)).spliterator(), false)
                .map(message -> message.getHeader("lane") + " "
                        + new String((byte[]) message.getBody(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void givenACollectorThatReportsThenNothingHappens() {
        for (int i = 0; i < 100; i++) {
            seconds += 10;
            assertThat(check("at " + i, 5, 5, 9L)).isEmpty();
        }
    }

    @Test
    void givenACollectorThatHasNotReportedForTheTimeThenItsSessionsAreEnded() {
        check("at 1", 5, 5, 9L);
        for (int i = 0; i < 24; i++) {
            seconds += 5;
            assertThat(check("at 1", 5, 5, 9L)).isEmpty();
        }
        seconds += 5;
        List<String> messages = check("at 1", 5, 5, 9L);
        assertThat(messages).hasSize(2);
        assertThat(messages.getFirst()).startsWith("routes ");
        assertThat(messages.getLast()).startsWith("peers ").contains("\"session_id\":10", "\"unavailable\":true");

        assertThat(check("at 1", 10, 5, null)).as("without sessions").isEmpty();
    }

    @Test
    void givenReportsThatWaitInKafkaThenTheirTimeDoesNotCount() {
        check("at 1", 5, 5, 9L);
        upToDate = false;
        seconds += 600;
        assertThat(check("at 1", 5, 5, 9L)).isEmpty();
        upToDate = true;
        for (int i = 0; i < 24; i++) {
            seconds += 5;
            assertThat(check("at 1", 5, 5, 9L)).isEmpty();
        }
        seconds += 5;
        assertThat(check("at 1", 5, 5, 9L)).hasSize(2);
    }

    @Test
    void givenThatNothingWasCheckedForLongThenThatTimeDoesNotCount() {
        check("at 1", 5, 5, 9L);
        seconds += 600;
        assertThat(check("at 1", 5, 5, 9L)).isEmpty();
    }

    @Test
    void givenAShortTimeoutAndChecksThatAreLateThenItIsFoundAsWell() {
        CollectorWatch shortWatch = watch(Duration.ofSeconds(20));
        for (int i = 0; i < 3; i++) {
            assertThat(check(shortWatch, "at 1", 5, 5, 9L)).isEmpty();
            seconds += 7;
        }
        assertThat(check(shortWatch, "at 1", 5, 5, 9L)).hasSize(2);
    }

    @Test
    void givenACollectorThatReturnsThenItEndsItsSessions() {
        assertThat(check("at 2", 10, 5, null))
                .singleElement()
                .asString()
                .startsWith("resync ")
                .contains("\"collector\":\"c1\"", "\"session_id\":10");
        assertThat(check("at 3", 10, 5, null)).as("not at once again").isEmpty();
        assertThat(check("at 4", 11, 11, null)).as("after its restart").isEmpty();
    }
}
