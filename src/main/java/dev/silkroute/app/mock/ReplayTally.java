package dev.silkroute.app.mock;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.app.console.Interruption;
import dev.silkroute.capture.CaptureException;
import dev.silkroute.component.replay.ConnectionLostException;
import dev.silkroute.component.replay.ReplayEnd;
import dev.silkroute.component.replay.ReplayListener;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/** Counts what the sessions of a replay have sent and collects how each ended. Thread-safe. */
final class ReplayTally implements ReplayListener {
    private final LongAdder bytes = new LongAdder();
    private final LongAdder messages = new LongAdder();
    private final List<ReplayEnd> ends = new ArrayList<>();
    private final CountDownLatch running;
    private volatile long startNanos = System.nanoTime();
    private volatile long endNanos;

    ReplayTally(int sessions) {
        running = new CountDownLatch(sessions);
    }

    /** Starts the clock. */
    void begin() {
        startNanos = System.nanoTime();
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
        endNanos = System.nanoTime();
        running.countDown();
    }

    /** Waits for all sessions to end and returns whether they have done so within the time. */
    boolean await(long milliseconds) {
        return Interruption.await(running, milliseconds);
    }

    long bytes() {
        return bytes.sum();
    }

    private double seconds() {
        long until = running.getCount() == 0 ? endNanos : System.nanoTime();
        return (until - startNanos) / 1e9;
    }

    /** Returns the distinct failures, however many sessions each of them has ended. */
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
        Throwable cause = RootCause.of(failure, CaptureException.class, ConnectionLostException.class);
        if (cause instanceof CaptureException) {
            return String.valueOf(cause.getMessage());
        }
        Throwable reason = RootCause.of(failure);
        boolean wasConnected = !(failure instanceof ConnectException || (end.bytes() == 0 && RootCause.isTls(reason)))
                || cause instanceof ConnectionLostException;
        return end.file() + ": "
                + (wasConnected
                        ? "offset " + end.bytes() + " of " + end.session().name() + ": connection to " + station
                                + " lost: "
                        : "cannot connect to " + station + ": ")
                + RootCause.text(reason);
    }

    /** Returns what was sent before a failure, as the last part of an error message. */
    String sentBefore() {
        return bytes.sum() == 0
                ? "nothing was sent"
                : String.format(Locale.ROOT, "%,d messages (%,d bytes) were sent before", messages.sum(), bytes.sum());
    }

    private int sessions() {
        synchronized (ends) {
            return ends.size();
        }
    }

    /** Writes what was sent as an object. */
    void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("sessions", sessions());
        json.writeNumberField("messages", messages.sum());
        json.writeNumberField("bytes", bytes.sum());
        json.writeNumberField("seconds", seconds());
        json.writeEndObject();
    }

    /** Returns what was sent as a sentence. */
    String summary() {
        int sessions = sessions();
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
