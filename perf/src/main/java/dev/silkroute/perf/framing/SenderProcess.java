package dev.silkroute.perf.framing;

import dev.silkroute.perf.report.LineProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The senders' JVM, seen from the measured one. */
final class SenderProcess implements AutoCloseable {
    private final LineProcess process;

    private SenderProcess(LineProcess process) {
        this.process = process;
    }

    static SenderProcess start(BmpStream stream, Path folder) throws IOException {
        Path file = Files.write(folder.resolve("body.bmp"), stream.body());
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new SenderProcess(LineProcess.start(
                "senders",
                List.of(
                        java,
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Sender.class.getName(),
                        file.toString())));
    }

    void connect(int port, int sessions, int passes) throws IOException {
        process.send("connect " + port + " " + sessions + " " + passes);
        process.expect("connected");
    }

    void go() throws IOException {
        process.send("go");
    }

    /** Waits until every session has written all it has and is closed. */
    void awaitSent() throws IOException {
        process.expect("sent");
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.close();
    }
}
