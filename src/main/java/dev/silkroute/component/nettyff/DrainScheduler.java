package dev.silkroute.component.nettyff;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;

/**
 * Schedules a {@link Connection} to take chunks out of the {@link SendBuffer}, on the channel's event loop. Requests
 * are merged: until a scheduled task has run, further requests do nothing. The flags are guarded by the lock of the
 * send buffer.
 */
final class DrainScheduler {
    private final EventLoop loop;
    private final Runnable drain;
    private final Runnable lingerElapsed;

    private boolean isScheduled;
    private boolean isTimerRunning;

    /**
     * @param drain takes and writes whatever is queued
     * @param lingerElapsed checks whether the oldest queued bytes have waited long enough
     */
    DrainScheduler(EventLoop loop, Runnable drain, Runnable lingerElapsed) {
        this.loop = loop;
        this.drain = drain;
        this.lingerElapsed = lingerElapsed;
    }

    void drainNow() {
        if (!isScheduled) {
            isScheduled = true;
            loop.execute(drain);
        }
    }

    void drainAfter(long nanos) {
        if (!isTimerRunning) {
            isTimerRunning = true;
            loop.schedule(lingerElapsed, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Must be called when {@code drain} runs, so that the next request schedules it again. */
    void drainStarted() {
        isScheduled = false;
    }

    /** Must be called when {@code lingerElapsed} runs. */
    void timerElapsed() {
        isTimerRunning = false;
    }
}
