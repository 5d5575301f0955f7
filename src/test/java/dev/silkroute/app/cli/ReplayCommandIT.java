package dev.silkroute.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.Silkroute;
import dev.silkroute.capture.Bmp;
import dev.silkroute.component.replay.Sink;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command from its arguments to its exit code. */
class ReplayCommandIT {
    private static final byte[] STREAM = Bmp.stream(400, 1);

    /** Where nobody listens: port 1 needs a privilege that no test has use for. */
    private static final String NOBODY = "127.0.0.1:1";

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Object... arguments) {
        CommandLine command = new CommandLine(new ReplayCommand());
        command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return command.execute(Arrays.stream(arguments).map(String::valueOf).toArray(String[]::new));
    }

    private Path file(String name, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(name), bytes);
    }

    private static Path resource(String name) throws Exception {
        return Path.of(ReplayCommandIT.class.getResource("/captures/" + name).toURI());
    }

    @Test
    void replaysAndSaysWhatItDid() throws Exception {
        try (Sink sink = new Sink()) {
            int exit = run("--to", sink.address(), resource("frr-all.pcap.gz"));

            assertThat(err.toString()).isEmpty();
            assertThat(out.toString()).matches("Replayed 1 session: 6,074 messages, 867,461 bytes in [0-9.]+ s\\R");
            assertThat(exit).isZero();
            assertThat(sink.connections().getFirst().size()).isEqualTo(867_461);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a name with spaces", "+%&#;=", "{x}{{y}}", "é€:", "RAW(x)", "#bean:x"})
    void anyNameOfAFile(String name) throws Exception {
        try (Sink sink = new Sink()) {
            assertThat(run("--to", sink.address(), file(name, STREAM))).isZero();
            assertThat(sink.connections().getFirst().bytes()).isEqualTo(STREAM);
        }
    }

    @Test
    void severalFilesAtOnce() throws Exception {
        try (Sink sink = new Sink()) {
            Path one = file("one", STREAM);
            assertThat(run("--to", sink.address(), one, one, file("two", STREAM), "--loop", 2))
                    .isZero();

            assertThat(sink.connections()).hasSize(6);
            assertThat(out.toString()).startsWith("Replayed 3 sessions: 2,400 messages");
        }
    }

    @Test
    void nobodyListens() throws Exception {
        Path file = file("a.bmp", STREAM);

        fails(
                run("--to", NOBODY, file),
                file + ": cannot connect to " + NOBODY + ": Connection refused; nothing was sent");
    }

    @Test
    void theConnectionIsLost() throws Exception {
        try (Sink sink = new Sink().closeAfter(200_000)) {
            Path file = file("a.bmp", Bmp.stream(50_000, 2));

            int exit = run("--to", sink.address(), file);

            assertThat(exit).isEqualTo(2);
            assertThat(err.toString())
                    .startsWith("silkroute replay: " + file + ": offset ")
                    .contains("connection to " + sink.address() + " lost: ")
                    .endsWith(" bytes were sent before" + System.lineSeparator())
                    .hasLineCount(1);
        }
    }

    @Test
    void noCapture() throws Exception {
        Path file = file("letter", "Dear Sir or Madam".getBytes(StandardCharsets.UTF_8));

        fails(
                run("--to", NOBODY, file),
                file + ": offset 0: is not a capture: nothing that can be replayed begins like this;"
                        + " nothing was sent");
    }

    @Test
    void aTruncatedCapture() throws Exception {
        Path file = file("a.bmp", Arrays.copyOf(STREAM, STREAM.length - 1));
        try (Sink sink = new Sink()) {
            fails(
                    run("--to", sink.address(), file),
                    String.format(
                            "%s: offset %d: truncated: the last BMP message lacks 1 bytes or more;"
                                    + " 399 messages, %,d bytes were sent before",
                            file, STREAM.length - 1, STREAM.length - 1));
        }
    }

    @Test
    void rawStreamsHaveNoTimes() throws Exception {
        Path file = file("a.bmp", STREAM);

        fails(
                run("--to", NOBODY, "--speed", "original", file),
                file + ": offset 0: the capture has no times, so its only speed is max; nothing was sent");
    }

    private void fails(int exit, String line) {
        assertThat(err.toString()).isEqualTo("silkroute replay: " + line + System.lineSeparator());
        assertThat(out.toString()).isEmpty();
        assertThat(exit).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--to localhost",
                "--to :1",
                "--to host:0",
                "--to host:x",
                "--to ::1:11019",
                "--speed fast",
                "--loop 0",
                "--loop x",
                "--bytes 0",
                "--frobnicate 1"
            })
    void wrongUse(String options) throws Exception {
        List<Object> arguments = new ArrayList<>(List.of(options.split(" ")));
        arguments.add(file("a.bmp", STREAM));

        assertThat(run(arguments.toArray())).isEqualTo(2);
        assertThat(err.toString()).contains(options.split(" ")[0]);
    }

    @Test
    void anEditedRouteIsUsed() throws Exception {
        String route = new String(
                ReplayCommandIT.class.getResourceAsStream("/routes/replay.xml").readAllBytes(), StandardCharsets.UTF_8);
        String edited = route.replace("<to uri=\"netty", "<setBody><constant>ours</constant></setBody><to uri=\"netty");
        file("replay.xml", edited.getBytes(StandardCharsets.UTF_8));
        try (Sink sink = new Sink()) {
            assertThat(run("--to", sink.address(), "--routes-dir", folder, file("a.bmp", Bmp.stream(3, 1))))
                    .isZero();
            assertThat(sink.connections().getFirst().bytes()).asString().isEqualTo("ours");
        }
    }

    @Test
    void aBrokenRouteIsOneLine() throws Exception {
        file("replay.xml", "<routeTemplates><routeTemplate".getBytes(StandardCharsets.UTF_8));

        assertThat(run("--to", NOBODY, "--routes-dir", folder, file("a.bmp", STREAM)))
                .isEqualTo(2);
        assertThat(err.toString())
                .startsWith("silkroute replay: file:" + folder.resolve("replay.xml") + ": ")
                .hasLineCount(1);
    }

    @Test
    void holdsTheConnectionUntilTheSignal() throws Exception {
        try (Sink sink = new Sink()) {
            Process replay = child("--to", sink.address(), "--hold", file("a.bmp", STREAM));
            await().atMost(1, TimeUnit.MINUTES)
                    .until(() -> !sink.connections().isEmpty()
                            && sink.connections().getFirst().size() == STREAM.length);
            assertThat(sink.connections().getFirst().ended()).isNull();

            replay.destroy();

            assertThat(replay.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(replay.exitValue()).isZero();
            await().until(() -> "FIN".equals(sink.connections().getFirst().ended()));
        }
    }

    @Test
    void aSignalEndsAReplayThatWaits() throws Exception {
        try (Sink sink = new Sink().closed()) {
            Process replay = child("--to", sink.address(), file("a.bmp", Bmp.stream(100_000, 3)));
            await().atMost(1, TimeUnit.MINUTES).until(() -> !sink.connections().isEmpty());

            replay.destroy();

            assertThat(replay.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(replay.exitValue()).isEqualTo(130);
            sink.open();
        }
    }

    /** A program of its own: only one of those has an exit code and signals. */
    private Process child(Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Silkroute.class.getName(),
                "replay"));
        Arrays.stream(arguments).map(String::valueOf).forEach(command::add);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
    }
}
