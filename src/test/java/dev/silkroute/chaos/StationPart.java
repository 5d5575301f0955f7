package dev.silkroute.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One process of a station, {@code ./silkroute run --roles …}. A start that fails because a server is unavailable is
 * repeated, as a supervisor would. Thread-safe.
 */
final class StationPart implements Victim {
    static final int HEAP_MIB = 320;

    private static final Duration COMES_BACK = Duration.ofSeconds(120);
    /** A station must stop within 30 s. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(32);

    private static final Pattern READY =
            Pattern.compile("Silkroute is ready: BMP (?:tcp/(\\d+)|off) · HTTP http://127\\.0\\.0\\.1:(\\d+) ");

    /** The messages of starts that may succeed later. */
    private static final Pattern SERVER_AWAY = Pattern.compile(
            "cannot reach|cannot read|cannot write|Kafka brokers|Kafka rejected|does not respond|did not respond|(?i)connection|recovery mode|starting up|shutting down|terminat|timed out|in use"
                    + "|I/O error|SQL State *: 08");

    private final Path home;
    private final String name;
    private final Path folder;
    private final Path logs;
    private final List<String> prefix;
    private final List<String> options;
    private final List<String> javaOptions;
    private final List<String> mishaps = new ArrayList<>();

    private @Nullable Process process;
    private boolean ready;
    private boolean wanted;
    private boolean frozen;
    private int starts;
    private volatile int bmpPort;
    private volatile int httpPort;
    private long mostMib;

    /** @param prefix the words before the command, see {@link Network#prefix} and {@link Clocks#prefix} */
    StationPart(
            Path home,
            String name,
            Path folder,
            Path logs,
            List<String> prefix,
            List<String> options,
            List<String> javaOptions) {
        this.home = home;
        this.prefix = List.copyOf(prefix);
        this.name = name;
        this.folder = folder;
        this.logs = logs;
        this.options = List.copyOf(options);
        this.javaOptions = List.copyOf(javaOptions);
    }

    @Override
    public String name() {
        return name;
    }

    int bmpPort() {
        return bmpPort;
    }

    int httpPort() {
        return httpPort;
    }

    /** Returns whether it answers queries. */
    boolean hasApi() {
        return options.stream().anyMatch(option -> option.endsWith("api"));
    }

    @Override
    public synchronized boolean isUp() {
        return ready && !frozen && process != null && process.isAlive();
    }

    @Override
    public void start() {
        long deadline = System.nanoTime() + COMES_BACK.toNanos();
        for (long pause = 500; !startOnce(); pause = Math.min(2 * pause, 4000)) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(name + " does not start: " + log());
            }
            String reason = log().lines().reduce("", (_, line) -> line);
            if (!SERVER_AWAY.matcher(reason).find()) {
                throw new IllegalStateException(name + " does not start: " + reason);
            }
            Pause.millis(pause);
        }
    }

    private boolean startOnce() {
        Process started;
        Path out;
        synchronized (this) {
            starts++;
            out = logs.resolve(name + "-" + starts + ".out");
            started = launch(out, logs.resolve(name + "-" + starts + ".err"));
            process = started;
            wanted = true;
        }
        while (started.isAlive()) {
            Matcher line = READY.matcher(read(out));
            if (line.find()) {
                synchronized (this) {
                    bmpPort = line.group(1) == null ? 0 : Integer.parseInt(line.group(1));
                    httpPort = Integer.parseInt(line.group(2));
                    ready = true;
                }
                return true;
            }
            Pause.millis(50);
        }
        return false;
    }

    private Process launch(Path out, Path err) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(home.toAbsolutePath().resolve("silkroute").toString(), "run"));
        command.addAll(List.of("--data-dir", folder.resolve(name).toString(), "--management-port", "0"));
        command.addAll(options);
        // any free ports at first
        command.addAll(List.of("--bmp-port", Integer.toString(bmpPort), "--http-port", Integer.toString(httpPort)));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(variable -> variable.startsWith("SILKROUTE_"));
        builder.environment().put("SILKROUTE_BUILD", "never");
        builder.environment()
                .put(
                        "SILKROUTE_JAVA_OPTS",
                        "-Xmx" + HEAP_MIB + "m -XX:+UseSerialGC -XX:+ExitOnOutOfMemoryError "
                                + String.join(" ", javaOptions));
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void kill() {
        Process running = leave();
        if (running != null) {
            Processes.kill(List.of(running.toHandle()));
        }
    }

    /** Suspends the process; its connections stay open. */
    synchronized void freeze() {
        if (process != null) {
            Processes.signal("STOP", List.of(process.toHandle()));
            frozen = true;
        }
    }

    synchronized void thaw() {
        if (process != null) {
            Processes.signal("CONT", List.of(process.toHandle()));
            frozen = false;
        }
    }

    /** Sends SIGTERM and waits for the end. */
    synchronized void stop() {
        Process running = leave();
        if (running == null) {
            return;
        }
        long begun = System.nanoTime();
        running.destroy();
        try {
            if (!running.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                Processes.kill(List.of(running.toHandle()));
            }
            long seconds = (System.nanoTime() - begun) / 1_000_000_000;
            if (seconds > STOP_LIMIT.toSeconds() || running.exitValue() != 0) {
                mishaps.add("%s took %d s to stop, with %d: see %s-%d.err"
                        .formatted(name, seconds, running.exitValue(), name, starts));
            }
        } catch (InterruptedException e) {
            Processes.kill(List.of(running.toHandle()));
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable Process leave() {
        Process running = process;
        if (wanted && ready && running != null && !running.isAlive()) {
            mishaps.add(name + " had ended by itself with " + running.exitValue());
        }
        note();
        wanted = false;
        ready = false;
        process = null;
        return running;
    }

    private void note() {
        if (process != null) {
            mostMib = Math.max(mostMib, Processes.mostResidentMib(process.pid()));
        }
    }

    /** Returns the peak resident memory of its processes in MiB. */
    synchronized long mostMib() {
        note();
        return mostMib;
    }

    /** Returns the unexpected ends of the process. */
    synchronized List<String> mishaps() {
        List<String> all = new ArrayList<>(mishaps);
        if (wanted && ready && process != null && !process.isAlive()) {
            all.add(name + " has ended by itself with " + process.exitValue());
        }
        return all;
    }

    /** Returns the log of all its processes. */
    synchronized String log() {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= starts; i++) {
            text.append(read(logs.resolve(name + "-" + i + ".err")));
        }
        return text.toString();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
