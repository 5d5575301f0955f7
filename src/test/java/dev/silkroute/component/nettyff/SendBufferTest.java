package dev.silkroute.component.nettyff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.IllegalReferenceCountException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests that messages are written in order, in batches, unchanged and without allocation. */
class SendBufferTest extends SendBufferHarness {
    @Test
    void messagesAreWrittenInOrderAndTogether() throws Exception {
        socket.open();
        SendBuffer buffer = connectedBuffer();

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
        SendBuffer buffer = connectedBuffer();

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
        SendBuffer buffer = connectedBuffer();

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
        SendBuffer buffer = connectedBuffer();

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
    void aMessageInTwoChunksIsWrittenWithTheSecond() throws Exception {
        SendBuffer buffer = connectedBuffer();
        buffer.send(new byte[1000], 1);
        buffer.send(new byte[1000], 1);
        run();

        socket.takeOne();

        assertThat(buffer.statistics()).returns(1L, NettyFfStatistics::written).returns(1L, NettyFfStatistics::pending);
        socket.takeOne();
        assertThat(buffer.statistics()).returns(2L, NettyFfStatistics::written).returns(0L, NettyFfStatistics::pending);
    }

    @Test
    void aByteBufKeepsItsIndicesAndAReleasedOneIsRejected() throws Exception {
        socket.open();
        SendBuffer buffer = connectedBuffer();
        ByteBuf message = Unpooled.copiedBuffer(text("..inner..")).setIndex(2, 7);

        buffer.send(message, 1);
        run();

        assertThat(socket.taken()).asString().isEqualTo("inner");
        assertThat(message.readerIndex()).isEqualTo(2);
        message.release();
        assertThatThrownBy(() -> buffer.send(message, 1)).isInstanceOf(IllegalReferenceCountException.class);
        assertThat(buffer.statistics())
                .returns(1L, NettyFfStatistics::accepted)
                .returns(1L, NettyFfStatistics::rejected);
    }

    @Test
    void sendingAMessageDoesNotAllocate() throws Exception {
        options.setBufferSize(64 * 1024);
        options.setFlushBytes(32 * 1024);
        options.setMaxPendingBytes(1 << 20);
        options.setLingerMicros(1_000_000);
        SendBuffer buffer = connectedBuffer();
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
        SendBuffer buffer = connectedBuffer();
        CompletableFuture<Void> sender = sendAllLater(buffer, Collections.nCopies(100, new byte[1000]));

        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            run();
            return sender.isDone();
        });
        run();

        assertThat(sender).isCompleted();
        assertThat(socket.taken()).hasSize(100_000);
    }
}
