package dev.silkroute.perf.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.perf.station.RunningStation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads a response with many routes as newline-delimited JSON, at a limited rate, so that the station would have to
 * keep what it does not yet send.
 */
final class SlowReader {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RunningStation station;
    private final int bytesPerSecond;

    SlowReader(RunningStation station, int bytesPerSecond) {
        this.station = station;
        this.bytesPerSecond = bytesPerSecond;
    }

    /**
     * Reads a response and compares each line with the route of the known table.
     *
     * @return the seconds until its end
     * @throws IOException if a route is wrong or missing
     */
    double read(String path, int expected) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(station.httpUrl() + path))
                .header("Accept", "application/x-ndjson")
                .build();
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            long start = System.nanoTime();
            var response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            if (response.statusCode() != 200) {
                throw new IOException(path + " was answered with status " + response.statusCode());
            }
            long bytes = 0;
            int n = 0;
            try (var lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    JsonNode row = JSON.readTree(line);
                    if (!row.has("next")) { // the last line of a page that is not the last
                        AnswerCheck.check(path, row, n++);
                    }
                    bytes += line.length() + 1;
                    waitUntil(start + (long) (1e9 * bytes / bytesPerSecond));
                }
            }
            if (n != expected) {
                throw new IOException(path + " has " + n + " routes instead of " + expected);
            }
            return (System.nanoTime() - start) / 1e9;
        }
    }

    private static void waitUntil(long nanoTime) {
        for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
