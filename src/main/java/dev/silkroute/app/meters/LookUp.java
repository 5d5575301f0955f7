package dev.silkroute.app.meters;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Looks something up at an interval, on a thread of its own, for gauges that can't be asked for it at any time. That it fails is logged once, until it
 * works again.
 */
public final class LookUp implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger(LookUp.class);

    /** Called by one thread. */
    public interface Task {
        void run() throws Exception;
    }

    private final String what;
    private final Task task;
    private final ScheduledExecutorService thread;
    private boolean failed;

    /**
     * @param what is looked up, for the log
     * @param thread the thread's name
     */
    public LookUp(String what, String thread, Task task) {
        this.what = what;
        this.task = task;
        this.thread = Executors.newSingleThreadScheduledExecutor(
                work -> Thread.ofPlatform().daemon().name(thread).unstarted(work));
    }

    /** The first time after one interval. */
    public void every(Duration interval) {
        thread.scheduleWithFixedDelay(this::look, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    void look() {
        try {
            task.run();
            failed = false;
        } catch (Exception e) { // also what nobody thought of: it must not be the last time
            if (!failed && !thread.isShutdown()) {
                LOGGER.warnf("Meters: %s can't be found out: %s", what, e);
            }
            failed = true;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
