package dev.silkroute.app.meters;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Repeats a task at an interval on a thread of its own, to refresh gauges whose value is too expensive to compute
 * when they are read. A failure is logged once, until the task succeeds again.
 */
public final class PeriodicTask implements AutoCloseable {
    private static final Logger LOGGER = Logger.getLogger(PeriodicTask.class);

    /** The work; always called on the same thread. */
    public interface Task {
        void run() throws Exception;
    }

    private final String subject;
    private final Task task;
    private final ScheduledExecutorService executor;
    private boolean failed;

    /**
     * @param subject what the task works on, for the log
     * @param thread the thread's name
     */
    public PeriodicTask(String subject, String thread, Task task) {
        this.subject = subject;
        this.task = task;
        this.executor = Executors.newSingleThreadScheduledExecutor(
                work -> Thread.ofPlatform().daemon().name(thread).unstarted(work));
    }

    /** Starts the repetition, the first time after one interval. */
    public void start(Duration interval) {
        executor.scheduleWithFixedDelay(this::runOnce, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    void runOnce() {
        try {
            task.run();
            failed = false;
        } catch (Exception e) { // of any kind, because an exception would end the repetition
            if (!failed && !executor.isShutdown()) {
                LOGGER.warnf("The periodic task for %s failed and is repeated: %s", subject, e);
            }
            failed = true;
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
