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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the send buffer and its connection with an embedded channel and a controlled clock. */
class SendBufferTest {
    private static final IOException PEER = new IOException("connection reset");

    private final NettyFfConfiguration options = new NettyFfConfiguration();
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final AtomicInteger connects = new AtomicInteger();
    private final AtomicLong clock = new AtomicLong();
    private final ControlledSocket socket = new ControlledSocket();
    private EmbeddedChannel channel = new EmbeddedChannel(socket);

    SendBufferTest() {
        options.setLingerMicros(0);
        options.setBufferSize(1024);
        options.setFlushBytes(512);
        options.setMaxPendingBytes(4096);
    }

    private SendBuffer startedBuffer() {
        SendBuffer buffer = new SendBuffer(options, allocator, connects::incrementAndGet, clock::get);
        buffer.start();
        return buffer;
    }

    private Connection connect(SendBuffer buffer) {
        buffer.beginConnecting();
        Connection connection = new Connection(buffer, channel);
        assertThat(buffer.connected(connection.scheduler())).isTrue();
        channel.closeFuture().addListener(_ -> buffer.lost(connection.scheduler(), PEER));
        return connection;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private void run() {
        channel.runPendingTasks();
    }

    private static void assertInvariant(NettyFfStatistics s) {
        assertThat(s.accepted()).as("%s", s).isEqualTo(s.written() + s.failed() + s.dropped() + s.pending());
    }

    @Test
    void messagesAreWrittenInOrderAndTogether() throws Exception {
        socket.open();
        SendBuffer buffer = startedBuffer();
        connect(buffer);

        buffer.send(text("one "), 1);
        buffer.sendAll(List.of(text("two "), Unpooled.copiedBuffer(text("three "))));
        buffer.send(text("four"), 1);
        run();

        assertThat(socket.taken()).asString().isEqualTo("one two three four");
        assertThat(socket.flushes()).isEqualTo(1);
        assertThat(buffer.statistics())
                .returns(4L, NettyFfStatistics::accepted)
                .returns(4L, NettyFfStatistics::written)
                .returns(0L, NettyFfStatistics::pending)
                .returns(1L, NettyFfStatistics::flushes);
    }

    @Test
    void fewBytesLingerAndManyAreWrittenAtOnce() throws Exception {
        socket.open();
        channel.freezeTime();
        options.setLingerMicros(20_000);
        SendBuffer buffer = startedBuffer();
        connect(buffer);

        buffer.send(new byte[100], 1);
        advance(19_999);
        assertThat(socket.taken()).isEmpty();
        advance(1);
        assertThat(socket.taken()).hasSize(100);

        buffer.send(new byte[512], 1);
        run();
        assertThat(socket.taken()).hasSize(612);
    }

    @Test
    void theLingerTimeCountsFromTheOldestByte() throws Exception {
        socket.open();
        channel.freezeTime();
        options.setLingerMicros(20_000);
        SendBuffer buffer = startedBuffer();
        connect(buffer);

        buffer.send(new byte[512], 1); // starts no timer
        run();
        advance(10_000);
        buffer.send(new byte[100], 1);
        advance(10_000);
        buffer.send(new byte[100], 1);
        advance(9_999);
        assertThat(socket.taken()).hasSize(512);
        advance(1);
        assertThat(socket.taken()).hasSize(712);
    }

    /** Advances the clocks of the send buffer and of the channel's event loop and runs what is due. */
    private void advance(long micros) {
        clock.addAndGet(TimeUnit.MICROSECONDS.toNanos(micros));
        channel.advanceTimeBy(micros, TimeUnit.MICROSECONDS);
        run();
        channel.runScheduledPendingTasks();
    }

    @Test
    void aBodyOfSeveralMessagesIsCountedAsSeveral() throws Exception {
        socket.open();
        SendBuffer buffer = startedBuffer();
        connect(buffer);

        buffer.send(new byte[100], 7);
        buffer.send(new byte[0], 1);
        run();

        assertThat(buffer.statistics())
                .returns(8L, NettyFfStatistics::accepted)
                .returns(8L, NettyFfStatistics::written);
    }

    @Test
    void messagesBeforeTheConnectionAreWrittenOnceItIsEstablished() throws Exception {
        socket.open();
        SendBuffer buffer = startedBuffer();

        buffer.send(text("early "), 1);
        buffer.send(text("birds"), 1);
        assertThat(connects).hasValue(1);
        connect(buffer);
        run();

        assertThat(socket.taken()).asString().isEqualTo("early birds");
    }

    @Test
    void atTheLimitAMessageOrAWholeBatchFails() throws Exception {
        options.setOverflow(Overflow.FAIL);
        SendBuffer buffer = startedBuffer();
        connect(buffer);
        buffer.send(new byte[4000], 1);

        assertThatThrownBy(() -> buffer.send(new byte[97], 1))
                .isInstanceOf(SendRefusedException.class)
                .hasMessageContaining("maxPendingBytes=4096");
        assertThatThrownBy(() -> buffer.sendAll(List.of(new byte[50], new byte[50])))
                .isInstanceOfSatisfying(
                        SendRefusedException.class,
                        e -> assertThat(e.getAccepted()).isZero());
        buffer.send(new byte[96], 1);

        NettyFfStatistics s = buffer.statistics();
        assertThat(s)
                .returns(2L, NettyFfStatistics::accepted)
                .returns(3L, NettyFfStatistics::refused)
                .returns(4096L, NettyFfStatistics::pendingBytes);
        assertInvariant(s);
    }

    @Test
    void atTheLimitMessagesAreDroppedAndCounted() throws Exception {
        options.setOverflow(Overflow.DROP);
        SendBuffer buffer = startedBuffer();
        connect(buffer);

        for (int i = 0; i < 10; i++) {
            buffer.send(new byte[1000], 1);
        }
        run();
        buffer.send(new byte[5000], 1);
        socket.open().flush(null);
        run();

        NettyFfStatistics s = buffer.statistics();
        assertThat(s)
                .returns(11L, NettyFfStatistics::accepted)
                .returns(4L, NettyFfStatistics::written)
                .returns(7L, NettyFfStatistics::dropped);
        assertThat(socket.taken()).hasSize(4000);
    }

    @Test
    void aSenderWaitsForSpace() throws Exception {
        SendBuffer buffer = startedBuffer();
        connect(buffer);
        buffer.send(new byte[4000], 1);
        run();

        CompletableFuture<Void> sender = sendLater(buffer, new byte[1000]);
        await().until(() -> buffer.waiting() == 1);
        assertThat(sender).isNotDone();
        clock.addAndGet(50_000_000);
        socket.takeOne();

        assertThat(sender).succeedsWithin(Duration.ofSeconds(5));
        assertThat(buffer.statistics())
                .returns(2L, NettyFfStatistics::accepted)
                .returns(50_000_000L, NettyFfStatistics::blockedNanos);
    }

    @Test
    void aWaitingSenderTimesOut() throws Exception {
        options.setSendTimeout(Duration.ofMillis(30));
        SendBuffer buffer = startedBuffer();
        connect(buffer);
        buffer.send(new byte[4000], 1);

        assertThatThrownBy(() -> buffer.sendAll(List.of(new byte[50], new byte[100])))
                .hasMessageContaining("sendTimeout=30 ms")
                .isInstanceOfSatisfying(
                        SendRefusedException.class,
                        e -> assertThat(e.getAccepted()).isEqualTo(1));
        assertThatThrownBy(() -> buffer.send(new byte[4097], 1)).hasMessageContaining("4097 bytes are more than");
        NettyFfStatistics s = buffer.statistics();
        assertThat(s).returns(2L, NettyFfStatistics::accepted).returns(2L, NettyFfStatistics::refused);
        assertInvariant(s);
    }

    @Test
    void anEventLoopNeverWaits() throws Exception {
        options.setSendTimeout(Duration.ofHours(1));
        SendBuffer buffer = startedBuffer();
        connect(buffer);
        buffer.send(new byte[4000], 1);
        DefaultEventLoop loop = new DefaultEventLoop();
        try {
            var refused = loop.submit(() -> {
                buffer.send(new byte[1000], 1);
                return null;
            });
            assertThat(refused.await(5_000)).isTrue();
            assertThat(refused.cause()).hasMessageContaining("this thread is an event loop");
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    @Test
    void memoryIsBoundedEvenWithSmallFlushes() throws Exception {
        options.setOverflow(Overflow.FAIL);
        SendBuffer buffer = startedBuffer();
        connect(buffer);

        for (int i = 0; i < 409; i++) {
            buffer.send(new byte[10], 1);
            run();
        }

        assertThat(buffer.statistics().pendingBytes()).isEqualTo(4090);
        assertThat(socket.waiting()).isEqualTo(ChunkQueue.MAX_IN_FLIGHT);
        assertThat(allocator.metric().usedDirectMemory()).isLessThanOrEqualTo(4096 + 3 * 1024);
        channel.close();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void aLostConnectionFailsEverythingPending() throws Exception {
        SendBuffer buffer = startedBuffer();
        connect(buffer);
        for (int i = 0; i < 40; i++) {
            buffer.send(new byte[100], 1);
            run();
        }
        socket.takeOne();
        run();

        channel.close();

        NettyFfStatistics s = buffer.statistics();
        assertThat(s.written()).isEqualTo(1);
        assertThat(s.failed()).isEqualTo(39);
        assertThat(s).returns(0L, NettyFfStatistics::pending).returns(0L, NettyFfStatistics::pendingBytes);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void aMessageInTwoChunksIsWrittenWithTheSecond() throws Exception {
        SendBuffer buffer = startedBuffer();
        connect(buffer);
        buffer.send(new byte[1000], 1);
        buffer.send(new byte[1000], 1);
        run();

        socket.takeOne();

        assertThat(buffer.statistics()).returns(1L, NettyFfStatistics::written).returns(1L, NettyFfStatistics::pending);
        socket.takeOne();
        assertThat(buffer.statistics()).returns(2L, NettyFfStatistics::written).returns(0L, NettyFfStatistics::pending);
    }

    @Test
    void oneExchangeFailsAfterALossBeforeAnyIsAcceptedAgain() throws Exception {
        SendBuffer buffer = startedBuffer();
        connect(buffer);
        buffer.send(text("old session"), 1);
        channel.close();
        ControlledSocket next = new ControlledSocket().open();
        channel = new EmbeddedChannel(next);
        connect(buffer);

        assertThatThrownBy(() -> buffer.send(text("middle of the old"), 1))
                .hasMessage("the connection was lost: connection reset")
                .hasCause(PEER);
        buffer.send(text("new session"), 1);
        run();

        assertThat(next.taken()).asString().isEqualTo("new session");
        NettyFfStatistics s = buffer.statistics();
        assertThat(s)
                .returns(2L, NettyFfStatistics::accepted)
                .returns(1L, NettyFfStatistics::failed)
                .returns(1L, NettyFfStatistics::refused)
                .returns(1L, NettyFfStatistics::reconnects);
        assertInvariant(s);
    }

    /**
     * A sender without messages can check that its session still exists. It does not while the next connection is being
     * established.
     */
    @Test
    void anEmptyBatchReportsALostConnection() throws Exception {
        SendBuffer buffer = startedBuffer();
        connect(buffer);
        buffer.sendAll(List.of());
        channel.close();

        assertThatThrownBy(() -> buffer.sendAll(List.of())).hasRootCause(PEER);
        buffer.beginConnecting();
        assertThatThrownBy(() -> buffer.sendAll(List.of())).hasRootCause(PEER);
        channel = new EmbeddedChannel(socket);
        Connection connection = new Connection(buffer, channel);
        assertThat(buffer.connected(connection.scheduler())).isTrue();
        buffer.sendAll(List.of());

        assertThat(buffer.statistics())
                .returns(0L, NettyFfStatistics::accepted)
                .returns(0L, NettyFfStatistics::refused)
                .returns(1L, NettyFfStatistics::reconnects);
    }

    @Test
    void withoutConnectionSendersAreRefused() throws Exception {
        SendBuffer buffer = startedBuffer();
        buffer.send(text("first"), 1);

        LostMessages lost = buffer.lost(null, PEER);

        assertThat(lost).isEqualTo(new LostMessages(1, 5, PEER));
        assertThatThrownBy(() -> buffer.send(text("x"), 1)).hasMessage("not connected: connection reset");
        assertThatThrownBy(() -> buffer.send(text("x"), 1)).hasMessage("not connected: connection reset");
        assertThat(buffer.lost(null, PEER)).isNull();
    }

    @Test
    void aFailedWriteClosesTheConnection() throws Exception {
        SendBuffer buffer = startedBuffer();
        Connection connection = connect(buffer);
        buffer.send(new byte[600], 1);
        run();
        buffer.send(new byte[600], 1);

        socket.failOne();
        run();

        assertThat(channel.isOpen()).isFalse();
        assertThat(connection.cause()).hasMessage("broken pipe");
        assertThat(buffer.statistics()).returns(2L, NettyFfStatistics::failed).returns(0L, NettyFfStatistics::pending);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void aLossReleasesAndRefusesAllWaitingSenders() throws Exception {
        SendBuffer buffer = startedBuffer();
        connect(buffer);
        buffer.send(new byte[4000], 1);
        run();
        List<CompletableFuture<Void>> senders = Stream.generate(() -> sendLater(buffer, new byte[1000]))
                .limit(3)
                .toList();
        await().until(() -> buffer.waiting() == 3);

        channel.close();
        buffer.beginConnecting();

        for (CompletableFuture<Void> sender : senders) {
            assertThat(sender)
                    .failsWithin(Duration.ofSeconds(5))
                    .withThrowableThat()
                    .withMessageContaining("connection was lost");
        }
        assertInvariant(buffer.statistics());
        assertThat(buffer.statistics().refused()).isEqualTo(3);
    }

    @Test
    void stoppingRefusesWaitingSendersAndKeepsAcceptedMessages() throws Exception {
        SendBuffer buffer = startedBuffer();
        connect(buffer);
        buffer.send(new byte[4000], 1);
        run();
        CompletableFuture<Void> sender = sendLater(buffer, new byte[1000]);
        await().until(() -> buffer.waiting() == 1);

        buffer.stop();

        assertThat(sender)
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withMessageContaining("is stopped");
        assertThat(buffer.drain(0)).isFalse();
        socket.open().flush(null);
        run();
        assertThat(buffer.drain(0)).isTrue();
        assertThat(buffer.abandon(PEER).messages()).isZero();
        assertThat(socket.taken()).hasSize(4000);
    }

    @Test
    void abandoningFailsEverythingPending() throws Exception {
        SendBuffer buffer = startedBuffer();
        connect(buffer);
        buffer.send(new byte[2000], 1);
        run();
        buffer.send(new byte[10], 2);
        buffer.stop();

        LostMessages lost = buffer.abandon(PEER);
        channel.close();

        assertThat(lost.messages()).isEqualTo(3);
        assertThat(buffer.statistics()).returns(3L, NettyFfStatistics::failed).returns(0L, NettyFfStatistics::pending);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void aConnectionAfterAbandoningIsNotUsed() throws Exception {
        SendBuffer buffer = startedBuffer();
        buffer.send(text("x"), 1);

        buffer.abandon(PEER);

        assertThat(buffer.connected(new Connection(buffer, channel).scheduler()))
                .isFalse();
    }

    @Test
    void aByteBufKeepsItsIndicesAndAReleasedOneIsRefused() throws Exception {
        socket.open();
        SendBuffer buffer = startedBuffer();
        connect(buffer);
        ByteBuf message = Unpooled.copiedBuffer(text("..inner..")).setIndex(2, 7);

        buffer.send(message, 1);
        run();

        assertThat(socket.taken()).asString().isEqualTo("inner");
        assertThat(message.readerIndex()).isEqualTo(2);
        message.release();
        assertThatThrownBy(() -> buffer.send(message, 1)).isInstanceOf(IllegalReferenceCountException.class);
        assertThat(buffer.statistics())
                .returns(1L, NettyFfStatistics::accepted)
                .returns(1L, NettyFfStatistics::refused);
    }

    @Test
    void withoutMemoryNoPartOfAMessageIsSent() throws Exception {
        socket.open();
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
        SendBuffer buffer = new SendBuffer(options, scarce, connects::incrementAndGet);
        buffer.start();
        connect(buffer);
        buffer.send(text("before "), 1);

        assertThatThrownBy(() -> buffer.send(new byte[1000], 1)).isInstanceOf(OutOfMemoryError.class);
        buffer.send(text("after"), 1);
        run();

        assertThat(socket.taken()).asString().isEqualTo("before after");
        assertInvariant(buffer.statistics());
        channel.close();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void sendingAMessageDoesNotAllocate() throws Exception {
        options.setBufferSize(64 * 1024);
        options.setFlushBytes(32 * 1024);
        options.setMaxPendingBytes(1 << 20);
        options.setLingerMicros(1_000_000);
        SendBuffer buffer = startedBuffer();
        connect(buffer);
        byte[] message = new byte[60];
        List<byte[]> batch = Collections.nCopies(64, message);
        buffer.send(message, 1);
        buffer.sendAll(batch);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        // The JVM itself may allocate on this thread, so one of several rounds must be free of it. They fit into one
        // chunk.
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 100; i++) {
                buffer.send(message, 1);
            }
            buffer.sendAll(batch);
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }

        assertThat(buffer.statistics().accepted()).isEqualTo(1 + 64 + 5 * (100 + 64));
        assertThat(allocated).isLessThan(164); // less than a byte for each message
    }

    @Test
    void aBatchBeyondTheLimitIsSentInParts() throws Exception {
        socket.open();
        SendBuffer buffer = startedBuffer();
        connect(buffer);
        CompletableFuture<Void> sender = sendAllLater(buffer, Collections.nCopies(100, new byte[1000]));

        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            run();
            return sender.isDone();
        });
        run();

        assertThat(sender).isCompleted();
        assertThat(socket.taken()).hasSize(100_000);
    }

    private static CompletableFuture<Void> sendLater(SendBuffer buffer, byte[] message) {
        return sendAllLater(buffer, List.of(message));
    }

    private static CompletableFuture<Void> sendAllLater(SendBuffer buffer, List<byte[]> messages) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        buffer.sendAll(messages);
                    } catch (SendRefusedException e) {
                        throw new CompletionException(e);
                    }
                },
                task -> Thread.ofVirtual().start(task));
    }
}
