package dev.silkroute.app.embedded;

import dev.silkroute.app.config.OperatorError;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Records the processes of the embedded servers ({@code NAME=PID START-MILLIS}). After a kill of the station the next
 * start waits for them to end, rather than failing on their ports and lock files. Thread-safe.
 */
public final class ServerProcesses {
    private static final String FILE = "servers.properties";

    /** The start time that the kernel reports has the precision of its clock tick. */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

    private final PropertiesFile file;
    private final Properties recorded = new Properties();

    public ServerProcesses(DataDirectory directory) {
        file = new PropertiesFile(directory.path().resolve(FILE));
    }

    /**
     * Waits for the processes of an earlier start, which stop by themselves when their station has ended.
     *
     * @throws OperatorError if one is still running after the limit
     */
    public void awaitExit(Duration limit) {
        var deadline = Instant.now().plus(limit);
        file.read()
                .forEach((name, value) -> find((String) value).ifPresent(process -> {
                    if (!hasExited(process, Duration.between(Instant.now(), deadline))) {
                        throw new OperatorError(name + " of an earlier start is still running, process " + process.pid()
                                + ": stop it and start the station again");
                    }
                }));
    }

    public synchronized void add(String name, ProcessHandle process) {
        var start = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        recorded.setProperty(name, process.pid() + " " + start);
        file.write(recorded);
    }

    /** Removes the processes that have ended. The next start waits for the others, which end with this process. */
    public synchronized void forgetEnded() {
        recorded.values().removeIf(value -> find((String) value).isEmpty());
        if (!recorded.isEmpty()) {
            file.write(recorded);
        } else {
            file.delete();
        }
    }

    /** Returns the recorded process, unless it has ended and its process id was reused. */
    private static Optional<ProcessHandle> find(String value) {
        var fields = value.split(" ", -1);
        if (fields.length != 2) {
            return Optional.empty();
        }
        try {
            var start = Instant.ofEpochMilli(Long.parseLong(fields[1]));
            return ProcessHandle.of(Long.parseLong(fields[0]))
                    .filter(process -> process.info()
                            .startInstant()
                            .filter(actual ->
                                    Duration.between(actual, start).abs().compareTo(START_TOLERANCE) < 0)
                            .isPresent());
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static boolean hasExited(ProcessHandle process, Duration limit) {
        try {
            process.onExit().get(Math.max(0, limit.toMillis()), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return !process.isAlive();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        } catch (ExecutionException e) {
            return !process.isAlive();
        }
    }
}
