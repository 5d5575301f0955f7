package dev.silkroute.capture;

import java.util.Arrays;

/**
 * Finds out whether a TCP stream is BMP and where its first whole message begins, and hands it on from there.
 *
 * <p>A stream seen from its SYN is BMP when it begins with a BMP header. One seen from its middle may begin in the
 * middle of a message: there the first place counts from which {@value #CHAIN} messages follow one another (fewer where
 * the stream ends before that). BMP has no marker, and one plausible header alone is chance too often.
 */
final class BmpStart implements TcpStream.Sink {
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

    /** What is kept to decide on one place. */
    private static final int MAX_KEPT = 256 * 1024;

    /** A message is no longer than this, so a stream without a start by then is something else. */
    private static final int MAX_SKIPPED = BmpHeader.MAX_MESSAGE;

    private final boolean fromSyn;
    private final ReassemblyLimit limit;
    private final TcpStream.Sink next;
    private State state = State.SEARCHING;
    private byte[] kept = new byte[0];
    private int size;
    private long skipped;
    private boolean lacksRoom;

    BmpStart(boolean fromSyn, ReassemblyLimit limit, TcpStream.Sink next) {
        this.fromSyn = fromSyn;
        this.limit = limit;
        this.next = next;
    }

    State state() {
        return state;
    }

    /** Bytes before the first whole message. */
    long skipped() {
        return skipped;
    }

    /** Whether it counts as something else only because nothing more could be kept. */
    boolean lacksRoom() {
        return lacksRoom;
    }

    @Override
    public void accept(byte[] bytes, int from, int to) {
        // What begins with a message needs no room to be known
        if (state == State.SEARCHING
                && skipped + size == 0
                && to - from >= BmpHeader.LENGTH
                && BmpHeader.plausible(bytes, from)) {
            become(State.BMP);
        }
        int at = from;
        while (state == State.SEARCHING && at < to) {
            int taken = Math.min(MAX_KEPT - size, to - at);
            if (size + taken > kept.length && !resize(Math.clamp(2L * size, size + taken, MAX_KEPT))) {
                lacksRoom = true;
                become(State.OTHER);
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

    /** The stream is over: decides on what there is. */
    void finish() {
        if (state == State.SEARCHING) {
            search(true);
        }
        if (state == State.SEARCHING) {
            become(State.OTHER);
        }
    }

    private void search(boolean last) {
        int at = 0;
        while (at + BmpHeader.LENGTH <= size) {
            Verdict verdict = beginsAt(at, last);
            if (verdict == Verdict.YES) {
                skipped += at;
                byte[] found = kept;
                int end = size;
                become(State.BMP);
                next.accept(found, at, end);
                return;
            }
            if (verdict == Verdict.UNDECIDED) {
                break;
            }
            if (fromSyn) {
                become(State.OTHER);
                return;
            }
            at++;
        }
        skipped += at;
        size -= at;
        System.arraycopy(kept, at, kept, 0, size);
        if (skipped > MAX_SKIPPED) {
            become(State.OTHER);
        } else if (size < kept.length / 4) {
            resize(size);
        }
    }

    /** Room for so many bytes instead of what there is; false where the limit has none. */
    private boolean resize(int length) {
        if (length > kept.length && !limit.take(kept.length, length - kept.length)) {
            return false;
        }
        limit.release(Math.max(0, kept.length - length));
        kept = Arrays.copyOf(kept, length);
        return true;
    }

    /** Lets go of what is kept to decide: a stream that nobody follows any more. */
    void discard() {
        if (state == State.SEARCHING) {
            become(State.OTHER);
        }
    }

    private void become(State decided) {
        state = decided;
        limit.release(kept.length);
        kept = new byte[0];
        size = 0;
    }

    private Verdict beginsAt(int at, boolean last) {
        if (!BmpHeader.plausible(kept, at)) {
            return Verdict.NO;
        }
        // The first byte of a segment: senders write whole messages, and a SYN leaves no other place.
        if (skipped + at == 0) {
            return Verdict.YES;
        }
        long message = at;
        int messages = 0;
        while (message + BmpHeader.LENGTH <= size) {
            if (!BmpHeader.plausible(kept, (int) message)) {
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
