package dev.silkroute.capture;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One direction of one TCP connection put together again: each byte once and in order, whatever the order, repetition
 * and overlap of the segments. Bytes that were handed on stay; of two segments that disagree the first to fit counts.
 *
 * <p>Positions are sequence numbers unwrapped to 64 bits, relative to the first one seen. A stream begins
 * <ul>
 *   <li>one after the SYN's number, as TCP says, also where the SYN carries data (RFC 7413);
 *   <li>at the SYN's own number where the data goes on as if the SYN took none: tools that rewrite captures do this, with
 *       the first data in the SYN or after it. One byte there is a keepalive probe (RFC 9293, Section 3.8.4), and no data;
 *   <li>without a SYN, at the lowest of the first few segments: a capture may begin amid reordered ones.
 * </ul>
 *
 * <p>A stream ends at its first {@linkplain Gap gap}: what follows one could not be cut into messages honestly.
 */
final class TcpStream {
    /** Takes the stream's bytes, valid during the call only. */
    interface Sink {
        void accept(byte[] bytes, int from, int to);
    }

    /**
     * Bytes that the capture lacks.
     *
     * @param at bytes of the stream before it
     * @param length how many are missing
     * @param packet file offset of the packet that shows it
     */
    record Gap(long at, long length, long packet) {}

    /** Without a SYN: this many segments, or bytes, are looked at before the lowest number counts as the start. */
    private static final int SETTLING_SEGMENTS = 4;

    private static final int SETTLING_BYTES = 64 * 1024;

    /** What a held segment costs besides its bytes. */
    private static final int OVERHEAD = 128;

    private static final long NOT_STARTED = Long.MIN_VALUE;

    private final ReassemblyLimit limit;
    private final Sink sink;
    private final boolean fromSyn;
    private final int firstSequence;
    private final NavigableMap<Long, Held> held = new TreeMap<>();
    private long heldBytes;
    private int settling;
    private long synBytes;
    private long start = NOT_STARTED;
    private long expected;
    private long highest;
    private long highestPacket;
    private boolean closed;
    private @Nullable Gap gap;

    TcpStream(TcpSegment first, ReassemblyLimit limit, Sink sink) {
        this.limit = limit;
        this.sink = sink;
        fromSyn = first.syn();
        firstSequence = first.sequence();
        highest = fromSyn ? 1 : 0;
    }

    /** Whether the segment opens another connection between the same two ends. */
    boolean restartedBy(TcpSegment segment) {
        return segment.syn() && !(fromSyn && segment.sequence() == firstSequence);
    }

    void add(TcpSegment segment, long packet) {
        if (gap != null) {
            return;
        }
        if (segment.syn()) {
            takeFromSyn(segment);
            return;
        }
        if (segment.rst()) {
            // What it carries is a text about the reason (RFC 9293, Section 3.5.3), and no data.
            closed = true;
            return;
        }
        long at = position(segment.sequence());
        long end = at + segment.length() + segment.cut();
        if (end > at) {
            reach(end, packet);
            take(segment, at, packet);
        }
        // Where the SYN takes no number the FIN's cannot be trusted either.
        if (segment.fin() && !(fromSyn && start == 0)) {
            reach(end, packet);
        }
        closed |= segment.fin();
    }

    private long position(int sequence) {
        return expected + (sequence - (firstSequence + (int) expected));
    }

    private void reach(long end, long packet) {
        if (end > highest) {
            highest = end;
            highestPacket = packet;
        }
    }

    private void takeFromSyn(TcpSegment segment) {
        if (start == NOT_STARTED && synBytes == 0 && segment.length() > 0) {
            synBytes = segment.length();
            sink.accept(segment.bytes(), segment.from(), segment.to());
        }
    }

    private void take(TcpSegment segment, long at, long packet) {
        if (start == NOT_STARTED && fromSyn && !startsBy(segment, at)) {
            return;
        }
        if (start != NOT_STARTED && at <= expected) {
            deliver(segment.bytes(), segment.from(), segment.to(), at);
            drain();
        } else if (!hold(segment, at, packet)) {
            settle();
            closeWithGap();
        } else if (start == NOT_STARTED
                && !fromSyn
                && (++settling >= SETTLING_SEGMENTS || heldBytes > SETTLING_BYTES)) {
            settle();
        }
    }

    /** Learns from data after a SYN whether the SYN took a number; false where the segment is no data at all. */
    private boolean startsBy(TcpSegment segment, long at) {
        if ((at == 0 || at == synBytes) && segment.length() > 1) {
            startAt(0);
        } else if (at >= 1 && at <= synBytes + 1) {
            startAt(1);
        }
        return at > 0 || start != NOT_STARTED;
    }

    private void startAt(long position) {
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

    /** Keeps a segment until what comes before it is there; false where there is no room for it. */
    private boolean hold(TcpSegment segment, long at, long packet) {
        Held known = held.get(at);
        if (known != null && known.bytes.length >= segment.length()) {
            return true;
        }
        long cost = OVERHEAD + segment.length();
        if (!limit.take(heldBytes, cost)) {
            return false;
        }
        heldBytes += cost;
        release(held.put(at, new Held(segment, packet)));
        return true;
    }

    private void drain() {
        while (!held.isEmpty() && held.firstKey() <= expected) {
            Map.Entry<Long, Held> first = held.pollFirstEntry();
            release(first.getValue());
            byte[] bytes = first.getValue().bytes;
            deliver(bytes, 0, bytes.length, first.getKey());
        }
    }

    private void release(@Nullable Held segment) {
        if (segment != null) {
            heldBytes -= OVERHEAD + segment.bytes.length;
            limit.release(OVERHEAD + segment.bytes.length);
        }
    }

    private void settle() {
        if (start == NOT_STARTED) {
            startAt(fromSyn || held.isEmpty() ? 1 : held.firstKey());
            drain();
        }
    }

    /** Nothing more will come: hands on what can be, and looks whether anything is missing. */
    void finish() {
        settle();
        closeWithGap();
    }

    private void closeWithGap() {
        if (gap == null && !held.isEmpty()) {
            Map.Entry<Long, Held> next = held.firstEntry();
            gap = new Gap(expected - start, next.getKey() - expected, next.getValue().packet);
        } else if (gap == null && highest > expected) {
            gap = new Gap(expected - start, highest - expected, highestPacket);
        }
        discard();
    }

    /** Lets go of what is held back. */
    void discard() {
        held.values().forEach(this::release);
        held.clear();
    }

    /** The first missing bytes, null while none are known to be missing. */
    @Nullable
    Gap gap() {
        return gap;
    }

    /** Whether one side said that the connection is over. */
    boolean closed() {
        return closed;
    }

    private static final class Held {
        final byte[] bytes;
        final long packet;

        Held(TcpSegment segment, long packet) {
            this.bytes = new byte[segment.length()];
            this.packet = packet;
            System.arraycopy(segment.bytes(), segment.from(), bytes, 0, bytes.length);
        }
    }
}
