package dev.silkroute.component.replay;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.packet.BmpStreams;
import dev.silkroute.fixture.RouteBlock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.camel.CamelContext;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.builder.TemplatedRouteBuilder;
import org.apache.camel.component.mock.MockEndpoint;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the packaged route with real sockets. */
class ReplayIT {
    @TempDir
    Path folder;

    private final CamelContext camel = new DefaultCamelContext();
    private final Tally tally = new Tally();

    @BeforeEach
    void load() throws Exception {
        camel.getShutdownStrategy().setTimeout(1);
        camel.getRegistry().bind("tally", ReplayListener.class, tally);
        camel.start();
        PluginHelper.getRoutesLoader(camel)
                .loadRoutes(ResourceHelper.resolveMandatoryResource(camel, "classpath:routes/replay.camel.xml"));
    }

    @AfterEach
    void stop() {
        camel.stop();
    }

    @SafeVarargs
    private void replay(Path file, Sink sink, Map.Entry<String, Object>... options) {
        Map<String, Object> parameters = new HashMap<>(Map.ofEntries(options));
        parameters.putAll(Map.of("file", file.toString(), "to", sink.address(), "listener", "#tally"));
        TemplatedRouteBuilder.builder(camel, "replay").parameters(parameters).add();
    }

    private ReplayEnd end() {
        await().until(() -> !tally.ends.isEmpty());
        return tally.ends.getFirst();
    }

    private Path raw(byte[] stream) throws IOException {
        return Files.write(folder.resolve("stream.bmp"), stream);
    }

    private static Path resource(String name) throws Exception {
        return Path.of(ReplayIT.class.getResource("/captures/" + name).toURI());
    }

    @Test
    void theSinkReceivesExactlyTheBytesOfAPcap() throws Exception {
        byte[] expected;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(resource("frr-all.bmp.gz")))) {
            expected = in.readAllBytes();
        }
        try (Sink sink = new Sink()) {
            replay(resource("frr-all.pcap.gz"), sink);

            assertThat(end().failure()).isNull();
            assertThat(end().bytes()).isEqualTo(expected.length);
            await().until(() -> sink.connections().getFirst().ended() != null);
            assertThat(sink.connections()).hasSize(1);
            assertThat(Arrays.mismatch(sink.connections().getFirst().bytes(), expected))
                    .isEqualTo(-1);
            assertThat(sink.connections().getFirst().ended()).isEqualTo("FIN");
        }
    }

    /** The page has names relative to the working directory. */
    @Test
    void theRouteOfTheDocumentationWritesChunks() throws Exception {
        Path capture = resource("mrt/gobgp-updates.mrt");
        String route = RouteBlock.REPLAY
                .text()
                .replace("replay:updates.bz2", "replay:" + capture)
                .replace("speed=original", "speed=1000x")
                .replace("file:chunks", "file:" + folder);
        PluginHelper.getRoutesLoader(camel).loadRoutes(ResourceHelper.fromString("page.xml", route));
        await().until(() -> {
            try (Stream<Path> chunks = Files.list(folder)) {
                return chunks.anyMatch(chunk -> chunk.toFile().length() > 0);
            }
        });
    }

    @Test
    void aSinkThatStopsReadingPausesTheReplay() throws Exception {
        byte[] once = BmpStreams.stream(5_000, 1);
        int times = 64;
        Path file = folder.resolve("large.bmp");
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int i = 0; i < times; i++) {
                out.write(once);
            }
        }
        long length = Files.size(file);
        assertThat(length).isGreaterThan(60_000_000);
        try (Sink sink = new Sink().closed()) {
            replay(file, sink);

            // The bytes sent are in the kernel's socket buffers; at most two further chunks are in memory.
            await().until(() -> tally.bytes.get() > 0);
            AtomicLong before = new AtomicLong(-1);
            await().pollInterval(Duration.ofSeconds(1))
                    .until(() -> before.getAndSet(tally.bytes.get()) == tally.bytes.get());
            assertThat(tally.bytes.get()).isLessThan(length / 2);
            assertThat(tally.ends).isEmpty();
            long paused = tally.bytes.get();

            sink.open();

            assertThat(end().failure()).isNull();
            assertThat(end().bytes()).isEqualTo(length).isGreaterThan(paused);
            assertThat(end().messages()).isEqualTo(5_000L * times);
            await().until(() -> sink.connections().getFirst().ended() != null);
            ByteArrayInputStream got =
                    new ByteArrayInputStream(sink.connections().getFirst().bytes());
            try (InputStream sent = Files.newInputStream(file)) {
                assertThat(got).hasSameContentAs(sent);
            }
        }
    }

    @Test
    void eachPassHasItsOwnConnectionAndEndsAfterTheGivenBytes() throws Exception {
        byte[] stream = BmpStreams.stream(10, 2);
        try (Sink sink = new Sink()) {
            replay(raw(stream), sink, entry("loop", 3), entry("bytes", 100));

            assertThat(end().bytes()).isEqualTo(300);
            await().until(() -> sink.connections().stream().allMatch(connection -> connection.ended() != null));
            assertThat(sink.connections()).hasSize(3);
            assertThat(sink.connections())
                    .allSatisfy(connection -> assertThat(connection.bytes()).isEqualTo(Arrays.copyOf(stream, 100)));
        }
    }

    @Test
    void aHeldConnectionStaysOpenUntilTheRouteStops() throws Exception {
        byte[] stream = BmpStreams.stream(10, 2);
        try (Sink sink = new Sink()) {
            replay(raw(stream), sink, entry("hold", true));

            assertThat(end().failure()).isNull();
            await().until(() -> sink.connections().getFirst().size() == stream.length);
            // Without hold, a replay ends only after both sides have closed the connection; see ReplayConnection.
            assertThat(sink.connections().getFirst().ended()).isNull();
            camel.stop();
            await().until(() -> "FIN".equals(sink.connections().getFirst().ended()));
        }
    }

    @Test
    void aLostConnectionEndsTheReplayAndIsNotOpenedAgain() throws Exception {
        Path file = raw(BmpStreams.stream(50_000, 3));
        try (Sink sink = new Sink().closeAfter(100_000)) {
            replay(file, sink);

            assertThat(end().failure()).isInstanceOf(IOException.class);
            assertThat(end().bytes()).isLessThan(Files.size(file));
            assertThat(sink.connections()).hasSize(1);
        }
    }

    @Test
    void aConnectionLostWithUnreadBytesIsAFailure() throws Exception {
        try (Sink sink = new Sink().closeAfter(1)) {
            replay(raw(BmpStreams.stream(100, 3)), sink);

            assertThat(end().failure()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void bytesFromTheStationAreIgnored() throws Exception {
        byte[] stream = BmpStreams.stream(50_000, 4);
        try (Sink sink = new Sink().greeting(new byte[5000])) {
            replay(raw(stream), sink);

            assertThat(end().failure()).isNull();
            await().until(() -> sink.connections().getFirst().ended() != null);
            assertThat(Arrays.mismatch(sink.connections().getFirst().bytes(), stream))
                    .isEqualTo(-1);
        }
    }

    @Test
    void aTruncatedCaptureIsSentUpToTheTruncation() throws Exception {
        byte[] stream = BmpStreams.stream(2_000, 5);
        byte[] cut = Arrays.copyOf(stream, stream.length - 10);
        try (Sink sink = new Sink()) {
            replay(raw(cut), sink);

            assertThat(end().failure()).isInstanceOf(CaptureException.class);
            await().until(() -> "FIN".equals(sink.connections().getFirst().ended()));
            assertThat(Arrays.mismatch(sink.connections().getFirst().bytes(), cut))
                    .isEqualTo(-1);
        }
    }

    @Test
    void otherRoutesCanUseTheComponentToo() throws Exception {
        Path file = resource("frr-all.pcap.gz");
        MockEndpoint mock = camel.getEndpoint("mock:chunks", MockEndpoint.class);
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("replay:" + file + "?bytes=2500&chunkSize=1000&listener=#tally")
                        .to(mock);
            }
        });

        assertThat(end().failure()).isNull();
        assertThat(mock.getExchanges())
                .extracting(exchange -> exchange.getMessage().getHeader(ReplayConstants.OFFSET))
                .containsExactly(0L, 1000L, 2000L);
        assertThat(mock.getExchanges())
                .extracting(exchange -> exchange.getMessage().getHeader(ReplayConstants.CLOSE))
                .containsExactly(null, null, true);
        assertThat(mock.getExchanges().getFirst().getMessage().getHeaders())
                .containsEntry(ReplayConstants.FILE, file.toString())
                .containsEntry(ReplayConstants.SESSION, 0)
                .containsKey(ReplayConstants.TIME);
    }

    @Test
    void theTimesOfTheCaptureAreKept() throws Exception {
        Path file = resource("frr-all.pcap.gz");
        MockEndpoint mock = camel.getEndpoint("mock:paced", MockEndpoint.class);
        List<Long> due = new CopyOnWriteArrayList<>();
        long start = System.nanoTime();
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("replay:" + file + "?bytes=20000&speed=20x&listener=#tally")
                        .process(exchange -> due.add(System.nanoTime() - start))
                        .to(mock);
            }
        });

        assertThat(end().failure()).isNull();
        long first = mock.getExchanges().getFirst().getMessage().getHeader(ReplayConstants.TIME, Long.class);
        for (int i = 0; i < due.size(); i++) {
            long time = mock.getExchanges().get(i).getMessage().getHeader(ReplayConstants.TIME, Long.class);
            assertThat(due.get(i)).isGreaterThanOrEqualTo((time - first) / 20);
        }
        assertThat(due).hasSizeGreaterThan(1);
    }

    @Test
    void invalidOptionsAreRejected() throws Exception {
        Path file = raw(BmpStreams.stream(3, 1));

        assertThatThrownBy(() -> consume(file, "session=1")).hasRootCauseMessage(file + " has no session 1 but 0 to 0");
        assertThatThrownBy(() -> consume(file, "speed=original")).hasRootCauseInstanceOf(CaptureException.class);
        assertThatThrownBy(() -> consume(file, "speed=fast")).hasRootCauseInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> consume(file, "lop=2")).hasMessageContaining("lop=2");
    }

    private void consume(Path file, String options) throws Exception {
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("replay:" + file + "?" + options).to("mock:rejected");
            }
        });
    }

    private static final class Tally implements ReplayListener {
        private final AtomicLong bytes = new AtomicLong();
        private final List<ReplayEnd> ends = new CopyOnWriteArrayList<>();

        @Override
        public void sent(int sentBytes, int messages) {
            bytes.addAndGet(sentBytes);
        }

        @Override
        public void ended(ReplayEnd end) {
            ends.add(end);
        }
    }
}
