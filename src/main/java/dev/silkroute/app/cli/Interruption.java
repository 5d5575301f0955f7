package dev.silkroute.app.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGINT and SIGTERM as something a command can wait for and end by itself: the JVM's exit waits until the command has
 * said its exit code, and uses that instead of the signal's.
 */
final class Interruption implements AutoCloseable {
    /** How long the command may take to end. */
    private static final long PATIENCE_SECONDS = 25;

    private static final int UNFINISHED = 130;

    private final CountDownLatch signal = new CountDownLatch(1);
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupted, "interruption");
    private volatile int exitCode = UNFINISHED;

    Interruption() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void interrupted() {
        signal.countDown();
        try {
            if (finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                Runtime.getRuntime().halt(exitCode);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean happened() {
        return signal.getCount() == 0;
    }

    void await(long milliseconds) throws InterruptedException {
        boolean ignored = signal.await(milliseconds, TimeUnit.MILLISECONDS);
    }

    /** Says what the program is to exit with; gives it back. */
    int exit(int code) {
        exitCode = code;
        return code;
    }

    /** The command is done: what it had to say is said. */
    @Override
    public void close() {
        if (!happened()) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The signal came just now: the hook runs and waits.
            }
        }
        finished.countDown();
    }
}
