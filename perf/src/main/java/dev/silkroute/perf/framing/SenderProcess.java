package dev.silkroute.perf.framing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The senders' JVM, seen from the measured one. */
final class SenderProcess implements AutoCloseable {
    private final Process process;
    private final Writer in;
    private final BufferedReader out;

    private SenderProcess(Process process) {
        this.process = process;
        in = process.outputWriter(StandardCharsets.UTF_8);
        out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static SenderProcess start(BmpStream stream, Path folder) throws IOException {
        Path file = Files.write(folder.resolve("body.bmp"), stream.body());
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java,
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Sender.class.getName(),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new SenderProcess(process);
    }

    void connect(int port, int sessions, int passes) throws IOException {
        say("connect " + port + " " + sessions + " " + passes);
        expect("connected");
    }

    void go() throws IOException {
        say("go");
    }

    /** Waits until every session has written all it has and is closed. */
    void awaitSent() throws IOException {
        expect("sent");
    }

    private void say(String line) throws IOException {
        in.write(line + "\n");
        in.flush();
    }

    private void expect(String wanted) throws IOException {
        String line = out.readLine();
        if (!wanted.equals(line)) {
            throw new IOException("unexpected output of the senders: '" + line + "' instead of '" + wanted + "'");
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        in.close();
        process.waitFor();
    }
}
