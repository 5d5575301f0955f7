package dev.silkroute.app.mock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.Silkroute;
import dev.silkroute.capture.packet.BmpStreams;
import dev.silkroute.component.replay.Sink;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command from its arguments to its exit code. */
class ReplayCommandIT {
    private static final byte[] STREAM = BmpStreams.stream(400, 1);

    /** An address without a listener: port 1 needs a privilege that no test requires. */
    private static final String UNREACHABLE = "127.0.0.1:1";

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
    void replaysACaptureAndPrintsASummary() throws Exception {
        try (Sink sink = new Sink()) {
            int exit = run("--to", sink.address(), resource("frr-all.pcap.gz"));

            assertThat(err.toString()).isEmpty();
            assertThat(out.toString()).matches("Replayed 1 session: 6,074 messages, 867,461 bytes in [0-9.]+ s\\R");
            assertThat(exit).isZero();
            assertThat(sink.connections().getFirst().size()).isEqualTo(867_461);
        }
    }

    @Test
    void replaysMrtTables() throws Exception {
        try (Sink sink = new Sink()) {
            int exit = run("--to", sink.address(), resource("mrt/bird-master4.mrt"), "--speed", "1000x");

            assertThat(err.toString()).isEmpty();
            assertThat(out.toString()).startsWith("Replayed 1 session: 32 messages");
            assertThat(exit).isZero();
        }
    }

    @Test
    void skippedRecordsAreReportedAndNoFailure() throws Exception {
        byte[] table = Files.readAllBytes(resource("mrt/bird-master4.mrt"));
        ByteBuffer file = ByteBuffer.allocate(12 + 4 + table.length);
        file.putInt(1)
                .putShort((short) 11)
                .putShort((short) 0)
                .putInt(4)
                .putInt(0)
                .put(table);
        Path mrt = file("ospf.mrt", file.array());
        try (Sink sink = new Sink()) {
            int exit = run("--to", sink.address(), mrt);

            assertThat(err.toString())
                    .isEqualTo("silkroute replay: " + mrt + ": left out: 1 records of type 11, which are not BGP,"
                            + " the first at offset 0" + System.lineSeparator());
            assertThat(exit).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a name with spaces", "+%&#;=", "{x}{{y}}", "é€:", "RAW(x)", "#bean:x"})
    void anyFileNameWorks(String name) throws Exception {
        try (Sink sink = new Sink()) {
            assertThat(run("--to", sink.address(), file(name, STREAM))).isZero();
            assertThat(sink.connections().getFirst().bytes()).isEqualTo(STREAM);
        }
    }

    @Test
    void severalFilesAreReplayedAtOnce() throws Exception {
        try (Sink sink = new Sink()) {
            Path one = file("one", STREAM);
            assertThat(run("--to", sink.address(), one, one, file("two", STREAM), "--loop", 2))
                    .isZero();

            assertThat(sink.connections()).hasSize(6);
            assertThat(out.toString()).startsWith("Replayed 3 sessions: 2,400 messages");
        }
    }

    @Test
    void anUnreachableStationIsAnError() throws Exception {
        Path file = file("a.bmp", STREAM);

        fails(
                1,
                run("--to", UNREACHABLE, file),
                file + ": cannot connect to " + UNREACHABLE + ": Connection refused; nothing was sent");
    }

    @Test
    void aLostConnectionIsAnError() throws Exception {
        try (Sink sink = new Sink().closeAfter(200_000)) {
            Path file = file("a.bmp", BmpStreams.stream(50_000, 2));

            int exit = run("--to", sink.address(), file);

            assertThat(exit).isEqualTo(1);
            assertThat(err.toString())
                    .startsWith("silkroute replay: " + file + ": offset ")
                    .contains("connection to " + sink.address() + " lost: ")
                    .endsWith(" bytes) were sent before" + System.lineSeparator())
                    .hasLineCount(1);
        }
    }

    @Test
    void aFileThatIsNotACaptureIsAnError() throws Exception {
        Path file = file("letter", "Dear Sir or Madam".getBytes(StandardCharsets.UTF_8));

        fails(
                2,
                run("--to", UNREACHABLE, file),
                file + ": offset 0: not a capture, its first bytes match no known format;" + " nothing was sent");
    }

    @Test
    void anEmptyFileADirectoryAndAMissingFileAreErrors() throws Exception {
        Path empty = file("empty.pcap", new byte[0]);
        fails(2, run("--to", UNREACHABLE, empty), empty + ": offset 0: the file is empty; nothing was sent");
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        fails(2, run("--to", UNREACHABLE, folder), folder + ": is a directory, not a capture; nothing was sent");
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        Path missing = folder.resolve("missing.bmp");
        fails(2, run("--to", UNREACHABLE, missing), missing + ": no such file; nothing was sent");
    }

    @Test
    void anUnsupportedLinkTypeIsAnError() throws Exception {
        ByteBuffer header = ByteBuffer.allocate(24).putInt(0xa1b2c3d4).putInt(0x20004);
        Path file = file("usb.pcap", header.putInt(20, 189).array());

        assertThat(run("--to", UNREACHABLE, file)).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("silkroute replay: " + file + ": offset 20: link type 189 is not one that can be read: ")
                .endsWith("; nothing was sent" + System.lineSeparator())
                .hasLineCount(1);
    }

    @Test
    void aPcapWithoutBmpIsAnError() throws Exception {
        ByteBuffer pcap = ByteBuffer.allocate(24 + 16 + 4).putInt(0xa1b2c3d4).putInt(0x20004);
        pcap.putInt(20, 1).position(32).putInt(4).putInt(4);
        Path file = file("other.pcap", pcap.array());

        fails(2, run("--to", UNREACHABLE, file), file + ": offset 24: no BMP session in 1 packets; nothing was sent");
    }

    @Test
    void aTruncatedPcapIsSentAsFarAsItGoes() throws Exception {
        byte[] pcap;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(resource("frr-all.pcap.gz")))) {
            pcap = in.readAllBytes();
        }
        Path file = file("cut.pcap", Arrays.copyOf(pcap, pcap.length / 2));
        try (Sink sink = new Sink()) {
            assertThat(run("--to", sink.address(), file)).isEqualTo(1);

            assertThat(err.toString())
                    .startsWith("silkroute replay: " + file + ": offset ")
                    .contains(": truncated: a packet has ")
                    .endsWith(" bytes) were sent before" + System.lineSeparator())
                    .hasLineCount(1);
            await().until(() -> sink.connections().getFirst().ended() != null);
            assertThat(sink.connections().getFirst().size()).isGreaterThan(300_000);
        }
    }

    @Test
    void aTruncatedStreamIsSentAsFarAsItGoes() throws Exception {
        Path file = file("a.bmp", Arrays.copyOf(STREAM, STREAM.length - 1));
        try (Sink sink = new Sink()) {
            fails(
                    1,
                    run("--to", sink.address(), file),
                    String.format(
                            "%s: offset %d: truncated: the last BMP message lacks 1 bytes or more;"
                                    + " 399 messages (%,d bytes) were sent before",
                            file, STREAM.length - 1, STREAM.length - 1));
        }
    }

    @Test
    void theOriginalSpeedRequiresTimestamps() throws Exception {
        Path file = file("a.bmp", STREAM);

        fails(
                2,
                run("--to", UNREACHABLE, "--speed", "original", file),
                file + ": the capture has no timestamps; only --speed max is possible; nothing was sent");
    }

    private void fails(int expected, int exit, String line) {
        assertThat(err.toString()).isEqualTo("silkroute replay: " + line + System.lineSeparator());
        assertThat(out.toString()).isEmpty();
        assertThat(exit).isEqualTo(expected);
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
    void invalidOptionsAreRejected(String options) throws Exception {
        List<Object> arguments = new ArrayList<>(List.of(options.split(" ")));
        arguments.add(file("a.bmp", STREAM));

        assertThat(run(arguments.toArray())).isEqualTo(2);
        assertThat(err.toString()).contains(options.split(" ")[0]);
    }

    @Test
    void anEditedRouteIsUsed() throws Exception {
        String route = new String(
                ReplayCommandIT.class
                        .getResourceAsStream("/routes/replay.camel.xml")
                        .readAllBytes(),
                StandardCharsets.UTF_8);
        String edited =
                route.replace("<to id=\"write\"", "<setBody><constant>ours</constant></setBody><to id=\"write\"");
        file("replay.camel.xml", edited.getBytes(StandardCharsets.UTF_8));
        try (Sink sink = new Sink()) {
            assertThat(run("--to", sink.address(), "--routes-dir", folder, file("a.bmp", BmpStreams.stream(3, 1))))
                    .isZero();
            assertThat(sink.connections().getFirst().bytes()).asString().isEqualTo("ours");
        }
    }

    @Test
    void anInvalidRouteIsReportedOnOneLine() throws Exception {
        file("replay.camel.xml", "<routeTemplates><routeTemplate".getBytes(StandardCharsets.UTF_8));

        assertThat(run("--to", UNREACHABLE, "--routes-dir", folder, file("a.bmp", STREAM)))
                .isEqualTo(2);
        assertThat(err.toString())
                .startsWith("silkroute replay: file:" + folder.resolve("replay.camel.xml") + ": ")
                .hasLineCount(1);
    }

    @Test
    void holdsTheConnectionUntilTheSignal() throws Exception {
        try (Sink sink = new Sink()) {
            Process replay = child("-Xmx128m", "--to", sink.address(), "--hold", file("a.bmp", STREAM));
            await().until(() -> !sink.connections().isEmpty()
                    && sink.connections().getFirst().size() == STREAM.length);
            assertThat(sink.connections().getFirst().ended()).isNull();

            replay.destroy();

            assertThat(replay.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(replay.exitValue()).isZero();
            await().until(() -> "FIN".equals(sink.connections().getFirst().ended()));
        }
    }

    /** Sends 70 MB with a heap of 48 MB: bytes that the station has not read yet stay in the file. */
    @Test
    void aStationThatStopsReadingIsWaitedForInBoundedMemory() throws Exception {
        byte[] once = BmpStreams.stream(5_000, 1);
        Path file = folder.resolve("large.bmp");
        try (OutputStream to = Files.newOutputStream(file)) {
            for (int i = 0; i < 64; i++) {
                to.write(once);
            }
        }
        try (Sink sink = new Sink().closed()) {
            Process replay = child("-Xmx48m", "--to", sink.address(), file);
            await().until(() -> !sink.connections().isEmpty());
            assertThat(replay.waitFor(3, TimeUnit.SECONDS)).isFalse();

            sink.open();

            assertThat(replay.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(replay.exitValue()).isZero();
            assertThat(sink.connections()).hasSize(1);
            assertThat(sink.connections().getFirst().size()).isEqualTo((int) Files.size(file));
        }
    }

    @Test
    void aSignalEndsABlockedReplay() throws Exception {
        try (Sink sink = new Sink().closed()) {
            Process replay = child("-Xmx128m", "--to", sink.address(), file("a.bmp", BmpStreams.stream(100_000, 3)));
            await().until(() -> !sink.connections().isEmpty());

            replay.destroy();

            assertThat(replay.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(replay.exitValue()).isEqualTo(130);
            sink.open();
        }
    }

    /** Starts the command as a process of its own, to test signals and exit codes. */
    private Process child(String memory, Object... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                memory,
                // As in the packaged program: without it, Netty's log records are kept in memory with their bytes.
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
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
