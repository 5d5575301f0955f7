package dev.silkroute.perf.hostile;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A station as its users run it, on free ports of the loopback address. */
final class Station implements AutoCloseable {
    private static final Pattern READY = Pattern.compile(
            "Silkroute is ready: BMP tcp/(\\d+) · HTTP (\\S+) · PostgreSQL (jdbc:postgresql://\\S+) · Kafka (\\S+)");
    private static final long STOP_SECONDS = 30;

    private final Process process;
    private final Matcher ready;

    private Station(Process process, Matcher ready) {
        this.process = process;
        this.ready = ready;
    }

    static Station start(Path home, Path data, Map<String, String> settings) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        home.toAbsolutePath().resolveSibling("silkroute").toString(),
                        "run",
                        "--data-dir",
                        data.toString(),
                        "--bmp-host",
                        "127.0.0.1",
                        "--bmp-port",
                        "0",
                        "--http-port",
                        "0",
                        "--management-port",
                        "0")
                .redirectError(data.resolveSibling(data.getFileName() + ".log").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("SILKROUTE_"));
        builder.environment().put("SILKROUTE_BUILD", "never");
        builder.environment().putAll(settings);
        Process process = builder.start();
        BufferedReader output = process.inputReader();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.find()) {
                return new Station(process, ready);
            }
        }
        throw new IOException("the station ended before it was ready: see " + data + ".log");
    }

    int bmpPort() {
        return Integer.parseInt(ready.group(1));
    }

    String jdbcUrl() {
        return ready.group(3);
    }

    boolean isUp() {
        return process.isAlive();
    }

    /** Resident memory of the station's own process in MiB. */
    long residentMib() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
            }
        }
        return 0;
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
