package dev.silkroute.live;

import dev.silkroute.live.Delivery.Cause;
import dev.silkroute.live.Delivery.Message;
import dev.silkroute.live.Delivery.Missed;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber of a {@link LiveStream} and its queue. A message that does not fit into the queue is missed, and so are
 * all that follow until the queue is empty; then the subscriber receives their number, and messages again. What a
 * subscriber misses is therefore one gap, which is reported where it is.
 *
 * <p>The stream adds messages on its thread, a connection polls them on its own.
 */
public final class Subscriber {
    private final Queue<Message> queue = new ArrayDeque<>();
    private final int maxBytes;
    private final LiveCounters counters;
    private final Runnable wakeUp;
    private long bytes;
    private boolean closed;
    private volatile boolean includesRaw;

    /** The messages missed before the queue; set when the subscriber resumes. */
    private @Nullable Missed before;

    /** Messages missed after the queue, and the position of the last one. */
    private long missed;

    private long lastMissed;

    /** True if the connection has been woken up and has not found the queue empty since. */
    private boolean awake;

    /** The last message of an index that was found for this subscriber; used under the lock of the stream only. */
    long found;

    Subscriber(int maxBytes, LiveCounters counters, Runnable wakeUp) {
        this.maxBytes = maxBytes;
        this.counters = counters;
        this.wakeUp = wakeUp;
    }

    /** Sets whether messages from now on are to have the UPDATE that they stand for. */
    public void includeRaw(boolean included) {
        includesRaw = included;
    }

    public boolean includesRaw() {
        return includesRaw;
    }

    /** Returns whether the queue takes messages, which then have to be encoded. */
    synchronized boolean isReceiving() {
        return missed == 0 && !closed;
    }

    /** Adds a message. An empty queue takes one of any size. */
    void offer(Message message) {
        boolean wake;
        synchronized (this) {
            if (closed) {
                return;
            }
            counters.matched.increment();
            boolean fits = queue.isEmpty() || bytes + message.size() <= maxBytes;
            if (missed > 0 || !fits) {
                countMissed(message.position());
            } else {
                queue.add(message);
                bytes += message.size();
            }
            wake = wake();
        }
        if (wake) {
            wakeUp.run();
        }
    }

    /**
     * Counts a message that has not been encoded, because no queue that it is for took messages a moment ago. The
     * connection may have polled the gap since and is then woken up for this one.
     */
    void miss(long position) {
        boolean wake;
        synchronized (this) {
            if (closed) {
                return;
            }
            counters.matched.increment();
            countMissed(position);
            wake = wake();
        }
        if (wake) {
            wakeUp.run();
        }
    }

    private void countMissed(long position) {
        missed++;
        lastMissed = position;
        counters.missed.increment();
    }

    /** Reports a gap before the first message. */
    void missedBefore(Missed gap) {
        boolean wake;
        synchronized (this) {
            before = gap;
            wake = wake();
        }
        if (wake) {
            wakeUp.run();
        }
    }

    private boolean wake() {
        boolean wake = !awake;
        awake = true;
        return wake;
    }

    /**
     * Takes the next delivery. A connection polls until there is none, after which it is woken up for the next one; it
     * may stop before, while its client does not read, and continue by itself.
     *
     * @return null if there is none
     */
    public synchronized @Nullable Delivery poll() {
        Missed first = before;
        if (first != null) {
            before = null;
            return first;
        }
        Message message = queue.poll();
        if (message != null) {
            bytes -= message.size();
            counters.delivered.increment();
            return message;
        }
        if (missed > 0) {
            Missed gap = new Missed(lastMissed, missed, Cause.SLOW);
            missed = 0;
            return gap;
        }
        awake = false;
        return null;
    }

    /** The size of the messages in the queue. */
    public synchronized long queuedBytes() {
        return bytes;
    }

    synchronized void close() {
        closed = true;
        counters.discarded.add(queue.size());
        queue.clear();
        bytes = 0;
    }
}
