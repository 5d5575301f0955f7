package dev.silkroute.collector.transport;

import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.collector.sessions.OpenSession;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.turns.TurnQueue;
import dev.silkroute.net.ByteSink;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterIdentifier;
import dev.silkroute.session.identity.RouterValues;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Connections without sockets, and messages for them. */
abstract class FrameHandlerHarness {
    static final SessionConfig CONFIG = new SessionConfig("col", 10);
    static final int MESSAGE = 1000;

    static final Duration SILENCE = Duration.ofSeconds(60);
    static final SessionLimits LIMITS = new SessionLimits(10_000, 20_000, 5_000, SILENCE);

    final SessionRegistry sessions = new SessionRegistry(3);
    TurnQueue turns = new TurnQueue();

    /** A new connection of a router with this source address and the names that the operator has configured. */
    EmbeddedChannel open(SessionLimits limits, MemoryBudget budget, RouterValues names, long id, InetAddress address) {
        return new EmbeddedChannel(new BmpFrameHandler(
                limits,
                budget,
                sessions,
                turns,
                channel -> new OpenSession(CONFIG, new RouterIdentifier(address, names), id, address)));
    }

    EmbeddedChannel channel(SessionLimits limits, MemoryBudget budget) {
        return open(limits, budget, RouterValues.always("router"), 1, InetAddress.getLoopbackAddress());
    }

    EmbeddedChannel channel() {
        return channel(LIMITS, new MemoryBudget(1 << 20, 1 << 18));
    }

    /** Messages of unknown type 200, each of 1,000 bytes filled with its number. */
    static byte[] messages(int from, int to) {
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

    static void write(EmbeddedChannel channel, byte[] bytes) {
        channel.writeInbound(Unpooled.wrappedBuffer(bytes));
    }

    /** Takes and acknowledges batches until there are none. */
    static List<FrameBatch> drain(EmbeddedChannel channel) {
        List<FrameBatch> batches = new ArrayList<>();
        for (FrameBatch batch = channel.readInbound(); batch != null; batch = channel.readInbound()) {
            batches.add(batch);
            batch.acknowledged();
            channel.runPendingTasks();
        }
        return batches;
    }

    static byte[] bytes(List<FrameBatch> batches) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        batches.forEach(batch -> all.writeBytes(batch.bytes()));
        return all.toByteArray();
    }

    static void pass(EmbeddedChannel channel, Duration time) {
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    /**
     * A connection of a router whose first message contains its name. Its batches are acknowledged by those who read
     * them.
     */
    EmbeddedChannel connection(long id, String address, String router, MemoryBudget budget) {
        EmbeddedChannel channel = open(LIMITS, budget, RouterValues.NONE, id, InetAddress.ofLiteral(address));
        ByteSink initiation = new ByteSink();
        BmpEncoder.initiation(router, "a router", initiation);
        write(channel, initiation.toByteArray());
        return channel;
    }

    EmbeddedChannel connection(long id) {
        return connection(id, "192.0.2.1", "edge", new MemoryBudget(1 << 20, 1 << 18));
    }

    EmbeddedChannel connection(long id, String address) {
        return connection(id, address, "edge", new MemoryBudget(1 << 20, 1 << 18));
    }
}
