package dev.silkroute.collector.transport;

import static dev.silkroute.fixture.TestMessages.bmp;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.tlv;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.collector.sessions.OpenSession;
import dev.silkroute.collector.sessions.Quota;
import dev.silkroute.collector.sessions.QuotaLimits;
import dev.silkroute.collector.sessions.SessionEnd;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.identity.RouterIdentifier;
import dev.silkroute.session.identity.RouterValues;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Framing of one connection: the messages do not depend on how the bytes arrive, and reading pauses at its bounds. */
class BmpFrameHandlerTest extends FrameHandlerHarness {
    private static final InetAddress HEAVY = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress LIGHT = InetAddress.ofLiteral("192.0.2.2");

    @Test
    void givenAllBytesAtOnceOrOneByOneThenTheMessagesAreTheSame() {
        byte[] stream = messages(0, 12);
        EmbeddedChannel whole = channel();
        write(whole, stream);
        assertThat(bytes(drain(whole))).isEqualTo(stream);

        EmbeddedChannel pieces = channel();
        List<FrameBatch> batches = new ArrayList<>();
        for (byte one : stream) {
            write(pieces, new byte[] {one});
            batches.addAll(drain(pieces));
        }
        assertThat(bytes(batches)).isEqualTo(stream);
        assertThat(batches).hasSize(12);
        assertThat(batches.getLast().firstMessage()).isEqualTo(11);
    }

    @Test
    void givenUnacknowledgedBatchesThenFurtherMessagesAreCollectedIntoOne() {
        EmbeddedChannel channel = channel();
        for (int i = 0; i < 6; i++) {
            write(channel, messages(i, i + 1));
        }
        assertThat(channel.inboundMessages()).hasSize(2);
        List<FrameBatch> batches = drain(channel);
        assertThat(batches).hasSize(3);
        assertThat(batches.get(2).bytes()).hasSize(4 * MESSAGE);
        assertThat(bytes(batches)).isEqualTo(messages(0, 6));
    }

    @Test
    void givenMoreThanABatchThenSeveralAreSentAndALargerMessageAlone() {
        EmbeddedChannel channel = channel();
        byte[] large = Arrays.copyOf(new byte[] {3, 0, 0, 0x20, 0, (byte) 200}, 0x2000);
        byte[] begun = Arrays.copyOf(messages(16, 17), 4);
        byte[] stream = join(messages(0, 3), large, large, messages(3, 16), begun);
        write(channel, stream);
        List<FrameBatch> batches = drain(channel);
        assertThat(batches)
                .extracting(batch -> batch.bytes().length)
                .containsExactly(3 * MESSAGE, 0x2000, 0x2000, 5 * MESSAGE, 5 * MESSAGE, 3 * MESSAGE);
        assertThat(batches).extracting(FrameBatch::firstMessage).containsExactly(0L, 3L, 4L, 5L, 10L, 15L);
        write(channel, Arrays.copyOfRange(messages(16, 17), 4, MESSAGE));
        assertThat(join(bytes(batches), bytes(drain(channel))))
                .isEqualTo(join(Arrays.copyOf(stream, stream.length - 4), messages(16, 17)));
    }

    @Test
    void givenAnIncompleteMessageWhenAllBeforeItIsAcknowledgedThenTheBufferShrinks() {
        EmbeddedChannel channel = channel();
        write(channel, messages(0, 5));
        write(channel, Arrays.copyOf(messages(5, 6), 7));
        BmpFrameHandler handler = channel.pipeline().get(BmpFrameHandler.class);
        assertThat(handler.capacity()).isGreaterThanOrEqualTo(5 * MESSAGE);
        drain(channel);
        assertThat(handler.capacity()).isEqualTo(7);
    }

    @Test
    void givenMoreThanTheSessionMayHoldThenReadingPausesUntilHalfIsAcknowledged() {
        EmbeddedChannel channel = channel();
        int sent = 0;
        while (channel.config().isAutoRead()) {
            assertThat(sent).isLessThanOrEqualTo(20);
            write(channel, messages(sent, ++sent));
        }
        assertThat(sent).isEqualTo(20_000 / MESSAGE + 1);
        List<FrameBatch> done = new ArrayList<>();
        while (!channel.config().isAutoRead()) {
            FrameBatch batch = channel.readInbound();
            done.add(batch);
            batch.acknowledged();
            channel.runPendingTasks();
        }
        assertThat(bytes(done).length).isGreaterThanOrEqualTo(10_000 / MESSAGE * MESSAGE);
        done.addAll(drain(channel));
        assertThat(bytes(done)).isEqualTo(messages(0, sent));
    }

    @Test
    void givenATerminationThenTheSessionEndsAfterItAndIgnoresWhatFollows() {
        EmbeddedChannel channel = channel();
        byte[] termination = bmp(5, tlv(1, new byte[] {0, 0}));
        write(channel, join(messages(0, 1), termination, messages(1, 2)));
        List<FrameBatch> batches = drain(channel);
        assertThat(bytes(batches)).isEqualTo(join(messages(0, 1), termination));
        assertThat(batches.getLast().end()).isEqualTo("Termination message");
        assertThat(channel.isOpen()).isFalse();
        assertThat(sessions.ends(SessionEnd.TERMINATED)).isEqualTo(1);
    }

    @Test
    void givenSmallestMessagesThenABatchIsBoundedByTheirNumber() {
        MemoryBudget budget = new MemoryBudget(1 << 30, 1 << 18);
        EmbeddedChannel channel = channel(new SessionLimits(10_000, 1 << 30, 100_000, 100, SILENCE, SILENCE), budget);
        byte[] unknown = {3, 0, 0, 0, 6, (byte) 200};
        byte[] stream = new byte[1_000 * unknown.length];
        for (int at = 0; at < stream.length; at += unknown.length) {
            System.arraycopy(unknown, 0, stream, at, unknown.length);
        }
        write(channel, stream);
        assertThat(budget.held()).isEqualTo(1_000 * unknown.length);
        List<FrameBatch> batches = drain(channel);
        assertThat(batches).hasSize(10).allMatch(batch -> batch.bytes().length == 100 * unknown.length);
        assertThat(budget.held()).isZero();
    }

    @Test
    void givenAllSessionsAtTheirBoundThenReadersPauseAndAllResumeWhenMemoryIsAvailable() {
        MemoryBudget budget = new MemoryBudget(8_000, 20_000);
        EmbeddedChannel one = channel(LIMITS, budget);
        EmbeddedChannel other = channel(LIMITS, budget);
        write(one, messages(0, 5));
        write(one, messages(5, 10));
        write(other, messages(0, 1));
        assertThat(budget.held()).isEqualTo(11 * MESSAGE);
        assertThat(budget.isExhausted()).isTrue();
        assertThat(one.config().isAutoRead()).isFalse();
        assertThat(other.config().isAutoRead()).isFalse();
        assertThat(budget.waiting()).isEqualTo(2);
        drain(one);
        other.runPendingTasks();
        assertThat(budget.isExhausted()).isFalse();
        assertThat(one.config().isAutoRead()).isTrue();
        assertThat(other.config().isAutoRead()).isTrue();
        drain(other);
        assertThat(budget.held()).isZero();
    }

    @Test
    void givenAFaultBehindWholeMessagesThenTheyAreSentWithTheReasonAndTheConnectionIsClosed() {
        EmbeddedChannel channel = channel();
        byte[] stream = Arrays.copyOf(messages(0, 3), 3 * MESSAGE + 6);
        stream[3 * MESSAGE] = 9;
        write(channel, stream);
        List<FrameBatch> batches = drain(channel);
        assertThat(bytes(batches)).isEqualTo(messages(0, 3));
        assertThat(batches)
                .singleElement()
                .satisfies(batch -> assertThat(batch.end()).isEqualTo("wrong-version at offset 3000 of the stream"));
        assertThat(channel.isOpen()).isFalse();
        assertThat(sessions.count()).isZero();
    }

    @Test
    void givenAConnectionThatEndsInsideAMessageThenTheReasonContainsThat() {
        EmbeddedChannel channel = channel();
        write(channel, Arrays.copyOf(messages(0, 2), MESSAGE + 400));
        channel.close();
        List<FrameBatch> batches = drain(channel);
        assertThat(bytes(batches)).isEqualTo(messages(0, 1));
        assertThat(batches.getLast().end()).isEqualTo("connection closed inside a message, after 400 bytes of it");
        assertThat(sessions.count()).isZero();
    }

    @Test
    void givenASessionThatEndsWithUnacknowledgedBatchesThenItIsOpenUntilTheLastIsAcknowledged() {
        EmbeddedChannel channel = channel();
        write(channel, messages(0, 1));
        channel.close();
        assertThat(sessions.count()).isEqualTo(1);
        drain(channel);
        assertThat(sessions.count()).isZero();
    }

    @Test
    void givenAMessageThatStaysIncompleteThenTheSessionEndsAfterTheTimeOut() {
        EmbeddedChannel channel = channel();
        write(channel, Arrays.copyOf(messages(0, 2), MESSAGE + 400));
        List<FrameBatch> batches = drain(channel);
        // Given a byte now and then, it stays open
        for (int i = 0; i < 5; i++) {
            quarters(channel, 3);
            write(channel, new byte[] {1});
        }
        assertThat(channel.isOpen()).isTrue();
        // When none arrives any more: not before the time is over, and a quarter later at most
        quarters(channel, 4);
        assertThat(channel.isOpen()).isTrue();
        quarters(channel, 1);
        assertThat(channel.isOpen()).isFalse();
        // Then
        batches.addAll(drain(channel));
        assertThat(bytes(batches)).isEqualTo(messages(0, 1));
        assertThat(batches.getLast().end()).isEqualTo("no byte for 60 s inside a message, after 405 bytes of it");
        assertThat(sessions.ends(SessionEnd.INCOMPLETE_MESSAGE)).isEqualTo(1);
        assertThat(sessions.count()).isZero();
    }

    private static void quarters(EmbeddedChannel channel, int count) {
        for (int i = 0; i < count; i++) {
            pass(channel, SILENCE.dividedBy(4));
        }
    }

    @Test
    void givenSilenceBetweenMessagesThenTheSessionStaysHoweverLong() {
        EmbeddedChannel channel = channel();
        write(channel, messages(0, 1));
        drain(channel);
        for (int day = 0; day < 30; day++) {
            pass(channel, Duration.ofDays(1));
        }
        assertThat(channel.isOpen()).isTrue();
        write(channel, messages(1, 2));
        assertThat(bytes(drain(channel))).isEqualTo(messages(1, 2));
    }

    @Test
    void givenAConnectionWithoutAnyMessageThenItEndsAfterTheTimeOut() {
        EmbeddedChannel channel = channel();
        quarters(channel, 6);
        assertThat(channel.isOpen()).isFalse();
        assertThat(drain(channel).getLast().end()).isEqualTo("no byte for 60 s after the connection was opened");
    }

    @Test
    void givenAStationThatDoesNotReadThenSilenceDoesNotEndTheSession() {
        MemoryBudget budget = new MemoryBudget(2_000, 20_000);
        EmbeddedChannel channel = channel(LIMITS, budget);
        write(channel, Arrays.copyOf(messages(0, 4), 3 * MESSAGE + 400));
        assertThat(channel.config().isAutoRead()).isFalse();
        quarters(channel, 40);
        assertThat(channel.isOpen()).isTrue();
        List<FrameBatch> batches = drain(channel);
        assertThat(channel.config().isAutoRead()).isTrue();
        write(channel, Arrays.copyOfRange(messages(0, 4), 3 * MESSAGE + 400, 4 * MESSAGE));
        batches.addAll(drain(channel));
        assertThat(bytes(batches)).isEqualTo(messages(0, 4));
    }

    @Test
    void givenTheLimitOfSessionsThenAFurtherConnectionIsRejectedAndTheOthersStay() {
        List<EmbeddedChannel> open = List.of(channel(), channel(), channel());
        EmbeddedChannel rejected = channel();
        assertThat(rejected.isOpen()).isFalse();
        assertThat(rejected.inboundMessages()).isEmpty();
        assertThat(sessions.rejected()).isEqualTo(1);
        assertThat(open).allMatch(EmbeddedChannel::isOpen);
        assertThat(sessions.count()).isEqualTo(3);

        open.getFirst().close();
        drain(open.getFirst());
        assertThat(channel().isOpen()).isTrue();
        assertThat(sessions.count()).isEqualTo(3);
        assertThat(sessions.rejected()).isEqualTo(1);
    }

    @Test
    void givenIncompleteMessagesAboveTheirBoundThenTheOldestSessionIsEvicted() {
        MemoryBudget budget = new MemoryBudget(1 << 20, 20_000);
        SessionLimits limits = new SessionLimits(10_000, 20_000, 5_000, SILENCE);
        EmbeddedChannel oldest = channel(limits, budget, 1);
        EmbeddedChannel younger = channel(limits, budget, 2);
        EmbeddedChannel youngest = channel(limits, budget, 3);
        byte[] begun = Arrays.copyOf(new byte[] {3, 0, 0, 0x27, 0x10, (byte) 200}, 9_000);
        write(oldest, begun);
        write(younger, begun);
        assertThat(budget.partial()).isEqualTo(18_000);
        assertThat(oldest.isOpen()).isTrue();
        write(youngest, begun);
        oldest.runPendingTasks();
        assertThat(oldest.isOpen()).isFalse();
        assertThat(younger.isOpen()).isTrue();
        assertThat(youngest.isOpen()).isTrue();
        assertThat(budget.partial()).isEqualTo(18_000);
        assertThat(sessions.ends(SessionEnd.NO_ROOM)).isEqualTo(1);
        assertThat(drain(oldest).getLast().end()).startsWith("incomplete messages of all sessions exceed");
        write(younger, new byte[1_000]);
        drain(younger);
        assertThat(budget.partial()).isEqualTo(9_000);
        assertThat(budget.held()).isEqualTo(9_000);
    }

    @Test
    void givenASessionThatCompletesItsMessagesThenItIsNotEvictedAlthoughEachReadEndsInsideOne() {
        MemoryBudget budget = new MemoryBudget(1 << 20, 20_000);
        byte[] message = Arrays.copyOf(new byte[] {3, 0, 0, 0x27, 0x10, (byte) 200}, 10_000);
        byte[] begun = Arrays.copyOf(message, 9_000);
        EmbeddedChannel router = channel(LIMITS, budget);
        write(router, begun);
        EmbeddedChannel stuck = channel(LIMITS, budget);
        write(stuck, begun);
        // When it has completed that message and begun the next
        write(router, join(Arrays.copyOfRange(message, 9_000, 10_000), begun));
        drain(router);
        write(channel(LIMITS, budget), begun);
        stuck.runPendingTasks();
        router.runPendingTasks();
        assertThat(stuck.isOpen()).isFalse();
        assertThat(router.isOpen()).isTrue();
    }

    @Test
    void givenMoreIncompleteBytesThanAllMayHoldThenReadingContinuesUntilTheMessageIsWhole() {
        MemoryBudget budget = new MemoryBudget(500, 20_000);
        EmbeddedChannel channel = channel(LIMITS, budget);
        write(channel, Arrays.copyOf(messages(0, 1), 900));
        assertThat(channel.config().isAutoRead()).isTrue();
        write(channel, Arrays.copyOfRange(messages(0, 1), 900, MESSAGE));
        assertThat(channel.config().isAutoRead()).isFalse();
        assertThat(bytes(drain(channel))).isEqualTo(messages(0, 1));
        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(budget.held()).isZero();
    }

    @Test
    void givenATruncatedFirstMessageThenTheSessionEndsLikeAnyOther() {
        EmbeddedChannel channel = channel();
        write(channel, HexFormat.of().parseHex("030000000603"));
        assertThat(bytes(drain(channel))).hasSize(6);
        channel.close();
        drain(channel);
        assertThat(sessions.count()).isZero();
    }

    @Test
    void givenMoreThanTheQuotaOfItsAddressThenReadingPausesAndNothingIsLost() {
        SessionRegistry limited = new SessionRegistry(3, new QuotaLimits(0, 0, 10 * MESSAGE, 0, 0), Duration.ZERO);
        EmbeddedChannel channel = new EmbeddedChannel(new BmpFrameHandler(
                new SessionLimits(10_000, 1 << 20, 5_000, SILENCE),
                new MemoryBudget(1 << 20, 1 << 18),
                limited,
                turns,
                _ -> new OpenSession(
                        CONFIG,
                        new RouterIdentifier(InetAddress.getLoopbackAddress(), RouterValues.always("router")),
                        1,
                        InetAddress.getLoopbackAddress())));
        write(channel, messages(0, 9));
        assertThat(channel.config().isAutoRead()).isTrue();
        write(channel, messages(9, 40));
        assertThat(channel.config().isAutoRead()).isFalse();
        assertThat(limited.exceeded(Quota.BYTES)).isEqualTo(1);
        assertThat(bytes(drain(channel))).as("what was received is processed").hasSize(40 * MESSAGE);
        assertThat(channel.config().isAutoRead()).as("still above the rate").isFalse();
        pass(channel, Duration.ofSeconds(3));
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    /** A connection of an address that has more than its share of what a lane has not stored. */
    private EmbeddedChannel waiting(SessionRegistry limited) {
        limited.reserve(LIGHT);
        limited.add(session(2000, LIGHT));
        limited.shares().progress("current", LaneName.ROUTES, new long[1], new long[1], 0);
        EmbeddedChannel channel = channel(limited, 1);
        limited.sending(session(1, HEAVY), 1 << 30);
        write(channel, messages(0, 3));
        assertThat(drain(channel)).isEmpty();
        assertThat(channel.config().isAutoRead()).isFalse();
        assertThat(limited.waits()).isEqualTo(1);
        assertThat(limited.notices()).singleElement().asString().endsWith(": 192.0.2.1");
        return channel;
    }

    private EmbeddedChannel channel(SessionRegistry limited, long session) {
        return new EmbeddedChannel(new BmpFrameHandler(
                new SessionLimits(10_000, 1 << 20, 5_000, SILENCE),
                new MemoryBudget(1 << 20, 1 << 18),
                limited,
                turns,
                _ -> session(session, HEAVY)));
    }

    private EmbeddedChannel channel(SessionLimits limits, MemoryBudget budget, long session) {
        return open(limits, budget, RouterValues.always("router" + session), session, InetAddress.getLoopbackAddress());
    }

    private static OpenSession session(long id, InetAddress address) {
        return new OpenSession(CONFIG, new RouterIdentifier(address, RouterValues.always("router" + id)), id, address);
    }

    private static void store(SessionRegistry limited) {
        limited.sent(session(1, HEAVY), 1 << 30);
    }

    @Test
    void givenMoreThanItsShareThenNothingIsReadFromAnotherConnection() {
        SessionRegistry limited = new SessionRegistry(3, QuotaLimits.NONE, Duration.ofMillis(700));
        waiting(limited);
        EmbeddedChannel other = channel(limited, 2);
        assertThat(other.config().isAutoRead()).isFalse();
        pass(other, Duration.ofSeconds(1));
        assertThat(other.config().isAutoRead()).isFalse();
        store(limited);
        pass(other, Duration.ofSeconds(1));
        assertThat(other.config().isAutoRead()).isTrue();
    }

    @Test
    void givenMoreThanItsShareThenBatchesWaitUntilTheLaneHasStoredAndReadingContinues() {
        SessionRegistry limited = new SessionRegistry(3, QuotaLimits.NONE, Duration.ofMillis(700));
        EmbeddedChannel channel = waiting(limited);
        pass(channel, Duration.ofSeconds(1));
        assertThat(drain(channel)).isEmpty();
        store(limited);
        pass(channel, Duration.ofSeconds(1));
        assertThat(bytes(drain(channel))).isEqualTo(messages(0, 3));
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void givenTheEndWhileBatchesWaitThenTheLastOneWaitsToo() {
        SessionRegistry limited = new SessionRegistry(3, QuotaLimits.NONE, Duration.ofMillis(700));
        EmbeddedChannel channel = waiting(limited);
        channel.pipeline().close(); // the channel's own method would also cancel what is scheduled
        pass(channel, Duration.ofSeconds(1));
        assertThat(drain(channel)).isEmpty();
        assertThat(limited.count()).as("this one and the light one").isEqualTo(2);
        store(limited);
        pass(channel, Duration.ofSeconds(1));
        List<FrameBatch> last = drain(channel);
        assertThat(bytes(last)).isEqualTo(messages(0, 3));
        assertThat(last.getLast().end()).isNotNull();
        assertThat(limited.count()).isEqualTo(1);
    }

    @Test
    void givenTheEndOfASessionWithManyMessagesThenTheyAreSentInPortionsThatItsShareAdmits() {
        SessionRegistry limited = new SessionRegistry(3, QuotaLimits.NONE, Duration.ofMillis(700));
        EmbeddedChannel channel = waiting(limited);
        write(channel, messages(3, 60));
        channel.pipeline().close();
        int unstored = 120 << 10; // less than the window by more than one batch and less than two
        limited.sent(session(1, HEAVY), (1 << 30) - unstored);
        pass(channel, Duration.ofSeconds(1));
        List<FrameBatch> first = unacknowledged(channel);
        assertThat(bytes(first)).isEqualTo(messages(0, 10));
        assertThat(first.getLast().end()).isNull();
        pass(channel, Duration.ofSeconds(1));
        assertThat(unacknowledged(channel)).isEmpty();
        assertThat(limited.count()).as("this one and the light one").isEqualTo(2);
        limited.sent(session(1, HEAVY), unstored);
        first.forEach(FrameBatch::acknowledged);
        pass(channel, Duration.ofSeconds(1));
        List<FrameBatch> rest = drain(channel);
        assertThat(bytes(rest)).isEqualTo(messages(10, 60));
        assertThat(rest.getLast().end()).isNotNull();
        assertThat(limited.count()).isEqualTo(1);
    }

    private static List<FrameBatch> unacknowledged(EmbeddedChannel channel) {
        List<FrameBatch> batches = new ArrayList<>();
        for (FrameBatch batch = channel.readInbound(); batch != null; batch = channel.readInbound()) {
            batches.add(batch);
        }
        return batches;
    }

    @Test
    void givenARouterThatHoldsTheMemoryOfAllThenOthersStillRead() {
        MemoryBudget shared = new MemoryBudget(20 * MESSAGE, 20_000);
        SessionLimits wide = new SessionLimits(10_000, 1 << 20, 5_000, SILENCE);
        EmbeddedChannel hog = open(wide, shared, RouterValues.always("hog"), 1, InetAddress.ofLiteral("192.0.2.1"));
        EmbeddedChannel good = open(wide, shared, RouterValues.always("good"), 2, InetAddress.ofLiteral("192.0.2.2"));
        write(hog, messages(0, 21));
        assertThat(hog.config().isAutoRead()).isFalse();
        write(good, messages(0, 1));
        assertThat(good.config().isAutoRead()).isTrue();
        write(good, messages(1, 8));
        assertThat(good.config().isAutoRead()).as("more than half of its share").isFalse();
        drain(hog);
        good.runPendingTasks();
        assertThat(good.config().isAutoRead()).isTrue();
    }

    @Test
    void givenAPauseThenNobodyReadsUntilItEnds() {
        MemoryBudget budget = new MemoryBudget(1 << 20, 1 << 18);
        EmbeddedChannel channel = channel(LIMITS, budget);
        budget.pause(ReadingPause.FREE_SPACE);
        write(channel, messages(0, 1));
        drain(channel);
        assertThat(channel.config().isAutoRead()).isFalse();
        budget.resume(ReadingPause.FREE_SPACE);
        channel.runPendingTasks();
        assertThat(channel.config().isAutoRead()).isTrue();
        write(channel, messages(1, 2));
        assertThat(bytes(drain(channel))).isEqualTo(messages(1, 2));
    }
}
