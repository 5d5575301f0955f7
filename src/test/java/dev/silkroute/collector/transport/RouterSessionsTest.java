package dev.silkroute.collector.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.collector.sessions.SessionEnd;
import dev.silkroute.session.Redecoder;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sessions of one router follow one another. */
class RouterSessionsTest extends FrameHandlerHarness {
    @Test
    void givenASessionThatHasEndedWhenItsBatchesAreUnacknowledgedThenTheRoutersNextOneWaitsForThem() {
        // Given
        EmbeddedChannel first = connection(1);
        write(first, messages(0, 3));
        first.close();
        EmbeddedChannel second = connection(2);
        write(second, messages(0, 1));
        EmbeddedChannel another = connection(3, "192.0.2.1", "core", new MemoryBudget(1 << 20, 1 << 18));
        // Then only another router's batch is sent
        assertThat(second.inboundMessages()).isEmpty();
        assertThat(another.inboundMessages()).hasSize(1);
        assertThat(turns.waiting()).isEqualTo(1);
        // When all but the last batch is acknowledged
        while (first.inboundMessages().size() > 1) {
            first.<FrameBatch>readInbound().acknowledged();
            second.runPendingTasks();
        }
        assertThat(second.inboundMessages()).isEmpty();
        // And the last
        first.<FrameBatch>readInbound().acknowledged();
        second.runPendingTasks();
        // Then
        assertThat(second.inboundMessages()).hasSize(1);
        assertThat(turns.waiting()).isZero();
        assertThat(turns.delayed()).isEqualTo(1);
        List<FrameBatch> batches = drain(second);
        assertThat(batches.getFirst().firstMessage()).isZero();
        assertThat(bytes(batches)).endsWith(messages(0, 1));
    }

    @Test
    void givenASessionThatWaitsWhenItEndsTooThenItIsSentInItsTurnAndTheNextOneAfterIt() {
        EmbeddedChannel first = connection(1);
        first.close();
        EmbeddedChannel second = connection(2);
        write(second, Arrays.copyOf(messages(0, 2), MESSAGE + 400));
        second.close();
        EmbeddedChannel third = connection(3);
        assertThat(second.inboundMessages()).isEmpty();
        drain(first);
        second.runPendingTasks();
        third.runPendingTasks();
        assertThat(third.inboundMessages()).isEmpty();
        List<FrameBatch> batches = drain(second);
        assertThat(bytes(batches)).endsWith(messages(0, 1));
        assertThat(batches.getLast().end()).isEqualTo("connection closed inside a message, after 400 bytes of it");
        third.runPendingTasks();
        assertThat(third.inboundMessages()).hasSize(1);
    }

    @Test
    void givenASessionThatWaitsThenReadingPausesAtItsBoundsAndResumesAfterwards() {
        MemoryBudget budget = new MemoryBudget(1 << 20, 1 << 18);
        EmbeddedChannel first = connection(1);
        first.close();
        EmbeddedChannel second = connection(2, "192.0.2.1", "edge", budget);
        int sent = 0;
        while (second.config().isAutoRead()) {
            assertThat(sent).isLessThanOrEqualTo(20);
            write(second, messages(sent, ++sent));
        }
        assertThat(budget.held()).isBetween(20_000L, 20_000L + MESSAGE);
        drain(first);
        second.runPendingTasks();
        assertThat(bytes(drain(second))).endsWith(messages(0, sent));
        assertThat(second.config().isAutoRead()).isTrue();
        assertThat(budget.held()).isZero();
    }

    @Test
    void givenMoreThanABatchWhenTheTurnHasComeThenItIsSentInBatchesThatFitIntoARecord() {
        EmbeddedChannel first = connection(1);
        first.close();
        EmbeddedChannel second = connection(2);
        write(second, messages(0, 12));
        EmbeddedChannel third = connection(3);
        write(third, messages(20, 33));
        second.close();
        third.close();
        drain(first);
        second.runPendingTasks();
        List<FrameBatch> batches = drain(second);
        third.runPendingTasks();
        List<FrameBatch> last = drain(third);
        assertThat(bytes(batches)).endsWith(messages(0, 12));
        assertThat(bytes(last)).endsWith(messages(20, 33));
        assertThat(batches.getFirst().firstMessage()).isZero();
        for (List<FrameBatch> one : List.of(batches, last)) {
            long next = 0;
            for (FrameBatch batch : one) {
                assertThat(batch.bytes().length).isLessThanOrEqualTo(LIMITS.batch());
                assertThat(batch.firstMessage()).isEqualTo(next);
                assertThat(batch.end() != null).isEqualTo(batch == one.getLast());
                next += Redecoder.messages(batch.bytes());
            }
        }
    }

    @Test
    void givenAnOpenSessionWhenItsRouterOpensAnotherThenItIsReadToItsEndAndSuperseded() {
        EmbeddedChannel first = connection(1);
        drain(first);
        EmbeddedChannel second = connection(2);
        first.runPendingTasks();
        // Given bytes that were still in transit
        pass(first, Duration.ofMillis(DrainWatch.TICK_MILLIS / 2));
        write(first, messages(0, 1));
        pass(first, Duration.ofMillis(DrainWatch.TICK_MILLIS));
        assertThat(first.isOpen()).isTrue();
        assertThat(second.inboundMessages()).isEmpty();
        // When none arrives any more
        pass(first, Duration.ofMillis(DrainWatch.TICK_MILLIS));
        // Then
        assertThat(first.isOpen()).isFalse();
        List<FrameBatch> batches = drain(first);
        assertThat(bytes(batches)).isEqualTo(messages(0, 1));
        assertThat(batches.getLast().end()).isEqualTo("the router has opened session 2");
        assertThat(sessions.ends(SessionEnd.SUPERSEDED)).isEqualTo(1);
        second.runPendingTasks();
        assertThat(drain(second)).hasSize(1);
        assertThat(second.isOpen()).isTrue();
    }

    @Test
    void givenAConnectionThatIsReadAfterALaterOneThenTheOneAcceptedLastStays() {
        EmbeddedChannel last = connection(2);
        drain(last);
        EmbeddedChannel before = connection(1);
        drain(before);
        before.runPendingTasks();
        last.runPendingTasks();
        pass(last, Duration.ofMinutes(1));
        pass(before, Duration.ofMillis(DrainWatch.TICK_MILLIS));
        assertThat(last.isOpen()).isTrue();
        assertThat(before.isOpen()).isFalse();
        assertThat(drain(before).getLast().end()).isEqualTo("the router has opened session 2");
    }

    @Test
    void givenConnectionsThatWaitThenTheyContinueInTheOrderOfAcceptance() {
        EmbeddedChannel first = connection(1);
        first.close();
        EmbeddedChannel third = connection(3);
        EmbeddedChannel second = connection(2);
        second.close();
        drain(first);
        second.runPendingTasks();
        third.runPendingTasks();
        assertThat(third.inboundMessages()).isEmpty();
        assertThat(drain(second)).isNotEmpty();
        third.runPendingTasks();
        assertThat(third.inboundMessages()).hasSize(1);
    }

    @Test
    void givenAnOpenSessionThatKeepsSendingWhenItsRouterOpensAnotherThenItEndsNevertheless() {
        EmbeddedChannel first = connection(1);
        connection(2);
        first.runPendingTasks();
        for (int tick = 0; tick < DrainWatch.MAX_TICKS; tick++) {
            assertThat(first.isOpen()).isTrue();
            write(first, messages(tick, tick + 1));
            drain(first);
            pass(first, Duration.ofMillis(DrainWatch.TICK_MILLIS));
        }
        assertThat(first.isOpen()).isFalse();
    }
}
