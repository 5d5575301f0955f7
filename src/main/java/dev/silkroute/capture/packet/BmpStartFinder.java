package dev.silkroute.capture.packet;

import dev.silkroute.capture.BmpHeader;
import java.util.Arrays;

/**
 * Determines whether a TCP stream is BMP and where its first complete message starts, and forwards the stream from
 * there. Not thread-safe.
 *
 * <p>A stream captured from its SYN is BMP if it starts with a BMP header. One captured from its middle may start in
 * the middle of a message: its first message is at the first offset that {@value #CHAIN} messages follow one another
 * from, or fewer if the stream ends. BMP has no marker, and a single plausible header is too often a coincidence.
 */
final class BmpStartFinder implements TcpStream.Sink {
    enum State {
        SEARCHING,
        BMP,
        OTHER
    }

    private enum Verdict {
        YES,
        NO,
        UNDECIDED
    }

    static final int CHAIN = 3;

    /** The bytes that are buffered to decide on one offset. */
    private static final int MAX_KEPT = 256 * 1024;

    /** No message is longer than this, so a stream that has no start within it is not BMP. */
    private static final int MAX_SKIPPED = BmpHeader.MAX_MESSAGE;

    private final boolean fromSyn;
    private final ReassemblyLimit limit;
    private final TcpStream.Sink next;
    private State state = State.SEARCHING;
    private byte[] kept = new byte[0];
    private int size;
    private long skipped;
    private boolean isOverLimit;

    BmpStartFinder(boolean fromSyn, ReassemblyLimit limit, TcpStream.Sink next) {
        this.fromSyn = fromSyn;
        this.limit = limit;
        this.next = next;
    }

    State state() {
        return state;
    }

    /** Returns the number of bytes before the first complete message. */
    long skipped() {
        return skipped;
    }

    /** Returns whether the search was given up because of the {@link ReassemblyLimit}. */
    boolean isOverLimit() {
        return isOverLimit;
    }

    @Override
    public void accept(byte[] bytes, int from, int to) {
        // A stream that starts with a message is recognized without buffering.
        if (state == State.SEARCHING
                && skipped + size == 0
                && to - from >= BmpHeader.LENGTH
                && BmpHeader.isPlausible(bytes, from)) {
            enter(State.BMP);
        }
        int at = from;
        while (state == State.SEARCHING && at < to) {
            int taken = Math.min(MAX_KEPT - size, to - at);
            if (size + taken > kept.length && !resize(Math.clamp(2L * size, size + taken, MAX_KEPT))) {
                isOverLimit = true;
                enter(State.OTHER);
                return;
            }
            System.arraycopy(bytes, at, kept, size, taken);
            size += taken;
            at += taken;
            search(size == MAX_KEPT);
        }
        if (state == State.BMP && at < to) {
            next.accept(bytes, at, to);
        }
    }

    /** Ends the stream and decides on the bytes so far. */
    void finish() {
        if (state == State.SEARCHING) {
            search(true);
        }
        if (state == State.SEARCHING) {
            enter(State.OTHER);
        }
    }

    private void search(boolean last) {
        int at = 0;
        while (at + BmpHeader.LENGTH <= size) {
            Verdict verdict = startsAt(at, last);
            if (verdict == Verdict.YES) {
                skipped += at;
                byte[] found = kept;
                int end = size;
                enter(State.BMP);
                next.accept(found, at, end);
                return;
            }
            if (verdict == Verdict.UNDECIDED) {
                break;
            }
            if (fromSyn) {
                enter(State.OTHER);
                return;
            }
            at++;
        }
        skipped += at;
        size -= at;
        System.arraycopy(kept, at, kept, 0, size);
        if (skipped > MAX_SKIPPED) {
            enter(State.OTHER);
        } else if (size < kept.length / 4) {
            resize(size);
        }
    }

    /** Resizes the buffer. Returns false if that exceeds the limit. */
    private boolean resize(int length) {
        if (length > kept.length && !limit.take(kept.length, length - kept.length)) {
            return false;
        }
        limit.release(Math.max(0, kept.length - length));
        kept = Arrays.copyOf(kept, length);
        return true;
    }

    /** Releases the buffer of a stream that is not followed any more. */
    void discard() {
        if (state == State.SEARCHING) {
            enter(State.OTHER);
        }
    }

    private void enter(State decided) {
        state = decided;
        limit.release(kept.length);
        kept = new byte[0];
        size = 0;
    }

    private Verdict startsAt(int at, boolean last) {
        if (!BmpHeader.isPlausible(kept, at)) {
            return Verdict.NO;
        }
        // The start of the stream: after a SYN there is no other place, and segments mostly start with a message.
        if (skipped + at == 0) {
            return Verdict.YES;
        }
        long message = at;
        int messages = 0;
        while (message + BmpHeader.LENGTH <= size) {
            if (!BmpHeader.isPlausible(kept, (int) message)) {
                return Verdict.NO;
            }
            if (++messages == CHAIN) {
                return Verdict.YES;
            }
            message += BmpHeader.messageLength(kept, (int) message);
        }
        if (!last) {
            return Verdict.UNDECIDED;
        }
        return message == size || messages > 1 ? Verdict.YES : Verdict.NO;
    }
}
