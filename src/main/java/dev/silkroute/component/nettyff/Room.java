package dev.silkroute.component.nettyff;

import io.netty.channel.EventLoop;
import io.netty.util.internal.ThreadExecutorMap;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The bound in bytes, and the queue of senders that wait to get below it, first come first served. Guarded by the lock. */
final class Room {
    /** Pending bytes, looked at after each wake-up; throws when there is nothing to wait for any more. */
    interface Pending {
        long bytes() throws SendRefusedException;
    }

    private final ReentrantLock lock;
    private final int most;
    private final Overflow overflow;
    private final long timeoutMillis;
    private final ArrayDeque<Condition> waiting = new ArrayDeque<>();

    Room(ReentrantLock lock, NettyFfConfiguration configuration) {
        this.lock = lock;
        most = configuration.getMaxPendingBytes();
        overflow = configuration.getOverflow();
        timeoutMillis = configuration.getSendTimeout().toMillis();
    }

    Overflow overflow() {
        return overflow;
    }

    /** Whether so many bytes may come in now, behind nobody who waits. */
    boolean has(long size, long pending) {
        return pending + size <= most && waiting.isEmpty();
    }

    int waiting() {
        return waiting.size();
    }

    SendRefusedException full(long size, int before) {
        String text = size > most
                ? size + " bytes are more than maxPendingBytes=" + most
                : "no room for " + size + " bytes below maxPendingBytes=" + most;
        return new SendRefusedException(text, before, null);
    }

    /** Waits for room, but never on an event loop: that might be the very one that has to make it. */
    void await(int size, int before, Pending pending) throws SendRefusedException {
        if (size > most) {
            throw full(size, before);
        }
        if (ThreadExecutorMap.currentExecutor() instanceof EventLoop) {
            throw new SendRefusedException(
                    full(size, before).getMessage() + ", and this thread is an event loop, which must not wait",
                    before,
                    null);
        }
        Condition turn = lock.newCondition();
        waiting.addLast(turn);
        try {
            long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            while (pending.bytes() + size > most || waiting.peekFirst() != turn) {
                if (left <= 0) {
                    throw new SendRefusedException(
                            full(size, before).getMessage() + " within sendTimeout=" + timeoutMillis + " ms",
                            before,
                            null);
                }
                left = turn.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SendRefusedException("interrupted while waiting for room", before, e);
        } finally {
            waiting.remove(turn);
            signalFirst();
        }
    }

    /** Bytes have left. */
    void signal(long pending) {
        if (pending < most) {
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
