package dev.silkroute.perf.peers;

import dev.silkroute.perf.report.LineProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The process of a router that sends the same session to one collector after the other. Not thread-safe. */
final class SendingRouter implements AutoCloseable {
    private final LineProcess process;
    private CompletableFuture<Void> sent = CompletableFuture.completedFuture(null);

    private SendingRouter(LineProcess process) {
        this.process = process;
    }

    static SendingRouter start(RouterSession session) throws IOException {
        return new SendingRouter(LineProcess.start(
                "router",
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RouterProcess.class.getName(),
                        session.file().toString())));
    }

    /** Begins to send the session. */
    void send(int port) throws IOException {
        process.send(Integer.toString(port));
        sent = CompletableFuture.runAsync(this::awaitSent);
    }

    private void awaitSent() {
        try {
            process.expect("sent");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether all bytes have been written to the connection. Fails if they cannot be. */
    boolean isSent() {
        if (sent.isDone()) {
            sent.join();
            return true;
        }
        return false;
    }

    /** Waits until all bytes are written, and closes the connection. */
    void disconnect() throws IOException {
        sent.join();
        process.send("close");
        process.expect("closed");
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.close();
    }
}
