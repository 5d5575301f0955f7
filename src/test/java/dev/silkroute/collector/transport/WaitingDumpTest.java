package dev.silkroute.collector.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.collector.sessions.DumpEnd;
import dev.silkroute.collector.sessions.DumpLimits;
import dev.silkroute.collector.sessions.DumpPlaces;
import dev.silkroute.collector.sessions.OpenSession;
import dev.silkroute.collector.sessions.QuotaLimits;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.session.identity.RouterIdentifier;
import dev.silkroute.session.identity.RouterValues;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session that waits until another one has sent its tables. */
class WaitingDumpTest extends FrameHandlerHarness {
    private static final InetAddress ADDRESS = InetAddress.ofLiteral("192.0.2.1");
    /** More than a session may send without a place. */
    private static final int MANY = DumpPacing.FREE_BYTES / MESSAGE + 1;

    private final SessionRegistry limited = new SessionRegistry(
            5, QuotaLimits.NONE, Duration.ZERO, new DumpLimits(1, Duration.ofSeconds(2), Duration.ofMinutes(5)));
    private final DumpPlaces places = limited.dumps();
    private final DumpPlaces.Place other = places.request(InetAddress.ofLiteral("192.0.2.2"), () -> {});
    private final MemoryBudget budget = new MemoryBudget(1 << 20, 10_000);
    private final EmbeddedChannel channel = connect(1);

    private EmbeddedChannel connect(long id) {
        return new EmbeddedChannel(new BmpFrameHandler(
                new SessionLimits(20_000, 1 << 20, 200_000, SILENCE),
                budget,
                limited,
                turns,
                _ -> new OpenSession(
                        CONFIG, new RouterIdentifier(ADDRESS, RouterValues.always("router")), id, ADDRESS)));
    }

    @BeforeEach
    void waits() {
        write(channel, messages(0, MANY));
        assertThat(channel.config().isAutoRead()).isFalse();
        assertThat(places.waiting()).isEqualTo(1);
    }

    @Test
    void whatHasBeenReadIsSentAndReadingContinuesWithThePlace() {
        assertThat(bytes(drain(channel))).isEqualTo(messages(0, MANY));
        assertThat(channel.config().isAutoRead())
                .as("nothing else is to be done")
                .isFalse();
        assertThat(limited.notices())
                .containsExactly(
                        "1 of 1 sessions send their tables (silkroute.sessions.max-dumping), 1 wait, the longest for 0 s");
        places.leave(other, DumpEnd.END_OF_RIB);
        channel.runPendingTasks();
        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(places.taken()).isEqualTo(1);
        assertThat(limited.notices()).isEmpty();
    }

    @Test
    void givenAMessageThatIsIncompleteThenNoTimeoutEndsTheSession() {
        write(channel, Arrays.copyOf(messages(MANY, MANY + 1), MESSAGE / 2));
        drain(channel);
        passTwice(channel);
        assertThat(channel.isOpen()).isTrue();
        places.leave(other, DumpEnd.END_OF_RIB);
        channel.runPendingTasks();
        passTwice(channel);
        assertThat(channel.isOpen())
                .as("it is read again and the router does not complete the message")
                .isFalse();
    }

    /** Lets twice the time-out of incomplete messages pass, in steps in which it is checked. */
    private static void passTwice(EmbeddedChannel channel) {
        for (int i = 0; i < 8; i++) {
            pass(channel, SILENCE.dividedBy(4));
        }
    }

    @Test
    void givenALongIncompleteMessageThenItIsNotEvictedForThoseOfOthers() {
        byte[] half = new byte[9_000];
        half[0] = 3;
        half[3] = (byte) (18_000 >> 8);
        half[4] = (byte) 18_000;
        half[5] = (byte) 200;
        write(channel, half);
        assertThat(budget.partial()).isZero();
        places.leave(other, DumpEnd.END_OF_RIB);
        channel.runPendingTasks();
        assertThat(budget.partial()).isEqualTo(half.length);
    }

    @Test
    void givenTheEndOfTheConnectionThenNothingIsLostAndTheRequestIsDropped() {
        channel.pipeline().close();
        List<FrameBatch> batches = drain(channel);
        assertThat(bytes(batches)).isEqualTo(messages(0, MANY));
        assertThat(batches.getLast().end()).isEqualTo("connection closed");
        assertThat(places.waiting()).isZero();
        assertThat(limited.count()).isZero();
    }

    @Test
    void givenAnotherSessionOfTheRouterThenTheFirstOneIsReadToItsEnd() {
        drain(channel);
        write(connect(2), messages(0, 1));
        channel.runPendingTasks();
        assertThat(places.waiting()).isZero();
        assertThat(channel.config().isAutoRead()).isTrue();
        pass(channel, Duration.ofMillis(DrainWatch.TICK_MILLIS));
        pass(channel, Duration.ofMillis(DrainWatch.TICK_MILLIS));
        assertThat(channel.isOpen()).isFalse();
    }
}
