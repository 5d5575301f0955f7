package dev.silkroute.component.replay;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Waits until something is due, or until stopped. */
final class Pace {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition stop = lock.newCondition();
    private boolean stopped;

    /** Returns at the given {@link System#nanoTime()} or when stopped; whether to go on. */
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

    boolean stopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    static long later(long nanoTime, long nanos) {
        return nanoTime + Math.min(nanos, TimeUnit.DAYS.toNanos(3650));
    }
}
