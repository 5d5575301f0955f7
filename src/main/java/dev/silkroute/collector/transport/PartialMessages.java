package dev.silkroute.collector.transport;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that the incomplete messages of all sessions hold together. They cannot be sent on, and a malicious sender
 * may leave them incomplete for ever: above the bound, the session whose message has been incomplete longest is
 * evicted. A router completes its messages, so it is never the oldest for long.
 *
 * <p>Messages of up to {@value #SMALL} bytes are not counted: nearly every read ends inside one, and the limit of
 * sessions bounds them. Thread-safe.
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

    /** The share of one session. All but {@code counted} is guarded by the {@link PartialMessages} it is used with. */
    static final class Share {
        private final Runnable evict;
        private volatile boolean counted;
        private int bytes;
        private long ordinal;

        /** @param evict ends the session; called by any thread, at most once per incomplete message */
        Share(Runnable evict) {
            this.evict = evict;
        }
    }

    /** Sets the size of a session's incomplete message in bytes, 0 if there is none. */
    void change(Share share, int bytes) {
        if (bytes > SMALL || share.counted) {
            Share evicted = count(share, bytes);
            if (evicted != null) {
                evicted.evict.run();
            }
        }
    }

    /** @return the share to evict, null if the bound is kept */
    private synchronized @Nullable Share count(Share share, int bytes) {
        held -= share.bytes;
        share.bytes = bytes > SMALL ? bytes : 0;
        held += share.bytes;
        if (share.bytes == 0) {
            share.counted = false;
            shares.remove(share);
        } else if (!share.counted) {
            share.counted = true;
            share.ordinal = begun++;
            shares.add(share);
        }
        return held > bound ? removeOldest() : null;
    }

    private @Nullable Share removeOldest() {
        Share oldest = null;
        for (Share share : shares) {
            if (oldest == null || share.ordinal < oldest.ordinal) {
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
