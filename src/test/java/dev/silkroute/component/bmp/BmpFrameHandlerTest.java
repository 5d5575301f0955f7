package dev.silkroute.component.bmp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.session.BmpSession;
import dev.silkroute.session.RouterValues;
import dev.silkroute.session.SessionConfig;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Framing of one connection: the same messages however the bytes are cut, and reading that pauses at its bounds. */
class BmpFrameHandlerTest {
    private static final SessionConfig CONFIG = new SessionConfig("col", RouterValues.NONE, 10);
    private static final int MESSAGE = 1000;

    private final Sessions sessions = new Sessions();

    private EmbeddedChannel channel(SessionLimits limits, MemoryBudget budget) {
        return new EmbeddedChannel(new BmpFrameHandler(
                limits, budget, sessions, from -> new BmpSession(CONFIG, 1, InetAddress.getLoopbackAddress())));
    }

    private EmbeddedChannel channel() {
        return channel(new SessionLimits(10_000, 20_000, 5_000), new MemoryBudget(1 << 20));
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
        MemoryBudget budget = new MemoryBudget(8_000);
        SessionLimits limits = new SessionLimits(10_000, 20_000, 5_000);
        EmbeddedChannel one = channel(limits, budget);
        EmbeddedChannel other = channel(limits, budget);
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
}
