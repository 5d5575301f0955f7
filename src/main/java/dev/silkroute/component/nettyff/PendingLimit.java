package dev.silkroute.component.nettyff;

import io.netty.channel.EventLoop;
import io.netty.util.internal.ThreadExecutorMap;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The limit {@code maxPendingBytes} and the queue of senders that wait for space below it, served in order of arrival.
 * Guarded by the lock of the {@link SendBuffer}.
 */
final class PendingLimit {
    /** Returns the pending bytes. Evaluated after each wake-up; throws to end the wait. */
    interface PendingBytes {
        long get() throws SendRejectedException;
    }

    private final ReentrantLock lock;
    private final int maxPendingBytes;
    private final Overflow overflow;
    private final long timeoutMillis;
    private final ArrayDeque<Condition> waiting = new ArrayDeque<>();

    PendingLimit(ReentrantLock lock, NettyFfConfiguration configuration) {
        this.lock = lock;
        maxPendingBytes = configuration.getMaxPendingBytes();
        overflow = configuration.getOverflow();
        timeoutMillis = configuration.getSendTimeout().toMillis();
    }

    Overflow overflow() {
        return overflow;
    }

    /** Returns whether the bytes fit now and no other sender is waiting. */
    boolean hasSpace(long size, long pendingBytes) {
        return pendingBytes + size <= maxPendingBytes && waiting.isEmpty();
    }

    /** Returns the number of waiting senders. */
    int waiting() {
        return waiting.size();
    }

    SendRejectedException exceeded(long size, int acceptedBefore) {
        String text = size > maxPendingBytes
                ? size + " bytes are more than maxPendingBytes=" + maxPendingBytes
                : "no room for " + size + " bytes below maxPendingBytes=" + maxPendingBytes;
        return new SendRejectedException(text, acceptedBefore, null);
    }

    /**
     * Waits for space. Rejects on an event loop, because that may be the thread that has to write the pending bytes.
     */
    void await(int size, int acceptedBefore, PendingBytes pendingBytes) throws SendRejectedException {
        if (size > maxPendingBytes) {
            throw exceeded(size, acceptedBefore);
        }
        if (ThreadExecutorMap.currentExecutor() instanceof EventLoop) {
            throw new SendRejectedException(
                    exceeded(size, acceptedBefore).getMessage()
                            + ", and this thread is an event loop, which must not wait",
                    acceptedBefore,
                    null);
        }
        Condition turn = lock.newCondition();
        waiting.addLast(turn);
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            while (pendingBytes.get() + size > maxPendingBytes || waiting.peekFirst() != turn) {
                if (left <= 0) {
                    throw new SendRejectedException(
                            exceeded(size, acceptedBefore).getMessage() + " within sendTimeout=" + timeoutMillis
                                    + " ms",
                            acceptedBefore,
                            null);
                }
                left = turn.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SendRejectedException("interrupted while waiting for room", acceptedBefore, e);
        } finally {
            waiting.remove(turn);
            signalFirst();
        }
    }

    /** Wakes the first waiting sender if there is space. */
    void signal(long pendingBytes) {
        if (pendingBytes < maxPendingBytes) {
            signalFirst();
        }
    }

    private void signalFirst() {
        Condition first = waiting.peekFirst();
        if (first != null) {
            first.signal();
        }
    }

    void signalAll() {
        waiting.forEach(Condition::signal);
    }
}
