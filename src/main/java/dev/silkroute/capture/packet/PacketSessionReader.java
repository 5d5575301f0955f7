package dev.silkroute.capture.packet;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureSession;
import dev.silkroute.capture.Flow;
import dev.silkroute.capture.SessionReader;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads one session of a packet capture, a piece for each packet that continues its stream. Scans all packets of the
 * file up to the session's end, so memory is bounded however far apart its packets are.
 */
final class PacketSessionReader implements SessionReader {
    private final Path file;
    private final PacketReader packets;
    private final Flow flow;
    private final long begin;
    private final ReassemblyLimit limit;
    private final TcpSegment segment = new TcpSegment();
    private @Nullable SessionStream stream;
    private boolean isFinished;
    private @Nullable CaptureException failure;
    private byte[] bytes = new byte[64 * 1024];
    private int size;

    PacketSessionReader(Path file, PacketReader packets, CaptureSession session, ReassemblyLimit limit) {
        if (session.flow() == null) {
            throw new IllegalArgumentException("not a session of a packet capture: " + session);
        }
        this.file = file;
        this.packets = packets;
        this.flow = session.flow();
        this.begin = session.begin();
        this.limit = limit;
    }

    @Override
    public boolean next() throws CaptureException {
        size = 0;
        while (size == 0 && !isFinished) {
            advance();
        }
        if (size == 0 && failure != null) {
            throw failure;
        }
        return size > 0;
    }

    private void advance() {
        try {
            if (!packets.next()) {
                finish();
            } else if (segment.read(packets.linkType(), packets.bytes(), packets.length(), packets.timeNanos())
                    && packets.offset() >= begin
                    && segment.flow().equals(flow)) {
                take();
            }
        } catch (CaptureException e) {
            finish();
            failure = e;
        }
    }

    private void take() {
        SessionStream current = stream;
        if (current == null) {
            current = new SessionStream(segment, packets.offset(), limit, this::append);
            stream = current;
        } else if (current.isRestartedBy(segment)) {
            finish();
            return;
        }
        current.add(segment, packets.offset());
        if (current.hasGap() || current.isOverLimit()) {
            finish();
        }
    }

    private void finish() {
        isFinished = true;
        if (stream != null) {
            stream.finish();
            failure = stream.isOverLimit() ? overLimit() : stream.gap(file);
        }
    }

    /** Possible though the survey succeeded, if sessions that are read at the same time use up the limit. */
    private CaptureException overLimit() {
        return new CaptureException(
                file, packets.offset(), "no room to find where " + flow + " begins: too many sessions at once");
    }

    private void append(byte[] from, int start, int end) {
        int length = end - start;
        if (bytes.length - size < length) {
            bytes = Arrays.copyOf(bytes, Math.max(size + length, bytes.length * 2));
        }
        System.arraycopy(from, start, bytes, size, length);
        size += length;
    }

    @Override
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public int from() {
        return 0;
    }

    @Override
    public int to() {
        return size;
    }

    @Override
    public long timeNanos() {
        return packets.timeNanos();
    }

    @Override
    public void close() {
        if (stream != null) {
            stream.discard();
        }
        packets.close();
    }
}
