package dev.silkroute.component.bmp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.net.ByteSink;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.RouterValues;
import dev.silkroute.session.SessionConfig;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Framing of one connection: the same messages however the bytes are cut, and reading that pauses at its bounds. */
class BmpFrameHandlerTest {
    private static final SessionConfig CONFIG = new SessionConfig("col", RouterValues.NONE, 10);
    private static final int MESSAGE = 1000;
    private static final Duration SILENCE = Duration.ofSeconds(60);
    private static final SessionLimits LIMITS = new SessionLimits(10_000, 20_000, 5_000, SILENCE);

    private final Sessions sessions = new Sessions(3);

    private EmbeddedChannel channel(SessionLimits limits, MemoryBudget budget) {
        return new EmbeddedChannel(new BmpFrameHandler(
                limits, budget, sessions, from -> new BmpSession(CONFIG, 1, InetAddress.getLoopbackAddress())));
    }

    private EmbeddedChannel channel() {
        return channel(LIMITS, new MemoryBudget(1 << 20, 1 << 18));
    }

    /** Messages of unknown type 200, each of 1,000 bytes filled with its number. */
    private static byte[] messages(int from, int to) {
        byte[] stream = new byte[(to - from) * MESSAGE];
        for (int i = from; i < to; i++) {
            int at = (i - from) * MESSAGE;
            Arrays.fill(stream, at, at + MESSAGE, (byte) i);
            stream[at] = 3;
            stream[at + 1] = 0;
            stream[at + 2] = 0;
            stream[at + 3] = (byte) (MESSAGE >> 8);
            stream[at + 4] = (byte) MESSAGE;
            stream[at + 5] = (byte) 200;
        }
        return stream;
    }

    private static void write(EmbeddedChannel channel, byte[] bytes) {
        channel.writeInbound(Unpooled.wrappedBuffer(bytes));
    }

    /** Takes the batches that have come out, done at once, until no more come. */
    private static List<FrameBatch> drain(EmbeddedChannel channel) {
        List<FrameBatch> batches = new ArrayList<>();
        for (FrameBatch batch = channel.readInbound(); batch != null; batch = channel.readInbound()) {
            batches.add(batch);
            batch.done();
            channel.runPendingTasks();
        }
        return batches;
    }

    private static byte[] bytes(List<FrameBatch> batches) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        batches.forEach(batch -> all.writeBytes(batch.bytes()));
        return all.toByteArray();
    }

    @Test
    void givenBytesWholeOrOneByOneThenTheSameMessagesComeOut() {
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
    void givenBatchesUnderWayThenFurtherMessagesAreCollectedIntoOne() {
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
    void givenMoreThanTheSessionMayHoldThenReadingPausesUntilHalfIsDone() {
        EmbeddedChannel channel = channel();
        int sent = 0;
        while (channel.config().isAutoRead()) {
            assertThat(sent).isLessThanOrEqualTo(20);
            write(channel, messages(sent, ++sent));
        }
        assertThat(sent).isEqualTo(21);
        List<FrameBatch> done = new ArrayList<>();
        while (!channel.config().isAutoRead()) {
            FrameBatch batch = channel.readInbound();
            done.add(batch);
            batch.done();
            channel.runPendingTasks();
        }
        assertThat(bytes(done).length).isGreaterThanOrEqualTo(11 * MESSAGE);
        done.addAll(drain(channel));
        assertThat(bytes(done)).isEqualTo(messages(0, 21));
    }

    @Test
    void givenAllSessionsHoldTheirBoundThenWhoeverReadsPausesAndAllGoOnWhenThereIsRoom() {
        MemoryBudget budget = new MemoryBudget(8_000, 20_000);
        EmbeddedChannel one = channel(LIMITS, budget);
        EmbeddedChannel other = channel(LIMITS, budget);
        write(one, messages(0, 5));
        write(one, messages(5, 10));
        write(other, messages(0, 1));
        assertThat(budget.held()).isEqualTo(11_000);
        assertThat(one.config().isAutoRead()).isFalse();
        assertThat(other.config().isAutoRead()).isFalse();
        assertThat(budget.waiting()).isEqualTo(2);
        drain(one);
        other.runPendingTasks();
        assertThat(one.config().isAutoRead()).isTrue();
        assertThat(other.config().isAutoRead()).isTrue();
        drain(other);
        assertThat(budget.held()).isZero();
    }

    @Test
    void givenAFaultBehindWholeMessagesThenTheyComeOutWithTheReasonAndTheConnectionIsClosed() {
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
    void givenAConnectionThatEndsInsideAMessageThenTheReasonSaysSo() {
        EmbeddedChannel channel = channel();
        write(channel, Arrays.copyOf(messages(0, 2), MESSAGE + 400));
        channel.close();
        List<FrameBatch> batches = drain(channel);
        assertThat(bytes(batches)).isEqualTo(messages(0, 1));
        assertThat(batches.getLast().end()).isEqualTo("connection closed inside a message, 400 bytes of it came");
        assertThat(sessions.count()).isZero();
    }

    @Test
    void givenASessionThatEndsWhileBatchesAreUnderWayThenItIsOpenUntilTheLastIsDone() {
        EmbeddedChannel channel = channel();
        write(channel, messages(0, 1));
        channel.close();
        assertThat(sessions.count()).isEqualTo(1);
        drain(channel);
        assertThat(sessions.count()).isZero();
    }

    private static void pass(EmbeddedChannel channel, Duration time) {
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void givenAMessageThatDoesNotGoOnThenTheSessionEndsAfterTheTimeAllowed() {
        EmbeddedChannel channel = channel();
        write(channel, Arrays.copyOf(messages(0, 2), MESSAGE + 400));
        List<FrameBatch> batches = drain(channel);
        // Given a byte now and then, it stays
        for (int i = 0; i < 5; i++) {
            quarters(channel, 3);
            write(channel, new byte[] {1});
        }
        assertThat(channel.isOpen()).isTrue();
        // When none comes any more: not before the time is over, and a quarter later at most
        quarters(channel, 4);
        assertThat(channel.isOpen()).isTrue();
        quarters(channel, 1);
        assertThat(channel.isOpen()).isFalse();
        // Then
        batches.addAll(drain(channel));
        assertThat(bytes(batches)).isEqualTo(messages(0, 1));
        assertThat(batches.getLast().end()).isEqualTo("no byte for 60 s inside a message, 405 bytes of it came");
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
    void givenAConnectionWithoutAnyMessageThenItEndsAfterTheTimeAllowed() {
        EmbeddedChannel channel = channel();
        quarters(channel, 6);
        assertThat(channel.isOpen()).isFalse();
        assertThat(drain(channel).getLast().end()).isEqualTo("no byte for 60 s inside a message, 0 bytes of it came");
    }

    @Test
    void givenAStationThatDoesNotReadThenItsSilenceEndsNoSession() {
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
    void givenTheLimitOfSessionsThenAFurtherConnectionIsRefusedAndTheOthersStay() {
        List<EmbeddedChannel> open = List.of(channel(), channel(), channel());
        EmbeddedChannel refused = channel();
        assertThat(refused.isOpen()).isFalse();
        assertThat(refused.inboundMessages()).isEmpty();
        assertThat(sessions.refused()).isEqualTo(1);
        assertThat(open).allMatch(EmbeddedChannel::isOpen);
        assertThat(sessions.count()).isEqualTo(3);

        open.getFirst().close();
        drain(open.getFirst());
        assertThat(channel().isOpen()).isTrue();
        assertThat(sessions.count()).isEqualTo(3);
        assertThat(sessions.refused()).isEqualTo(1);
    }

    @Test
    void givenIncompleteMessagesAboveTheirBoundThenTheOldestSessionGivesUp() {
        MemoryBudget budget = new MemoryBudget(1 << 20, 20_000);
        SessionLimits limits = new SessionLimits(10_000, 20_000, 5_000, SILENCE);
        EmbeddedChannel oldest = channel(limits, budget);
        EmbeddedChannel younger = channel(limits, budget);
        EmbeddedChannel youngest = channel(limits, budget);
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
        assertThat(drain(oldest).getLast().end()).startsWith("no room for incomplete messages");
        write(younger, new byte[1_000]);
        drain(younger);
        assertThat(budget.partial()).isEqualTo(9_000);
        assertThat(budget.held()).isEqualTo(9_000);
    }

    @Test
    void givenMoreIncompleteBytesThanAllMayHoldThenReadingGoesOnSoThatTheMessageBecomesWhole() {
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

    /** A connection of a router that names itself in its first message; its exchanges are done by whoever reads its batches. */
    private EmbeddedChannel connection(long id, String address, String router, MemoryBudget budget) {
        InetAddress from = InetAddress.ofLiteral(address);
        EmbeddedChannel channel = new EmbeddedChannel(
                new BmpFrameHandler(LIMITS, budget, sessions, ip -> new BmpSession(CONFIG, id, from)));
        ByteSink initiation = new ByteSink();
        BmpEncoder.initiation(router, "a router", initiation);
        write(channel, initiation.toByteArray());
        return channel;
    }

    private EmbeddedChannel connection(long id) {
        return connection(id, "192.0.2.1", "edge", new MemoryBudget(1 << 20, 1 << 18));
    }

    @Test
    void givenASessionThatEndedWhenItsBatchesAreUnderWayThenTheRoutersNextOneWaitsForThem() {
        // Given
        EmbeddedChannel first = connection(1);
        write(first, messages(0, 3));
        first.close();
        EmbeddedChannel second = connection(2);
        write(second, messages(0, 1));
        EmbeddedChannel another = connection(3, "192.0.2.1", "core", new MemoryBudget(1 << 20, 1 << 18));
        // Then only what is of another router goes on
        assertThat(second.inboundMessages()).isEmpty();
        assertThat(another.inboundMessages()).hasSize(1);
        assertThat(sessions.behind()).isEqualTo(1);
        // When all but the last batch is done
        while (first.inboundMessages().size() > 1) {
            first.<FrameBatch>readInbound().done();
            second.runPendingTasks();
        }
        assertThat(second.inboundMessages()).isEmpty();
        // And the last
        first.<FrameBatch>readInbound().done();
        second.runPendingTasks();
        // Then
        assertThat(second.inboundMessages()).hasSize(1);
        assertThat(sessions.behind()).isZero();
        assertThat(sessions.delayed()).isEqualTo(1);
        List<FrameBatch> batches = drain(second);
        assertThat(batches.getFirst().firstMessage()).isZero();
        assertThat(bytes(batches)).endsWith(messages(0, 1));
    }

    @Test
    void givenASessionThatWaitsWhenItEndsTooThenItIsToldInItsTurnAndTheNextOneAfterIt() {
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
        assertThat(batches.getLast().end()).isEqualTo("connection closed inside a message, 400 bytes of it came");
        third.runPendingTasks();
        assertThat(third.inboundMessages()).hasSize(1);
    }

    @Test
    void givenASessionThatWaitsThenReadingPausesAtItsBoundsAndGoesOnAfterwards() {
        MemoryBudget budget = new MemoryBudget(1 << 20, 1 << 18);
        EmbeddedChannel first = connection(1);
        first.close();
        EmbeddedChannel second = connection(2, "192.0.2.1", "edge", budget);
        int sent = 0;
        while (second.config().isAutoRead()) {
            assertThat(sent).isLessThanOrEqualTo(20);
            write(second, messages(sent, ++sent));
        }
        assertThat(budget.held()).isBetween(20_000L, 21_000L);
        drain(first);
        second.runPendingTasks();
        assertThat(bytes(drain(second))).endsWith(messages(0, sent));
        assertThat(second.config().isAutoRead()).isTrue();
        assertThat(budget.held()).isZero();
    }

    @Test
    void givenAnOpenSessionWhenItsRouterBeginsAnotherThenItIsReadToItsEndAndMakesWay() {
        EmbeddedChannel first = connection(1);
        drain(first);
        EmbeddedChannel second = connection(2);
        first.runPendingTasks();
        // Given bytes that were on their way
        pass(first, Duration.ofMillis(LastBytes.TICK_MILLIS / 2));
        write(first, messages(0, 1));
        pass(first, Duration.ofMillis(LastBytes.TICK_MILLIS));
        assertThat(first.isOpen()).isTrue();
        assertThat(second.inboundMessages()).isEmpty();
        // When none comes any more
        pass(first, Duration.ofMillis(LastBytes.TICK_MILLIS));
        // Then
        assertThat(first.isOpen()).isFalse();
        List<FrameBatch> batches = drain(first);
        assertThat(bytes(batches)).isEqualTo(messages(0, 1));
        assertThat(batches.getLast().end()).isEqualTo("the router has begun session 2");
        assertThat(sessions.ends(SessionEnd.SUPERSEDED)).isEqualTo(1);
        second.runPendingTasks();
        assertThat(drain(second)).hasSize(1);
        assertThat(second.isOpen()).isTrue();
    }

    @Test
    void givenAConnectionThatIsReadLaterThanOneAcceptedAfterItThenTheOneAcceptedLastStays() {
        EmbeddedChannel last = connection(2);
        drain(last);
        EmbeddedChannel before = connection(1);
        drain(before);
        before.runPendingTasks();
        last.runPendingTasks();
        pass(last, Duration.ofMinutes(1));
        pass(before, Duration.ofMillis(LastBytes.TICK_MILLIS));
        assertThat(last.isOpen()).isTrue();
        assertThat(before.isOpen()).isFalse();
        assertThat(drain(before).getLast().end()).isEqualTo("the router has begun session 2");
    }

    @Test
    void givenConnectionsThatWaitThenTheyGoOnInTheOrderInWhichTheyWereAccepted() {
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
    void givenAnOpenSessionThatGoesOnTalkingWhenItsRouterBeginsAnotherThenItEndsAllTheSame() {
        EmbeddedChannel first = connection(1);
        connection(2);
        first.runPendingTasks();
        for (int tick = 0; tick < LastBytes.MOST_TICKS; tick++) {
            assertThat(first.isOpen()).isTrue();
            write(first, messages(tick, tick + 1));
            drain(first);
            pass(first, Duration.ofMillis(LastBytes.TICK_MILLIS));
        }
        assertThat(first.isOpen()).isFalse();
    }

    private static List<String> routers(EmbeddedChannel channel) {
        List<String> routers = new ArrayList<>();
        for (FrameBatch batch : drain(channel)) {
            batch.session().identify(batch.bytes());
            routers.add(batch.session().router());
        }
        return routers;
    }

    private EmbeddedChannel connection(long id, String address) {
        return connection(id, address, "edge", new MemoryBudget(1 << 20, 1 << 18));
    }

    @Test
    void givenAnOpenSessionWhenAnotherRouterHasItsNameThenThatOneGoesByItsAddressToo() {
        EmbeddedChannel first = connection(1);
        EmbeddedChannel second = connection(2, "192.0.2.2");
        write(second, messages(0, 1));
        assertThat(second.inboundMessages()).isEmpty();
        pass(second, Duration.ofMillis(RouterTurn.GRACE_MILLIS));
        assertThat(routers(second)).containsOnly("edge@192.0.2.2");
        assertThat(routers(first)).containsOnly("edge");
        // When it connects anew, then its own connection before makes way, and no other
        EmbeddedChannel third = connection(3, "192.0.2.2");
        pass(third, Duration.ofMillis(RouterTurn.GRACE_MILLIS));
        second.runPendingTasks();
        pass(second, Duration.ofMinutes(1));
        drain(second);
        third.runPendingTasks();
        assertThat(routers(third)).containsOnly("edge@192.0.2.2");
        assertThat(second.isOpen()).isFalse();
        assertThat(first.isOpen()).isTrue();
    }

    @Test
    void givenARouterThatMovesToAnotherAddressThenItKeepsItsName() {
        EmbeddedChannel first = connection(1);
        drain(first);
        EmbeddedChannel second = connection(2, "192.0.2.2");
        pass(second, Duration.ofMillis(RouterTurn.GRACE_MILLIS - 1));
        assertThat(second.inboundMessages()).isEmpty();
        first.close();
        drain(first);
        pass(second, Duration.ofMillis(1));
        assertThat(routers(second)).containsOnly("edge");
    }

    @Test
    void givenARouterThatGoesBeforeItIsKnownWhoHasItsNameThenItsMessagesArriveAllTheSame() {
        EmbeddedChannel first = connection(1);
        EmbeddedChannel second = connection(2, "192.0.2.2");
        write(second, messages(0, 1));
        // Not its own close(): that forgets what is to be done later
        second.pipeline().fireChannelInactive();
        assertThat(second.inboundMessages()).isEmpty();
        pass(second, Duration.ofMillis(RouterTurn.GRACE_MILLIS));
        assertThat(routers(second)).containsOnly("edge@192.0.2.2");
        assertThat(sessions.count()).isEqualTo(1);
        assertThat(first.isOpen()).isTrue();
    }

    @Test
    void givenANameThatWasMadeForSomebodyElseThenItIsTakenToo() {
        connection(1);
        connection(2, "192.0.2.2", "edge@192.0.2.3", new MemoryBudget(1 << 20, 1 << 18));
        EmbeddedChannel third = connection(3, "192.0.2.3");
        pass(third, Duration.ofMillis(RouterTurn.GRACE_MILLIS));
        assertThat(routers(third)).containsOnly("edge@192.0.2.3@192.0.2.3");
    }

    @Test
    void givenANameThatTheOperatorHasGivenToTwoAddressesThenBothHaveIt() {
        SessionConfig named = new SessionConfig("col", RouterValues.parse("192.0.2.0/24=edge"), 10);
        for (int i = 1; i <= 2; i++) {
            long id = i;
            InetAddress from = InetAddress.ofLiteral("192.0.2." + i);
            EmbeddedChannel channel = new EmbeddedChannel(new BmpFrameHandler(
                    LIMITS, new MemoryBudget(1 << 20, 1 << 18), sessions, ip -> new BmpSession(named, id, from)));
            write(channel, messages(0, 1));
            assertThat(routers(channel)).containsExactly("edge");
        }
    }

    @Test
    void givenANameThatTheOperatorHasGivenToAnotherAddressThenARouterThatCallsItselfSoIsNotThatOne() {
        SessionConfig named = new SessionConfig("col", RouterValues.parse("192.0.2.1=edge"), 10);
        List<String> routers = new ArrayList<>();
        for (int i = 2; i >= 1; i--) {
            long id = i;
            InetAddress from = InetAddress.ofLiteral("192.0.2." + i);
            EmbeddedChannel channel = new EmbeddedChannel(new BmpFrameHandler(
                    LIMITS, new MemoryBudget(1 << 20, 1 << 18), sessions, ip -> new BmpSession(named, id, from)));
            ByteSink initiation = new ByteSink();
            BmpEncoder.initiation("edge", "a router", initiation);
            write(channel, initiation.toByteArray());
            pass(channel, Duration.ofMillis(RouterTurn.GRACE_MILLIS));
            routers.addAll(routers(channel));
        }
        assertThat(routers).containsExactly("edge@192.0.2.2", "edge");
    }

    @Test
    void givenAFirstMessageThatIsCutOffThenTheSessionEndsAsAnyOther() {
        EmbeddedChannel channel = channel();
        write(channel, HexFormat.of().parseHex("030000000603"));
        assertThat(bytes(drain(channel))).hasSize(6);
        channel.close();
        drain(channel);
        assertThat(sessions.count()).isZero();
    }

    @Test
    void givenRoutersThatAreKnownByTheirAddressOnlyThenNoneHasToMakeWayForAnother() {
        EmbeddedChannel first = connection(1, "192.0.2.1", "192.0.2.1", new MemoryBudget(1 << 20, 1 << 18));
        EmbeddedChannel second = connection(2, "192.0.2.1", "192.0.2.1", new MemoryBudget(1 << 20, 1 << 18));
        first.runPendingTasks();
        pass(first, Duration.ofMinutes(1));
        assertThat(first.isOpen()).isTrue();
        assertThat(second.inboundMessages()).hasSize(1);
    }
}
