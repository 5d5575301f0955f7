package dev.silkroute.component.bmp;

import java.util.concurrent.Semaphore;

/**
 * Bounds how many messages all sessions together have decoded and not yet sent. A small message may become a record
 * in JSON of about 1 KiB, many times its size, so bytes as received do not bound what is decoded.
 *
 * <p>Thread-safe. Sessions are served in the order in which they ask.
 */
public final class DecodingSlots {
    /** The smallest bound: what is decoded together. */
    public static final int MIN = DecodedLanes.PORTION;

    private final int bound;
    private final Semaphore free;

    /** @param bound in messages, at least {@link #MIN} */
    public DecodingSlots(int bound) {
        if (bound < MIN) {
            throw new IllegalArgumentException("must be at least " + MIN + " messages, it is " + bound);
        }
        this.bound = bound;
        free = new Semaphore(bound, true);
    }

    /** Waits until this number of messages may be decoded. */
    void acquire(int messages) throws InterruptedException {
        free.acquire(messages);
    }

    void release(int messages) {
        free.release(messages);
    }

    /** Returns the number of messages that are decoded and not yet sent, or are being decoded. */
    public int used() {
        return bound - free.availablePermits();
    }
}
