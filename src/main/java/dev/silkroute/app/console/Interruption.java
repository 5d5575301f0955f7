package dev.silkroute.app.console;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end by itself after SIGINT or SIGTERM. The JVM's shutdown waits until the command has closed this, and
 * then exits with the code that the command has set instead of the signal's. Thread-safe.
 */
public final class Interruption implements AutoCloseable {
    /** The longest time that a command may take to end after the signal. */
    private static final long LIMIT_MILLIS = 25_000;

    private final CountDownLatch signal = new CountDownLatch(1);
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onShutdown, "interruption");
    private volatile int exitCode = ExitCode.INTERRUPTED;

    public Interruption() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void onShutdown() {
        signal.countDown();
        if (await(finished, LIMIT_MILLIS)) {
            Runtime.getRuntime().halt(exitCode);
        }
    }

    /** Returns whether a signal has arrived. */
    public boolean isRequested() {
        return signal.getCount() == 0;
    }

    /** Waits for a signal without a limit. */
    public void await() {
        boolean signalled = false;
        while (!signalled) {
            signalled = await(signal, Long.MAX_VALUE);
        }
    }

    /** Waits for a signal and returns whether it has arrived within the time. */
    public boolean await(long milliseconds) {
        return await(signal, milliseconds);
    }

    /**
     * Waits for a latch on a command's thread, which is never interrupted: signals set {@link #isRequested} instead.
     */
    public static boolean await(CountDownLatch latch, long milliseconds) {
        try {
            return latch.await(milliseconds, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("the command's thread was interrupted", e);
        }
    }

    /** Sets the exit code to use after a signal and returns it. */
    public int exitWith(int code) {
        exitCode = code;
        return code;
    }

    /** Marks the command as done, its output written. */
    @Override
    public void close() {
        if (!isRequested()) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The signal has arrived just now: the hook is running and waits for the latch below.
            }
        }
        finished.countDown();
    }
}
