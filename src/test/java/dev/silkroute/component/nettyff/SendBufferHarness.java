package dev.silkroute.component.nettyff;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A send buffer and its connection with an embedded channel and a controlled clock. */
abstract class SendBufferHarness {
    static final IOException PEER = new IOException("connection reset");

    final NettyFfConfiguration options = new NettyFfConfiguration();
    final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    final AtomicInteger connects = new AtomicInteger();
    final AtomicLong clock = new AtomicLong();
    final ControlledSocket socket = new ControlledSocket();
    EmbeddedChannel channel = new EmbeddedChannel(socket);

    SendBufferHarness() {
        options.setLingerMicros(0);
        options.setBufferSize(1024);
        options.setFlushBytes(512);
        options.setMaxPendingBytes(4096);
    }

    SendBuffer startedBuffer() {
        SendBuffer buffer = new SendBuffer(options, allocator, connects::incrementAndGet, clock::get);
        buffer.start();
        return buffer;
    }

    SendBuffer connectedBuffer() {
        SendBuffer buffer = startedBuffer();
        connect(buffer);
        return buffer;
    }

    Connection connect(SendBuffer buffer) {
        buffer.beginConnecting();
        Connection connection = new Connection(buffer, channel);
        assertThat(buffer.connected(connection.scheduler())).isTrue();
        channel.closeFuture().addListener(_ -> buffer.lost(connection.scheduler(), PEER));
        return connection;
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    void run() {
        channel.runPendingTasks();
    }

    static void assertInvariant(NettyFfStatistics s) {
        assertThat(s.accepted()).as("%s", s).isEqualTo(s.written() + s.failed() + s.dropped() + s.pending());
    }

    static CompletableFuture<Void> sendLater(SendBuffer buffer, byte[] message) {
        return sendAllLater(buffer, List.of(message));
    }

    static CompletableFuture<Void> sendAllLater(SendBuffer buffer, List<byte[]> messages) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        buffer.sendAll(messages);
                    } catch (SendRejectedException e) {
                        throw new CompletionException(e);
                    }
                },
                task -> Thread.ofVirtual().start(task));
    }
}
