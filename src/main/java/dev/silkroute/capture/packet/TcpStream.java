package dev.silkroute.capture.packet;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reassembles one direction of a TCP connection: forwards each byte once and in order, whatever the order, repetition
 * and overlap of the segments. If segments contradict one another, the first one to fit counts. Not thread-safe.
 *
 * <p>Positions are sequence numbers relative to the first one seen, extended to 64 bits. The stream starts
 * <ul>
 *   <li>one after the SYN's number, as TCP specifies, also if the SYN carries data (RFC 7413);
 * <li>at the SYN's own number if the data continues as if the SYN occupied none, as in captures that some tools have
 *     rewritten. A single byte there is a keepalive probe instead (RFC 9293, Section 3.8.4);
 *   <li>without a SYN, at the lowest of the first few segments, because the capture may start among reordered ones.
 * </ul>
 *
 * <p>Example: SYN with sequence 1000, then segments 1001 (100 bytes), 1201 (100), 1101 (100). Positions are 0, 1, 201,
 * 101. The second segment is held, as {@code expected} is 101; the third is delivered and then the held one, so
 * {@code expected} is 301.
 *
 * <p>A stream ends at its first {@linkplain Gap gap}, because message boundaries cannot be found reliably after one.
 */
final class TcpStream {
    /** Receives the bytes of the stream, which are valid during the call only. */
    interface Sink {
        void accept(byte[] bytes, int from, int to);
    }

    /**
     * Missing bytes.
     *
     * @param at the number of bytes of the stream before the gap
     * @param length the number of missing bytes
     * @param packet the file offset of the packet that reveals the gap
     */
    record Gap(long at, long length, long packet) {}

    /** Without a SYN, the lowest of this number of segments, or bytes, is the start of the stream. */
    private static final int START_SEGMENTS = 4;

    private static final int START_BYTES = 64 * 1024;

    /** The memory that a held segment takes in addition to its bytes. */
    private static final int OVERHEAD = 128;

    private final ReassemblyLimit limit;
    private final Sink sink;
    private final boolean fromSyn;
    private final int firstSequence;

    /** Segments that cannot be delivered yet, by position. */
    private final NavigableMap<Long, HeldSegment> held = new TreeMap<>();

    private long heldBytes;

    /** The segments seen before the start was determined, without a SYN. */
    private int segmentsBeforeStart;

    /** The number of bytes in the SYN, which are delivered before the start is determined. */
    private long synBytes;

    /** True if {@link #start} and {@link #expected} are known. */
    private boolean isStarted;

    /** The position of the first byte. */
    private long start;

    /** The position of the next byte to deliver. */
    private long expected;

    /** The end of the segment that extends furthest, and the file offset of its packet. */
    private long highest;

    private long highestPacket;

    private boolean isClosed;
    private @Nullable Gap gap;

    TcpStream(TcpSegment first, ReassemblyLimit limit, Sink sink) {
        this.limit = limit;
        this.sink = sink;
        fromSyn = first.isSyn();
        firstSequence = first.sequence();
        highest = fromSyn ? 1 : 0;
    }

    /** Returns whether the segment opens another connection between the same endpoints. */
    boolean isRestartedBy(TcpSegment segment) {
        return segment.isSyn() && !(fromSyn && segment.sequence() == firstSequence);
    }

    void add(TcpSegment segment, long packet) {
        if (gap != null) {
            return;
        }
        if (segment.isSyn()) {
            deliverFromSyn(segment);
            return;
        }
        if (segment.isRst()) {
            // The payload of a reset describes the reason and is not data (RFC 9293, Section 3.5.3).
            isClosed = true;
            return;
        }
        long at = position(segment.sequence());
        long end = at + segment.length() + segment.cut();
        if (end > at) {
            extendTo(end, packet);
            take(segment, at, packet);
        }
        // If the SYN occupies no number, the FIN's number is not reliable either.
        if (segment.isFin() && !(fromSyn && start == 0)) {
            extendTo(end, packet);
        }
        isClosed |= segment.isFin();
    }

    private long position(int sequence) {
        return expected + (sequence - (firstSequence + (int) expected));
    }

    private void extendTo(long end, long packet) {
        if (end > highest) {
            highest = end;
            highestPacket = packet;
        }
    }

    private void deliverFromSyn(TcpSegment segment) {
        if (!isStarted && synBytes == 0 && segment.length() > 0) {
            synBytes = segment.length();
            sink.accept(segment.bytes(), segment.from(), segment.to());
        }
    }

    private void take(TcpSegment segment, long at, long packet) {
        if (!isStarted && fromSyn && !determineStartFrom(segment, at)) {
            return;
        }
        if (isStarted && at <= expected) {
            deliver(segment.bytes(), segment.from(), segment.to(), at);
            drain();
        } else if (!hold(segment, at, packet)) {
            determineStart();
            closeWithGap();
        } else if (!isStarted && !fromSyn && (++segmentsBeforeStart >= START_SEGMENTS || heldBytes > START_BYTES)) {
            determineStart();
        }
    }

    /** Determines from data after a SYN whether the SYN occupies a number. Returns false if the segment is not data. */
    private boolean determineStartFrom(TcpSegment segment, long at) {
        if ((at == 0 || at == synBytes) && segment.length() > 1) {
            startAt(0);
        } else if (at >= 1 && at <= synBytes + 1) {
            startAt(1);
        }
        return at > 0 || isStarted;
    }

    private void startAt(long position) {
        isStarted = true;
        start = position;
        expected = position + synBytes;
    }

    private void deliver(byte[] bytes, int from, int to, long at) {
        long known = expected - at;
        if (known < to - from) {
            expected = at + (to - from);
            sink.accept(bytes, (int) (from + known), to);
        }
    }

    /** Holds a segment until the bytes before it arrive. Returns false if that exceeds the limit. */
    private boolean hold(TcpSegment segment, long at, long packet) {
        HeldSegment known = held.get(at);
        if (known != null && known.bytes.length >= segment.length()) {
            return true;
        }
        long cost = OVERHEAD + segment.length();
        if (!limit.take(heldBytes, cost)) {
            return false;
        }
        heldBytes += cost;
        release(held.put(at, new HeldSegment(segment, packet)));
        return true;
    }

    private void drain() {
        while (!held.isEmpty() && held.firstKey() <= expected) {
            Map.Entry<Long, HeldSegment> first = held.pollFirstEntry();
            release(first.getValue());
            byte[] bytes = first.getValue().bytes;
            deliver(bytes, 0, bytes.length, first.getKey());
        }
    }

    private void release(@Nullable HeldSegment segment) {
        if (segment != null) {
            heldBytes -= OVERHEAD + segment.bytes.length;
            limit.release(OVERHEAD + segment.bytes.length);
        }
    }

    private void determineStart() {
        if (!isStarted) {
            startAt(fromSyn || held.isEmpty() ? 1 : held.firstKey());
            drain();
        }
    }

    /** Ends the stream: delivers what is possible and determines whether bytes are missing. */
    void finish() {
        determineStart();
        closeWithGap();
    }

    private void closeWithGap() {
        if (gap == null && !held.isEmpty()) {
            Map.Entry<Long, HeldSegment> next = held.firstEntry();
            gap = new Gap(expected - start, next.getKey() - expected, next.getValue().packet);
        } else if (gap == null && highest > expected) {
            gap = new Gap(expected - start, highest - expected, highestPacket);
        }
        discard();
    }

    /** Releases the held segments. */
    void discard() {
        held.values().forEach(this::release);
        held.clear();
    }

    /** Returns the first missing bytes, or null if none are known to be missing. */
    @Nullable
    Gap gap() {
        return gap;
    }

    /** Returns whether a FIN or RST was seen in this direction. */
    boolean isClosed() {
        return isClosed;
    }

    private static final class HeldSegment {
        final byte[] bytes;
        final long packet;

        HeldSegment(TcpSegment segment, long packet) {
            this.bytes = new byte[segment.length()];
            this.packet = packet;
            System.arraycopy(segment.bytes(), segment.from(), bytes, 0, bytes.length);
        }
    }
}
