package dev.silkroute.perf.framing;

import dev.silkroute.bmp.FrameScanner;
import dev.silkroute.session.identity.RouterIdentifier;
import dev.silkroute.session.identity.RouterIdentity;
import dev.silkroute.session.identity.RouterValues;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * One BMP session without Camel, common to both baselines: the whole messages of each socket read become one record,
 * sent asynchronously. Reader side for one thread at a time; acknowledgements come on the producer's thread.
 */
final class PlainSession {
    private final Producer<String, byte[]> producer;
    private final String topic;
    private final int bound;
    private final AtomicInteger open;
    private final InetAddress from;
    private final RouterIdentifier identifier;
    private final FrameScanner scanner;
    private final RecordHeader collector;
    private final RecordHeader address;
    private final RecordHeader id;

    /** Bytes sent and not acknowledged, and one more while the session is open. */
    private final AtomicLong inFlight = new AtomicLong(1);

    private volatile boolean paused;
    private Runnable resume = () -> {};
    private byte[] buffer = new byte[128 << 10];
    private int filled;
    private long messages;

    PlainSession(
            Producer<String, byte[]> producer, String topic, Settings settings, AtomicInteger open, InetAddress from) {
        this.producer = producer;
        this.topic = topic;
        this.open = open;
        bound = settings.session();
        this.from = from;
        identifier = new RouterIdentifier(from, RouterValues.NONE);
        scanner = new FrameScanner(settings.frame());
        collector = header("collector", settings.config().collector());
        address = header("router_address", from.getHostAddress());
        id = header("session", Long.toString(settings.nextId()));
        open.incrementAndGet();
    }

    /** Called when a session that was {@link #isFull} has room for half its bound again. */
    void onRoom(Runnable action) {
        resume = action;
    }

    /** Returns the buffer to read into, from {@link #filled} on, with space for this many bytes. */
    byte[] buffer(int room) {
        if (buffer.length - filled < room) {
            buffer = Arrays.copyOf(buffer, Math.max(filled + room, 2 * buffer.length));
        }
        return buffer;
    }

    int filled() {
        return filled;
    }

    /** So many bytes were read into the buffer: what is whole now leaves. */
    void read(int length) {
        filled += length;
        scanner.scan(buffer, 0, filled);
        if (scanner.fault() != null) {
            throw new IllegalStateException(scanner.fault() + " from " + from);
        }
        if (scanner.messages() > 0) {
            byte[] whole = Arrays.copyOf(buffer, scanner.end());
            filled -= whole.length;
            System.arraycopy(buffer, whole.length, buffer, 0, filled);
            send(whole);
            messages += scanner.messages();
        }
    }

    private void send(byte[] whole) {
        identifier.examine(whole, 0, whole.length);
        RouterIdentity identity = identifier.identity();
        String router = identity == null ? from.getHostAddress() : identity.name();
        RecordHeaders headers = new RecordHeaders();
        headers.add(collector).add(header("router", router)).add(address).add(id);
        headers.add(header("sequence", Long.toString(messages << 16)));
        headers.add(header("received", Long.toString(Settings.micros())));
        inFlight.addAndGet(whole.length);
        producer.send(
                new ProducerRecord<>(topic, null, null, router, whole, headers),
                (_, failure) -> acknowledged(whole.length, failure));
    }

    /** Returns whether to stop reading; if so, the action of {@link #onRoom} will be run. */
    boolean isFull() {
        if (inFlight.get() <= bound) {
            return false;
        }
        paused = true;
        return true;
    }

    boolean hasRoom() {
        return inFlight.get() <= bound / 2;
    }

    /** To be called when reading goes on. */
    void resumed() {
        paused = false;
    }

    private void acknowledged(int length, @Nullable Exception failure) {
        if (failure != null) {
            failure.printStackTrace();
            return; // the session never ends then, and the run fails
        }
        long left = inFlight.addAndGet(-length);
        if (left == 0) {
            open.decrementAndGet();
        } else if (paused && left <= bound / 2) {
            resume.run();
        }
    }

    /** The connection is closed. */
    void end() {
        acknowledged(1, null);
    }

    private static RecordHeader header(String name, String value) {
        return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
