package dev.silkroute.app.embedded;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Remembers the processes of the embedded servers ({@code NAME=PID START-MILLIS}), so that the start after a killed
 * station waits for them to be gone instead of running into their ports and lock files. Thread-safe.
 */
public final class ServerProcesses {
    private static final String FILE = "servers.properties";
    /** The kernel's start time is read with the precision of its clock tick. */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

    private final Path file;
    private final Properties known = new Properties();

    public ServerProcesses(DataDirectory directory) {
        this.file = directory.path().resolve(FILE);
    }

    /** Waits for the processes of an earlier station; they are ending by themselves since it is gone. */
    public void awaitGone(Duration limit) {
        var deadline = Instant.now().plus(limit);
        read().forEach((name, value) -> find((String) value).ifPresent(process -> {
            if (!isGone(process, Duration.between(Instant.now(), deadline))) {
                throw new OperatorError("the " + name + " of an earlier start is still running, process "
                        + process.pid() + ": stop it, then start again");
            }
        }));
    }

    public synchronized void remember(String name, ProcessHandle process) {
        var start = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        known.setProperty(name, process.pid() + " " + start);
        write();
    }

    /** All that have ended; one whose start was broken off ends with this process, which the next start awaits. */
    public synchronized void forget() {
        known.values().removeIf(value -> find((String) value).isEmpty());
        if (!known.isEmpty()) {
            write();
            return;
        }
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new OperatorError("cannot remove " + file + ": " + OperatorError.reason(e), e);
        }
    }

    private void write() {
        try (Writer writer = Files.newBufferedWriter(file)) {
            known.store(writer, null);
        } catch (IOException e) {
            throw new OperatorError("cannot write " + file + ": " + OperatorError.reason(e), e);
        }
    }

    private Properties read() {
        var properties = new Properties();
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            } catch (IOException | IllegalArgumentException e) {
                throw new OperatorError("cannot read " + file + ": " + OperatorError.reason(e), e);
            }
        }
        return properties;
    }

    /** The process, where the pid is still the one that was started then and not another's. */
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

    private static boolean isGone(ProcessHandle process, Duration limit) {
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
