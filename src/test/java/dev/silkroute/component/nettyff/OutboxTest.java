package dev.silkroute.component.nettyff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.IllegalReferenceCountException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The outbox before a channel that goes nowhere. */
class OutboxTest {
    private static final IOException PEER = new IOException("peer went away");

    private final NettyFfConfiguration options = new NettyFfConfiguration();
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final AtomicInteger connects = new AtomicInteger();
    private final Valve valve = new Valve();
    private EmbeddedChannel channel = new EmbeddedChannel(valve);

    OutboxTest() {
        options.setLingerMicros(0);
        options.setBufferSize(1024);
        options.setFlushBytes(512);
        options.setMaxPendingBytes(4096);
    }

    private Outbox outbox() {
        Outbox outbox = new Outbox(options, allocator, connects::incrementAndGet);
        outbox.start();
        return outbox;
    }

    private Line connect(Outbox outbox) {
        outbox.connecting();
        Line line = new Line(outbox, channel);
        assertThat(outbox.connected(line)).isTrue();
        channel.closeFuture().addListener(_ -> outbox.lost(line, PEER));
        return line;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private void run() {
        channel.runPendingTasks();
    }

    private static void holds(NettyFfStatistics s) {
        assertThat(s.accepted()).as("%s", s).isEqualTo(s.written() + s.failed() + s.dropped() + s.pending());
    }

    @Test
    void messagesGetOutInOrderAndTogether() throws Exception {
        valve.open();
        Outbox outbox = outbox();
        connect(outbox);

        outbox.send(text("one "), 1);
        outbox.sendAll(List.of(text("two "), Unpooled.copiedBuffer(text("three "))));
        outbox.send(text("four"), 1);
        run();

        assertThat(valve.taken()).asString().isEqualTo("one two three four");
        assertThat(valve.flushes()).isEqualTo(1);
        assertThat(outbox.statistics())
                .returns(4L, NettyFfStatistics::accepted)
                .returns(4L, NettyFfStatistics::written)
                .returns(0L, NettyFfStatistics::pending)
                .returns(1L, NettyFfStatistics::flushes);
    }

    @Test
    void fewBytesLingerAndManyDoNot() throws Exception {
        valve.open();
        options.setLingerMicros(20_000);
        Outbox outbox = outbox();
        connect(outbox);

        long start = System.nanoTime();
        outbox.send(new byte[100], 1);
        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            run();
            channel.runScheduledPendingTasks();
            return valve.taken().length == 100;
        });
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);

        outbox.send(new byte[512], 1);
        run();
        assertThat(valve.taken()).hasSize(612);
    }

    @Test
    void aBodyThatIsSeveralMessagesCountsAsSo() throws Exception {
        valve.open();
        Outbox outbox = outbox();
        connect(outbox);

        outbox.send(new byte[100], 7);
        outbox.send(new byte[0], 1);
        run();

        assertThat(outbox.statistics())
                .returns(8L, NettyFfStatistics::accepted)
                .returns(8L, NettyFfStatistics::written);
    }

    @Test
    void whatComesBeforeTheConnectionWaitsForIt() throws Exception {
        valve.open();
        Outbox outbox = outbox();

        outbox.send(text("early "), 1);
        outbox.send(text("birds"), 1);
        assertThat(connects).hasValue(1);
        connect(outbox);
        run();

        assertThat(valve.taken()).asString().isEqualTo("early birds");
    }

    @Test
    void theBoundFailsAMessageAndAWholeBatch() throws Exception {
        options.setOverflow(Overflow.FAIL);
        Outbox outbox = outbox();
        connect(outbox);
        outbox.send(new byte[4000], 1);

        assertThatThrownBy(() -> outbox.send(new byte[97], 1))
                .isInstanceOf(SendRefusedException.class)
                .hasMessageContaining("maxPendingBytes=4096");
        assertThatThrownBy(() -> outbox.sendAll(List.of(new byte[50], new byte[50])))
                .isInstanceOfSatisfying(
                        SendRefusedException.class,
                        e -> assertThat(e.getAccepted()).isZero());
        outbox.send(new byte[96], 1);

        NettyFfStatistics s = outbox.statistics();
        assertThat(s)
                .returns(2L, NettyFfStatistics::accepted)
                .returns(3L, NettyFfStatistics::refused)
                .returns(4096L, NettyFfStatistics::pendingBytes);
        holds(s);
    }

    @Test
    void theBoundDropsAndCounts() throws Exception {
        options.setOverflow(Overflow.DROP);
        Outbox outbox = outbox();
        connect(outbox);

        for (int i = 0; i < 10; i++) {
            outbox.send(new byte[1000], 1);
        }
        run();
        outbox.send(new byte[5000], 1);
        valve.open().flush(null);
        run();

        NettyFfStatistics s = outbox.statistics();
        assertThat(s)
                .returns(11L, NettyFfStatistics::accepted)
                .returns(4L, NettyFfStatistics::written)
                .returns(7L, NettyFfStatistics::dropped);
        assertThat(valve.taken()).hasSize(4000);
    }

    @Test
    void aSenderWaitsForRoom() throws Exception {
        Outbox outbox = outbox();
        connect(outbox);
        outbox.send(new byte[4000], 1);
        run();

        CompletableFuture<Void> sender = sendLater(outbox, new byte[1000]);
        await().during(Duration.ofMillis(50)).until(() -> !sender.isDone());
        valve.takeOne();

        assertThat(sender).succeedsWithin(Duration.ofSeconds(5));
        assertThat(outbox.statistics())
                .returns(2L, NettyFfStatistics::accepted)
                .satisfies(s -> assertThat(s.blockedNanos()).isGreaterThanOrEqualTo(50_000_000));
    }

    @Test
    void aSenderDoesNotWaitForEver() throws Exception {
        options.setSendTimeout(Duration.ofMillis(30));
        Outbox outbox = outbox();
        connect(outbox);
        outbox.send(new byte[4000], 1);

        assertThatThrownBy(() -> outbox.sendAll(List.of(new byte[50], new byte[100])))
                .hasMessageContaining("sendTimeout=30 ms")
                .isInstanceOfSatisfying(
                        SendRefusedException.class,
                        e -> assertThat(e.getAccepted()).isEqualTo(1));
        assertThatThrownBy(() -> outbox.send(new byte[4097], 1)).hasMessageContaining("4097 bytes are more than");
        NettyFfStatistics s = outbox.statistics();
        assertThat(s).returns(2L, NettyFfStatistics::accepted).returns(2L, NettyFfStatistics::refused);
        holds(s);
    }

    @Test
    void anEventLoopNeverWaits() throws Exception {
        options.setSendTimeout(Duration.ofHours(1));
        Outbox outbox = outbox();
        connect(outbox);
        outbox.send(new byte[4000], 1);
        DefaultEventLoop loop = new DefaultEventLoop();
        try {
            var refused = loop.submit(() -> {
                outbox.send(new byte[1000], 1);
                return null;
            });
            assertThat(refused.await(5_000)).isTrue();
            assertThat(refused.cause()).hasMessageContaining("this thread is an event loop");
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    @Test
    void memoryIsBoundedHoweverSmallTheFlushes() throws Exception {
        options.setOverflow(Overflow.FAIL);
        Outbox outbox = outbox();
        connect(outbox);

        for (int i = 0; i < 409; i++) {
            outbox.send(new byte[10], 1);
            run();
        }

        assertThat(outbox.statistics().pendingBytes()).isEqualTo(4090);
        assertThat(valve.waiting()).isEqualTo(ChunkQueue.MOST_UNDER_WAY);
        assertThat(allocator.metric().usedDirectMemory()).isLessThanOrEqualTo(4096 + 3 * 1024);
        channel.close();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void aLostConnectionTakesAllThatIsPendingWithIt() throws Exception {
        Outbox outbox = outbox();
        connect(outbox);
        for (int i = 0; i < 40; i++) {
            outbox.send(new byte[100], 1);
            run();
        }
        valve.takeOne();
        run();

        channel.close();

        NettyFfStatistics s = outbox.statistics();
        assertThat(s.written()).isEqualTo(1);
        assertThat(s.failed()).isEqualTo(39);
        assertThat(s).returns(0L, NettyFfStatistics::pending).returns(0L, NettyFfStatistics::pendingBytes);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void aMessageInTwoBuffersIsWrittenWithTheSecond() throws Exception {
        Outbox outbox = outbox();
        connect(outbox);
        outbox.send(new byte[1000], 1);
        outbox.send(new byte[1000], 1);
        run();

        valve.takeOne();

        assertThat(outbox.statistics()).returns(1L, NettyFfStatistics::written).returns(1L, NettyFfStatistics::pending);
        valve.takeOne();
        assertThat(outbox.statistics()).returns(2L, NettyFfStatistics::written).returns(0L, NettyFfStatistics::pending);
    }

    @Test
    void oneExchangeIsToldOfALossBeforeAnyIsAcceptedAgain() throws Exception {
        Outbox outbox = outbox();
        connect(outbox);
        outbox.send(text("old session"), 1);
        channel.close();
        Valve next = new Valve().open();
        channel = new EmbeddedChannel(next);
        connect(outbox);

        assertThatThrownBy(() -> outbox.send(text("middle of the old"), 1))
                .hasMessage("the connection was lost: peer went away")
                .hasCause(PEER);
        outbox.send(text("new session"), 1);
        run();

        assertThat(next.taken()).asString().isEqualTo("new session");
        NettyFfStatistics s = outbox.statistics();
        assertThat(s)
                .returns(2L, NettyFfStatistics::accepted)
                .returns(1L, NettyFfStatistics::failed)
                .returns(1L, NettyFfStatistics::refused)
                .returns(1L, NettyFfStatistics::reconnects);
        holds(s);
    }

    /** A sender with nothing to say can ask whether its session still stands; so it is not while the next connection is being made. */
    @Test
    void anEmptyBatchAsksAfterTheConnection() throws Exception {
        Outbox outbox = outbox();
        connect(outbox);
        outbox.sendAll(List.of());
        channel.close();

        assertThatThrownBy(() -> outbox.sendAll(List.of())).hasRootCause(PEER);
        outbox.connecting();
        assertThatThrownBy(() -> outbox.sendAll(List.of())).hasRootCause(PEER);
        channel = new EmbeddedChannel(valve);
        Line line = new Line(outbox, channel);
        assertThat(outbox.connected(line)).isTrue();
        outbox.sendAll(List.of());

        assertThat(outbox.statistics())
                .returns(0L, NettyFfStatistics::accepted)
                .returns(0L, NettyFfStatistics::refused)
                .returns(1L, NettyFfStatistics::reconnects);
    }

    @Test
    void withoutConnectionSendersAreRefused() throws Exception {
        Outbox outbox = outbox();
        outbox.send(text("first"), 1);

        Loss loss = outbox.lost(null, PEER);

        assertThat(loss).isEqualTo(new Loss(1, 5, PEER));
        assertThatThrownBy(() -> outbox.send(text("x"), 1)).hasMessage("not connected: peer went away");
        assertThatThrownBy(() -> outbox.send(text("x"), 1)).hasMessage("not connected: peer went away");
        assertThat(outbox.lost(null, PEER)).isNull();
    }

    @Test
    void aFailedWriteEndsTheConnection() throws Exception {
        Outbox outbox = outbox();
        Line line = connect(outbox);
        outbox.send(new byte[600], 1);
        run();
        outbox.send(new byte[600], 1);

        valve.failOne();
        run();

        assertThat(channel.isOpen()).isFalse();
        assertThat(line.cause()).hasMessage("broken pipe");
        assertThat(outbox.statistics()).returns(2L, NettyFfStatistics::failed).returns(0L, NettyFfStatistics::pending);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void waitingSendersAreReleasedByALossAndNoneGoesOn() throws Exception {
        Outbox outbox = outbox();
        connect(outbox);
        outbox.send(new byte[4000], 1);
        run();
        List<CompletableFuture<Void>> senders = Stream.generate(() -> sendLater(outbox, new byte[1000]))
                .limit(3)
                .toList();
        await().until(() -> outbox.waiting() == 3);

        channel.close();
        outbox.connecting();

        for (CompletableFuture<Void> sender : senders) {
            assertThat(sender)
                    .failsWithin(Duration.ofSeconds(5))
                    .withThrowableThat()
                    .withMessageContaining("connection was lost");
        }
        holds(outbox.statistics());
        assertThat(outbox.statistics().refused()).isEqualTo(3);
    }

    @Test
    void stoppingRefusesWhoWaitsAndKeepsWhatIsAccepted() throws Exception {
        Outbox outbox = outbox();
        connect(outbox);
        outbox.send(new byte[4000], 1);
        run();
        CompletableFuture<Void> sender = sendLater(outbox, new byte[1000]);
        await().until(() -> outbox.waiting() == 1);

        outbox.stop();

        assertThat(sender)
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withMessageContaining("is stopped");
        assertThat(outbox.drain(0)).isFalse();
        valve.open().flush(null);
        run();
        assertThat(outbox.drain(0)).isTrue();
        assertThat(outbox.abandon(PEER).messages()).isZero();
        assertThat(valve.taken()).hasSize(4000);
    }

    @Test
    void whatIsLeftAtTheEndHasFailed() throws Exception {
        Outbox outbox = outbox();
        connect(outbox);
        outbox.send(new byte[2000], 1);
        run();
        outbox.send(new byte[10], 2);
        outbox.stop();

        Loss loss = outbox.abandon(PEER);
        channel.close();

        assertThat(loss.messages()).isEqualTo(3);
        assertThat(outbox.statistics()).returns(3L, NettyFfStatistics::failed).returns(0L, NettyFfStatistics::pending);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void aConnectionThatComesTooLateIsNotTaken() throws Exception {
        Outbox outbox = outbox();
        outbox.send(text("x"), 1);

        outbox.abandon(PEER);

        assertThat(outbox.connected(new Line(outbox, channel))).isFalse();
    }

    @Test
    void aBuffersIndicesStayAndAReleasedOneIsRefused() throws Exception {
        valve.open();
        Outbox outbox = outbox();
        connect(outbox);
        ByteBuf buffer = Unpooled.copiedBuffer(text("..inner..")).setIndex(2, 7);

        outbox.send(buffer, 1);
        run();

        assertThat(valve.taken()).asString().isEqualTo("inner");
        assertThat(buffer.readerIndex()).isEqualTo(2);
        buffer.release();
        assertThatThrownBy(() -> outbox.send(buffer, 1)).isInstanceOf(IllegalReferenceCountException.class);
        assertThat(outbox.statistics())
                .returns(1L, NettyFfStatistics::accepted)
                .returns(1L, NettyFfStatistics::refused);
    }

    @Test
    void withoutMemoryNothingOfAMessageIsSent() throws Exception {
        valve.open();
        options.setBufferSize(256);
        AtomicInteger left = new AtomicInteger(2);
        AbstractByteBufAllocator scarce = new AbstractByteBufAllocator(true) {
            @Override
            protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
                return allocator.heapBuffer(initialCapacity, maxCapacity);
            }

            @Override
            protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
                if (left.getAndDecrement() == 0) {
                    throw new OutOfMemoryError("for the test");
                }
                return allocator.directBuffer(initialCapacity, maxCapacity);
            }

            @Override
            public boolean isDirectBufferPooled() {
                return false;
            }
        };
        Outbox outbox = new Outbox(options, scarce, connects::incrementAndGet);
        outbox.start();
        connect(outbox);
        outbox.send(text("before "), 1);

        assertThatThrownBy(() -> outbox.send(new byte[1000], 1)).isInstanceOf(OutOfMemoryError.class);
        outbox.send(text("after"), 1);
        run();

        assertThat(valve.taken()).asString().isEqualTo("before after");
        holds(outbox.statistics());
        channel.close();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void aMessageCostsNoAllocation() throws Exception {
        options.setBufferSize(64 * 1024);
        options.setFlushBytes(32 * 1024);
        options.setMaxPendingBytes(1 << 20);
        options.setLingerMicros(1_000_000);
        Outbox outbox = outbox();
        connect(outbox);
        byte[] message = new byte[60];
        List<byte[]> batch = Collections.nCopies(64, message);
        outbox.send(message, 1);
        outbox.sendAll(batch);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        threads.getCurrentThreadAllocatedBytes();

        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 100; i++) {
            outbox.send(message, 1);
        }
        outbox.sendAll(batch);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(outbox.statistics().accepted()).isEqualTo(1 + 64 + 100 + 64);
        assertThat(allocated).isLessThan(164);
    }

    @Test
    void aBatchBeyondTheBoundGoesOutPieceByPiece() throws Exception {
        valve.open();
        Outbox outbox = outbox();
        connect(outbox);
        CompletableFuture<Void> sender = sendAllLater(outbox, Collections.nCopies(100, new byte[1000]));

        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            run();
            return sender.isDone();
        });
        run();

        assertThat(sender).isCompleted();
        assertThat(valve.taken()).hasSize(100_000);
    }

    private static CompletableFuture<Void> sendLater(Outbox outbox, byte[] message) {
        return sendAllLater(outbox, List.of(message));
    }

    private static CompletableFuture<Void> sendAllLater(Outbox outbox, List<byte[]> messages) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        outbox.sendAll(messages);
                    } catch (SendRefusedException e) {
                        throw new CompletionException(e);
                    }
                },
                task -> Thread.ofVirtual().start(task));
    }
}
