package dev.silkroute.chaos;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Asks a process again and again whether it is ready, as Kubernetes does, and uses it when it is: it must serve then.
 * Also, it must be ready as long as nothing happens to it. Runs on a thread of its own. Thread-safe.
 */
final class Readiness implements AutoCloseable {
    private static final int INTERVAL_MILLIS = 100;
    /** That of the probes in the manifests. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final StationPart part;
    private final Findings.Kind wrong;
    private final Findings.Kind absent;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final AtomicLong probes = new AtomicLong();
    private final AtomicLong positive = new AtomicLong();
    private final Thread thread;
    /** When the last probe with a positive answer began. */
    private volatile long readyAt = System.nanoTime();

    private volatile boolean required;
    private volatile boolean closed;

    private Readiness(StationPart part, Findings findings) {
        this.part = part;
        wrong = findings.kind(part.name() + " is ready and does not serve");
        absent = findings.kind(part.name() + " is not ready although nothing happens to it");
        thread = Thread.ofPlatform().daemon().name("readiness-" + part.name()).unstarted(this::run);
    }

    /** Starts to ask. The findings are complete once it is closed. */
    static Readiness watch(StationPart part, Findings findings) {
        Readiness readiness = new Readiness(part, findings);
        readiness.thread.start();
        return readiness;
    }

    StationPart part() {
        return part;
    }

    /** Returns whether it was ready when asked after that time of {@link System#nanoTime}. */
    boolean wasReadyAfter(long nanos) {
        return readyAt - nanos > 0;
    }

    /** Sets whether it counts as an error if the process is not ready. */
    void require(boolean readiness) {
        required = readiness;
    }

    /** Returns how often the process was asked. */
    long probes() {
        return probes.get();
    }

    /** Returns how often it was ready. */
    long positive() {
        return positive.get();
    }

    private void run() {
        while (!closed) {
            boolean before = required;
            long at = System.nanoTime();
            String reason = notReady();
            probes.incrementAndGet();
            if (reason.isEmpty()) {
                positive.incrementAndGet();
                readyAt = at;
                String fault = notServing();
                // Between the two answers it may have begun to stop; then it is not ready any more
                if (!fault.isEmpty() && notReady().isEmpty()) {
                    wrong.add(fault);
                }
            } else if (before && required && !closed) {
                absent.add(reason);
            }
            Pause.millis(INTERVAL_MILLIS);
        }
    }

    /** Returns why it is not ready, or nothing if it is. */
    private String notReady() {
        return notAnswering("/q/health/ready");
    }

    /** Does what the process is for. Returns what failed, or nothing. */
    private String notServing() {
        if (part.bmpPort() != 0) {
            try (Socket router = new Socket(InetAddress.getLoopbackAddress(), part.bmpPort())) {
                return router.isConnected() ? "" : "not connected";
            } catch (IOException e) {
                return "BMP: " + e;
            }
        }
        if (part.hasApi()) {
            String lookup = notAnswering("/api/v1/lookup?address=192.0.2.1");
            return lookup.isEmpty() ? notAnswering("/api/v1/routers") : lookup;
        }
        return notAnswering("/q/metrics");
    }

    private String notAnswering(String path) {
        URI uri = URI.create("http://127.0.0.1:" + part.httpPort() + path);
        try {
            HttpResponse<String> response = http.send(
                    HttpRequest.newBuilder(uri).timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200 ? "" : path + ": " + response.statusCode() + " " + response.body();
        } catch (IOException e) {
            return path + ": " + e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        http.close();
        wrong.close();
        absent.close();
    }
}
