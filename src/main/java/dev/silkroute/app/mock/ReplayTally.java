package dev.silkroute.app.mock;

import dev.silkroute.app.console.Interruption;
import dev.silkroute.capture.CaptureException;
import dev.silkroute.component.replay.ConnectionLostException;
import dev.silkroute.component.replay.ReplayEnd;
import dev.silkroute.component.replay.ReplayListener;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/** What was sent so far, and how each session ended. Thread-safe. */
final class ReplayTally implements ReplayListener {
    private final LongAdder bytes = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final List<ReplayEnd> ends = new ArrayList<>();
    private final CountDownLatch running;
    private volatile long started = System.nanoTime();
    private volatile long ended;

    ReplayTally(int sessions) {
        running = new CountDownLatch(sessions);
    }

    /** The clock starts here. */
    void begin() {
        started = System.nanoTime();
    }

    @Override
    public void sent(int sentBytes, int sentMessages) {
        bytes.add(sentBytes);
        messages.add(sentMessages);
    }

    @Override
    public void ended(ReplayEnd end) {
        synchronized (ends) {
            ends.add(end);
        }
        ended = System.nanoTime();
        running.countDown();
    }

    /** Waits until all sessions have ended, at most so long; whether they have. */
    boolean await(long milliseconds) {
        return Interruption.await(running, milliseconds);
    }

    long bytes() {
        return bytes.sum();
    }

    double seconds() {
        long until = running.getCount() == 0 ? ended : System.nanoTime();
        return (until - started) / 1e9;
    }

    /** Each way in which sessions failed once, however many sessions it happened to. */
    Set<String> failures(StationAddress station) {
        Set<String> failures = new LinkedHashSet<>();
        synchronized (ends) {
            for (ReplayEnd end : ends) {
                if (end.failure() != null) {
                    failures.add(text(end, end.failure(), station));
                }
            }
        }
        return failures;
    }

    private static String text(ReplayEnd end, Throwable failure, StationAddress station) {
        Throwable root = RootCause.of(failure, CaptureException.class, ConnectionLostException.class);
        if (root instanceof CaptureException) {
            return String.valueOf(root.getMessage());
        }
        boolean connected = !(failure instanceof ConnectException) || root instanceof ConnectionLostException;
        String what = connected ? "connection to " + station + " lost" : "cannot connect to " + station;
        String where = ": offset " + end.bytes() + " of " + end.session().name() + ": ";
        return end.file() + (connected ? where : ": ") + what + ": " + RootCause.text(root);
    }

    /** What was sent, as the end of another sentence. */
    String text() {
        return bytes.sum() == 0
                ? "nothing was sent"
                : String.format(Locale.ROOT, "%,d messages, %,d bytes were sent before", messages.sum(), bytes.sum());
    }

    String summary() {
        int sessions;
        synchronized (ends) {
            sessions = ends.size();
        }
        return String.format(
                Locale.ROOT,
                "Replayed %d session%s: %,d messages, %,d bytes in %.3f s",
                sessions,
                sessions == 1 ? "" : "s",
                messages.sum(),
                bytes.sum(),
                seconds());
    }
}
