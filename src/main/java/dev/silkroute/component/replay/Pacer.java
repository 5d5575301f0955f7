package dev.silkroute.component.replay;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Makes a thread wait until a point in time, or until another thread stops it. Thread-safe. */
final class Pacer {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition stop = lock.newCondition();
    private boolean stopped;

    /** Waits until {@link System#nanoTime()} reaches the value. Returns false if stopped. */
    boolean await(long nanoTime) throws InterruptedException {
        lock.lock();
        try {
            long wait = nanoTime - System.nanoTime();
            while (!stopped && wait > 0) {
                wait = stop.awaitNanos(wait);
            }
            return !stopped;
        } finally {
            lock.unlock();
        }
    }

    void stop() {
        lock.lock();
        try {
            stopped = true;
            stop.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isStopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds a duration to a reading of {@link System#nanoTime()}; durations above ten years are reduced, which avoids an
     * overflow.
     */
    static long plus(long nanoTime, long nanos) {
        return nanoTime + Math.min(nanos, TimeUnit.DAYS.toNanos(3650));
    }
}
