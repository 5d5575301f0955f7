package dev.silkroute.component.nettyff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.channel.DefaultEventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests the bound of a send buffer: messages fail, are dropped, or wait for space. */
class SendBufferLimitTest extends SendBufferHarness {
    @Test
    void atTheLimitAMessageOrAWholeBatchFails() throws Exception {
        options.setOverflow(Overflow.FAIL);
        SendBuffer buffer = connectedBuffer();
        buffer.send(new byte[4000], 1);

        assertThatThrownBy(() -> buffer.send(new byte[97], 1))
                .isInstanceOf(SendRejectedException.class)
                .hasMessageContaining("maxPendingBytes=4096");
        assertThatThrownBy(() -> buffer.sendAll(List.of(new byte[50], new byte[50])))
                .isInstanceOfSatisfying(
                        SendRejectedException.class,
                        e -> assertThat(e.getAccepted()).isZero());
        buffer.send(new byte[96], 1);

        NettyFfStatistics s = buffer.statistics();
        assertThat(s)
                .returns(2L, NettyFfStatistics::accepted)
                .returns(3L, NettyFfStatistics::rejected)
                .returns(4096L, NettyFfStatistics::pendingBytes);
        assertInvariant(s);
    }

    @Test
    void atTheLimitMessagesAreDroppedAndCounted() throws Exception {
        options.setOverflow(Overflow.DROP);
        SendBuffer buffer = connectedBuffer();

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
        SendBuffer buffer = connectedBuffer();
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
        SendBuffer buffer = connectedBuffer();
        buffer.send(new byte[4000], 1);

        assertThatThrownBy(() -> buffer.sendAll(List.of(new byte[50], new byte[100])))
                .hasMessageContaining("sendTimeout=30 ms")
                .isInstanceOfSatisfying(
                        SendRejectedException.class,
                        e -> assertThat(e.getAccepted()).isEqualTo(1));
        assertThatThrownBy(() -> buffer.send(new byte[4097], 1)).hasMessageContaining("4097 bytes are more than");
        NettyFfStatistics s = buffer.statistics();
        assertThat(s).returns(2L, NettyFfStatistics::accepted).returns(2L, NettyFfStatistics::rejected);
        assertInvariant(s);
    }

    @Test
    void anEventLoopNeverWaits() throws Exception {
        options.setSendTimeout(Duration.ofHours(1));
        SendBuffer buffer = connectedBuffer();
        buffer.send(new byte[4000], 1);
        DefaultEventLoop loop = new DefaultEventLoop();
        try {
            var rejected = loop.submit(() -> {
                buffer.send(new byte[1000], 1);
                return null;
            });
            assertThat(rejected.await(5_000)).isTrue();
            assertThat(rejected.cause()).hasMessageContaining("this thread is an event loop");
        } finally {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }

    @Test
    void memoryIsBoundedEvenWithSmallFlushes() throws Exception {
        options.setOverflow(Overflow.FAIL);
        SendBuffer buffer = connectedBuffer();

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
}
