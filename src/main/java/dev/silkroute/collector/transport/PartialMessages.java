package dev.silkroute.collector.transport;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the incomplete messages of all sessions hold together. They can't be handed on, and a sender may leave them so for ever: above
 * the bound, the session whose message has been incomplete longest gives up. A router finishes its messages, so that it is never the
 * oldest for long.
 *
 * <p>Messages of up to {@value #SMALL} bytes are not counted: nearly every read ends inside one, and the limit of sessions bounds them.
 * Thread-safe.
 */
final class PartialMessages {
    static final int SMALL = 8192;

    private final long bound;
    private final Set<Share> shares = new HashSet<>();
    private long held;
    private long begun;

    /** @param bound in bytes */
    PartialMessages(long bound) {
        this.bound = bound;
    }

    /** One session's part. */
    static final class Share {
        private final Runnable giveUp;
        private volatile boolean counted;
        private int bytes;
        private long number;

        /** @param giveUp ends the session; called by any thread, once at most */
        Share(Runnable giveUp) {
            this.giveUp = giveUp;
        }
    }

    /** The session's incomplete message has this many bytes now, 0 if there is none. */
    void change(Share share, int bytes) {
        if (bytes > SMALL || share.counted) {
            Share tooMuch = count(share, bytes);
            if (tooMuch != null) {
                tooMuch.giveUp.run();
            }
        }
    }

    private synchronized @Nullable Share count(Share share, int bytes) {
        held -= share.bytes;
        share.bytes = bytes > SMALL ? bytes : 0;
        held += share.bytes;
        if (share.bytes == 0) {
            share.counted = false;
            shares.remove(share);
        } else if (!share.counted) {
            share.counted = true;
            share.number = begun++;
            shares.add(share);
        }
        return held > bound ? removeOldest() : null;
    }

    private @Nullable Share removeOldest() {
        Share oldest = null;
        for (Share share : shares) {
            if (oldest == null || share.number < oldest.number) {
                oldest = share;
            }
        }
        if (oldest != null) {
            shares.remove(oldest);
            held -= oldest.bytes;
            oldest.bytes = 0;
            oldest.counted = false;
        }
        return oldest;
    }

    synchronized long held() {
        return held;
    }
}
