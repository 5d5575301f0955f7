package dev.silkroute.capture.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.CaptureSession;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the errors of files that cannot be replayed completely: they contain reason and offset. */
class CaptureErrorsTest {
    private static final byte[] STREAM = BmpStreams.stream(30, 5);

    @TempDir
    Path folder;

    private Path file(byte[] bytes) {
        return PcapBuilder.write(folder.resolve("file"), bytes);
    }

    private CaptureException rejected(Path file) {
        return assertThatExceptionOfType(CaptureException.class)
                .isThrownBy(() -> CaptureFile.open(file, PacketFormat.AND_RAW).survey())
                .actual();
    }

    @Test
    void aFileThatIsNotACaptureIsRejected() {
        Path file = file("This is a letter.\n".getBytes(StandardCharsets.UTF_8));

        assertThat(rejected(file))
                .hasMessage(file + ": offset 0: not a capture, its first bytes match no known format");
        assertThat(rejected(file(new byte[0]))).hasMessageEndingWith("offset 0: the file is empty");
        assertThat(rejected(file(new byte[] {3, 0}))).hasMessageContaining("not a capture");
        assertThat(rejected(folder)).hasMessage(folder + ": is a directory, not a capture");
        Path absent = folder.resolve("absent");
        assertThat(rejected(absent)).hasMessage(absent + ": no such file");
    }

    @Test
    void anUnsupportedLinkTypeIsRejected() {
        CaptureException rejected = rejected(new PcapBuilder().linkType(147).write(folder.resolve("a")));

        assertThat(rejected.offset()).isEqualTo(20);
        assertThat(rejected.reason()).startsWith("link type 147 is not one that can be read");
    }

    @Test
    void aPcapWithoutBmpIsRejected() {
        PcapBuilder pcap = new PcapBuilder().syn(1);
        byte[] tls = {0x16, 3, 1, 0, (byte) 0xc8, 1, 0, 0, (byte) 0xc4, 3, 3};
        pcap.data(2, tls, 0, tls.length).from(4444).data(17, new byte[5000], 0, 5000);

        assertThat(rejected(pcap.write(folder.resolve("a"))).reason()).isEqualTo("no BMP session in 3 packets");
        assertThat(rejected(new PcapBuilder().write(folder.resolve("b"))).reason())
                .isEqualTo("no BMP session in 0 packets");
    }

    @Test
    void aTruncatedPcapIsReplayedUpToTheTruncation() throws Exception {
        byte[] whole = new PcapBuilder()
                .syn(9)
                .data(10, STREAM, 0, 1000)
                .data(1010, STREAM, 1000, 2000)
                .bytes();
        int lastPacket = whole.length - (16 + 14 + 40 + 1000);

        ReplayedSession session = ReplayedSession.session(file(Arrays.copyOf(whole, whole.length - 1)), 0);

        assertThat(session.bytes).isEqualTo(Arrays.copyOf(STREAM, 1000));
        assertThat(session.failure.offset()).isEqualTo(lastPacket);
        assertThat(session.failure.reason()).isEqualTo("truncated: a packet has 1053 of its 1054 bytes");
        assertThat(ReplayedSession.session(file(Arrays.copyOf(whole, lastPacket + 5)), 0).failure)
                .hasMessageContaining("truncated: a packet header has 5 of its 16 bytes");
        assertThat(rejected(file(Arrays.copyOf(whole, 23)))).hasMessageContaining("no whole pcap file header");
    }

    @Test
    void aSessionThatEndedBeforeTheTruncationIsComplete() throws Exception {
        PcapBuilder pcap =
                new PcapBuilder().syn(9).data(10, STREAM, 0, STREAM.length).fin(10 + STREAM.length);
        byte[] whole = pcap.from(5).syn(1).bytes();
        CaptureFile file = CaptureFile.open(file(Arrays.copyOf(whole, whole.length - 3)), PacketFormat.AND_RAW);

        assertThat(file.survey().failure()).hasMessageContaining("truncated");
        assertThat(file.survey().sessions().getFirst().failure()).isNull();
    }

    @Test
    void aPacketOfAnImpossibleLengthIsAnError() throws Exception {
        byte[] file = new PcapBuilder().syn(9).data(10, STREAM, 0, 1000).syn(9).bytes();
        int lastPacket = file.length - (16 + 60);
        file[lastPacket + 11] = 0x7f;

        ReplayedSession session = ReplayedSession.session(file(file), 0);

        assertThat(session.bytes).hasSize(1000);
        assertThat(session.failure.offset()).isEqualTo(lastPacket);
        assertThat(session.failure.reason()).startsWith("damaged: a packet of");
    }

    @Test
    void aRawStreamIsReplayedUnchanged() throws Exception {
        Path file = file(STREAM);
        CaptureFile capture = CaptureFile.open(file, PacketFormat.AND_RAW);

        assertThat(ReplayedSession.session(file, 0).bytes).isEqualTo(STREAM);
        assertThat(capture.survey().timed()).isFalse();
        assertThat(capture.survey().sessions().getFirst().messages()).isEqualTo(30);
    }

    @Test
    void aTruncatedRawStreamIsReplayedCompletely() throws Exception {
        byte[] cut = Arrays.copyOf(STREAM, STREAM.length - 3);
        ReplayedSession session = ReplayedSession.session(file(cut), 0);

        assertThat(session.bytes).isEqualTo(cut);
        assertThat(session.failure.offset()).isEqualTo(cut.length);
        assertThat(session.failure.reason()).isEqualTo("truncated: the last BMP message lacks 3 bytes or more");
    }

    @Test
    void aTruncatedGzipIsReplayedUpToTheTruncation() throws Exception {
        byte[] packed = PcapBuilder.gzip(STREAM);
        ReplayedSession session = ReplayedSession.session(file(Arrays.copyOf(packed, packed.length / 2)), 0);

        assertThat(session.bytes.length).isGreaterThan(100);
        assertThat(session.bytes).isEqualTo(Arrays.copyOf(STREAM, session.bytes.length));
        assertThat(session.failure.offset()).isEqualTo(session.bytes.length);
        assertThat(session.failure.reason()).isEqualTo("truncated: the gzip data ends too early");
    }

    /**
     * A damaged capture is either read or rejected with a CaptureException; there is no other exception and no endless
     * loop.
     */
    @ParameterizedTest
    @ValueSource(ints = {LinkLayer.ETHERNET, LinkLayer.LINUX_SLL, LinkLayer.LINUX_SLL2, LinkLayer.RAW, LinkLayer.NULL})
    void aDamagedFileIsReadOrRejected(int linkType) {
        PcapBuilder pcap = new PcapBuilder().linkType(linkType).vlanTags(2).syn(9);
        for (int from = 0; from < STREAM.length; from += 500) {
            pcap.ipv6().data(10 + from, STREAM, from, Math.min(STREAM.length, from + 600));
        }
        byte[] good = pcap.fin(10 + STREAM.length).bytes();
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            byte[] damaged = good.clone();
            for (int i = 0; i <= seed % 20; i++) {
                damaged[24 + random.nextInt(good.length - 24)] = (byte) random.nextInt();
            }
            try {
                CaptureFile file = CaptureFile.open(file(damaged), PacketFormat.AND_RAW);
                for (CaptureSession session : file.survey().sessions()) {
                    assertThat(ReplayedSession.session(file, session).bytes.length)
                            .as("seed " + seed)
                            .isEqualTo((int) session.bytes());
                }
            } catch (CaptureException e) {
                assertThat(e.offset()).as("seed " + seed).isBetween(0L, (long) good.length);
            }
        }
    }

    @Test
    void aDamagedGzipIsAnError() throws Exception {
        byte[] packed = PcapBuilder.gzip(STREAM);
        packed[packed.length - 8] ^= 1;
        ReplayedSession session = ReplayedSession.session(file(packed), 0);

        assertThat(session.bytes).isEqualTo(STREAM);
        assertThat(session.failure.reason()).startsWith("damaged gzip data");
    }
}
