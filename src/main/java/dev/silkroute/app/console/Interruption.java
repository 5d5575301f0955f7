package dev.silkroute.app.console;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGINT and SIGTERM as something a command can wait for and end by itself: the JVM's exit waits until the command has
 * said its exit code, and uses that instead of the signal's.
 */
public final class Interruption implements AutoCloseable {
    /** How long the command may take to end. */
    private static final long PATIENCE_MILLIS = 25_000;

    /** What a shell reports of a program that SIGINT ended. */
    static final int EXIT = 130;

    private final CountDownLatch signal = new CountDownLatch(1);
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupted, "interruption");
    private volatile int exitCode = EXIT;

    public Interruption() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void interrupted() {
        signal.countDown();
        if (await(finished, PATIENCE_MILLIS)) {
            Runtime.getRuntime().halt(exitCode);
        }
    }

    public boolean happened() {
        return signal.getCount() == 0;
    }

    /** Waits for it as long as it takes. */
    public void await() {
        boolean signalled = false;
        while (!signalled) {
            signalled = await(signal, Long.MAX_VALUE);
        }
    }

    /** Waits for it, at most so long; whether it has happened. */
    public boolean await(long milliseconds) {
        return await(signal, milliseconds);
    }

    /** Waits for a latch on a thread that nobody interrupts: SIGINT comes as {@link #happened()}. */
    public static boolean await(CountDownLatch latch, long milliseconds) {
        try {
            return latch.await(milliseconds, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("the command's thread was interrupted", e);
        }
    }

    /** Says what the program is to exit with; gives it back. */
    public int exit(int code) {
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
