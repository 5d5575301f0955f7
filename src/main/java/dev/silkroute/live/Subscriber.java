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

    /** True if nothing is missed that has not been reported. Written under the lock. */
    private volatile boolean receiving = true;

    private volatile boolean includesRaw;

    /** The messages missed before the queue; set when the subscriber resumes. */
    private @Nullable Missed before;

    /** Messages missed after the queue, and the position of the last one. */
    private long missed;

    private long lastMissed;

    /** True if the connection has been woken up and has not found the queue empty since. */
    private boolean awake;

    /**
     * The last message of an index that was found for this subscriber; used under the lock of the stream only, as the
     * next two.
     */
    long found;

    /** Missed messages that are not counted yet, and the position of the last one. */
    private long notCounted;

    private long lastNotCounted;

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
    boolean isReceiving() {
        return receiving;
    }

    /** Adds a message. An empty queue takes one of any size. */
    void offer(Message message) {
        countMissed();
        boolean wake;
        synchronized (this) {
            if (closed) {
                return;
            }
            counters.matched.increment();
            boolean fits = queue.isEmpty() || bytes + message.size() <= maxBytes;
            if (missed > 0 || !fits) {
                addMissed(1, message.position());
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
     * Notes a message that has not been encoded, because no queue that it is for took messages a moment ago. It counts
     * with the next {@link #countMissed}.
     *
     * @return whether it is the first one to be counted
     */
    boolean miss(long position) {
        notCounted++;
        lastNotCounted = position;
        return notCounted == 1;
    }

    /**
     * Counts the messages that have been noted as missed. The connection may have polled the gap since and is then
     * woken up for these.
     */
    void countMissed() {
        if (notCounted == 0) {
            return;
        }
        boolean wake;
        synchronized (this) {
            if (closed) {
                return;
            }
            counters.matched.add(notCounted);
            addMissed(notCounted, lastNotCounted);
            wake = wake();
        }
        notCounted = 0;
        if (wake) {
            wakeUp.run();
        }
    }

    private void addMissed(long messages, long position) {
        missed += messages;
        lastMissed = position;
        receiving = false;
        counters.missed.add(messages);
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
            receiving = true;
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
        receiving = false;
        counters.discarded.add(queue.size());
        queue.clear();
        bytes = 0;
    }
}
