package dev.silkroute.perf.startup;

import dev.silkroute.perf.station.RunningStation;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One start of a station.
 *
 * @param ready seconds from the command to the line that reports readiness
 * @param cpu seconds of CPU of the station's own process until then, its servers' not included
 * @param stop seconds from SIGTERM to the end of the process
 */
record Start(double ready, double cpu, double stop) {
    private static final Pattern READY = Pattern.compile("Silkroute is ready: .* HTTP (http://\\S+) .*");
    private static final long STOP_SECONDS = 30;

    /** Starts a station on free ports, asks whether all of it is up, and ends it. */
    static Start measure(Path data) throws IOException, InterruptedException {
        ProcessBuilder builder = RunningStation.run(data);
        long started = System.nanoTime();
        Process station = builder.start();
        try (BufferedReader output = station.inputReader()) {
            String http = http(output);
            double ready = seconds(started);
            double cpu = station.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
            check(http);
            long stopped = System.nanoTime();
            station.destroy();
            if (!station.waitFor(STOP_SECONDS, TimeUnit.SECONDS) || station.exitValue() != 0) {
                throw new IOException("the station did not end as it should");
            }
            return new Start(ready, cpu, seconds(stopped));
        } finally {
            station.destroyForcibly();
        }
    }

    private static String http(BufferedReader output) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.matches()) {
                return ready.group(1);
            }
        }
        throw new IOException("the station ended before it was ready");
    }

    private static void check(String http) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create(http + "/q/health/ready"))
                            .timeout(Duration.ofSeconds(10))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IOException("the station reports readiness but is not ready: " + answer.body());
            }
        }
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
