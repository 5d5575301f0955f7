package dev.silkroute.capture.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.CaptureSession;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests reassembly of TCP streams as networks, capture programs and rewriting tools leave them. */
class TcpReassemblyTest {
    private static final byte[] STREAM = BmpStreams.stream(40, 4);
    private static final int LENGTH = STREAM.length;

    @TempDir
    Path folder;

    private ReplayedSession replay(PcapBuilder pcap) throws CaptureException {
        return ReplayedSession.session(pcap.write(folder.resolve("a.pcap")), 0);
    }

    private void yieldsTheStream(PcapBuilder pcap) throws CaptureException {
        ReplayedSession session = replay(pcap);
        assertThat(session.failure).isNull();
        assertThat(session.bytes).isEqualTo(STREAM);
    }

    @Test
    void segmentsOutOfOrderAreReordered() throws Exception {
        PcapBuilder pcap = new PcapBuilder().syn(99);
        pcap.data(100 + 2000, STREAM, 2000, LENGTH).data(100 + 500, STREAM, 500, 2000);
        yieldsTheStream(pcap.data(100, STREAM, 0, 500));
    }

    @Test
    void overlappingRetransmissionsAreMerged() throws Exception {
        PcapBuilder pcap = new PcapBuilder().syn(99).data(100, STREAM, 0, 500);
        pcap.data(100, STREAM, 0, 500).data(100 + 300, STREAM, 300, 900);
        pcap.data(100 + 1500, STREAM, 1500, 2000).data(100 + 1500, STREAM, 1500, 1600);
        pcap.data(100 + 1400, STREAM, 1400, 2500).data(100 + 200, STREAM, 200, 1450);
        yieldsTheStream(pcap.data(100 + 2400, STREAM, 2400, LENGTH).fin(100 + LENGTH));
    }

    @Test
    void aContradictingSegmentDoesNotChangeDeliveredBytes() throws Exception {
        PcapBuilder pcap = new PcapBuilder().syn(99).data(100, STREAM, 0, 500);
        pcap.data(100, new byte[500], 0, 500);
        yieldsTheStream(pcap.data(100 + 500, STREAM, 500, LENGTH));
    }

    @Test
    void sequenceNumbersMayWrap() throws Exception {
        PcapBuilder pcap = new PcapBuilder().syn(-701);
        pcap.data(-700, STREAM, 0, 600).data(100, STREAM, 800, LENGTH);
        yieldsTheStream(pcap.data(-100, STREAM, 600, 800));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void segmentsInAnyOrderWithAnyOverlapAreReassembled(long seed) throws Exception {
        Random random = new Random(seed);
        List<int[]> pieces = new ArrayList<>();
        for (int from = 0; from < LENGTH; ) {
            int to = Math.min(LENGTH, from + 1 + random.nextInt(400));
            pieces.add(new int[] {Math.max(0, from - random.nextInt(300)), to});
            from = to;
        }
        Collections.shuffle(pieces, random);
        int sequence = random.nextInt();
        PcapBuilder pcap = new PcapBuilder().syn(sequence - 1);
        pieces.forEach(piece -> pcap.data(sequence + piece[0], STREAM, piece[0], piece[1]));
        yieldsTheStream(pcap);
    }

    @Test
    void theFirstByteMayHaveTheNumberOfTheSyn() throws Exception {
        PcapBuilder pcap = new PcapBuilder().syn(3200).data(3200, STREAM, 0, 400);
        yieldsTheStream(pcap.data(3600, STREAM, 400, LENGTH).fin(3200 + LENGTH));
    }

    @Test
    void theFirstByteMayHaveTheNumberOfTheSynOutOfOrder() throws Exception {
        PcapBuilder pcap = new PcapBuilder().syn(3200).data(3600, STREAM, 400, LENGTH);
        yieldsTheStream(pcap.data(3200, STREAM, 0, 400));
    }

    @Test
    void aKeepaliveProbeIsNotData() throws Exception {
        PcapBuilder pcap = new PcapBuilder().syn(3200).segment(3200, PcapBuilder.ACK, new byte[1]);
        yieldsTheStream(pcap.data(3201, STREAM, 0, LENGTH));
    }

    @Test
    void aSynWithDataMayOccupyNoNumber() throws Exception {
        PcapBuilder pcap = new PcapBuilder();
        pcap.segment(1, PcapBuilder.SYN, Arrays.copyOf(STREAM, 210));
        yieldsTheStream(pcap.data(211, STREAM, 210, 900).data(901, STREAM, 900, LENGTH));
    }

    @Test
    void aSynMayCarryData() throws Exception {
        PcapBuilder pcap = new PcapBuilder();
        pcap.segment(50, PcapBuilder.SYN, Arrays.copyOf(STREAM, 100));
        yieldsTheStream(pcap.data(151, STREAM, 100, LENGTH));
    }

    @Test
    void aRetransmittedSynIsNotAnotherConnection() throws Exception {
        PcapBuilder pcap = new PcapBuilder().syn(99).data(100, STREAM, 0, 500).syn(99);
        yieldsTheStream(pcap.data(600, STREAM, 500, LENGTH));
    }

    @Test
    void aCaptureMayStartBetweenTwoMessages() throws Exception {
        yieldsTheStream(new PcapBuilder().data(7000, STREAM, 0, 900).data(7900, STREAM, 900, LENGTH));
    }

    @Test
    void aCaptureMayStartAmongReorderedSegments() throws Exception {
        PcapBuilder pcap = new PcapBuilder().data(7900, STREAM, 900, 1500).data(7000, STREAM, 0, 900);
        yieldsTheStream(pcap.data(8500, STREAM, 1500, LENGTH));
    }

    @Test
    void aCaptureMayStartInTheMiddleOfAMessage() throws Exception {
        // The Initiation has 40 bytes: the first whole message after byte 5 begins at 40.
        PcapBuilder pcap = new PcapBuilder().data(7005, STREAM, 5, 300).data(7300, STREAM, 300, LENGTH);
        Path file = pcap.write(folder.resolve("a.pcap"));

        CaptureSession session =
                CaptureFile.open(file, PacketFormat.AND_RAW).survey().sessions().getFirst();

        assertThat(session.skipped()).isEqualTo(35);
        assertThat(session.messages()).isEqualTo(39);
        assertThat(ReplayedSession.session(file, 0).bytes).isEqualTo(Arrays.copyOfRange(STREAM, 40, LENGTH));
    }

    @Test
    void aMissingSegmentEndsTheSessionThere() throws Exception {
        PcapBuilder pcap = new PcapBuilder().syn(99).data(100, STREAM, 0, 500);
        int packet = pcap.bytes().length;
        ReplayedSession session =
                replay(pcap.data(100 + 800, STREAM, 800, LENGTH).fin(100 + LENGTH));

        assertThat(session.bytes).isEqualTo(Arrays.copyOf(STREAM, 500));
        assertThat(session.failure.offset()).isEqualTo(packet);
        assertThat(session.failure.reason())
                .isEqualTo("the capture lacks 300 bytes of 192.0.2.1:20000 > 192.0.2.2:11019 after the first 500"
                        + " of that TCP stream");
    }

    @Test
    void missingBytesAtTheEndAreAGap() throws Exception {
        ReplayedSession session =
                replay(new PcapBuilder().syn(99).data(100, STREAM, 0, 500).fin(100 + LENGTH));

        assertThat(session.bytes).hasSize(500);
        assertThat(session.failure).hasMessageContaining("lacks " + (LENGTH - 500) + " bytes");
    }

    @Test
    void packetsCutByTheSnapLengthAreGaps() throws Exception {
        PcapBuilder pcap = new PcapBuilder().snapLength(154).syn(99).data(100, STREAM, 0, 90);
        ReplayedSession session = replay(pcap.data(190, STREAM, 90, 500).data(600, STREAM, 500, 590));

        assertThat(session.bytes).isEqualTo(Arrays.copyOf(STREAM, 190));
        assertThat(session.failure).hasMessageContaining("lacks 310 bytes");
    }

    @Test
    void thePayloadOfAResetIsNotData() throws Exception {
        byte[] reason = "peer is no longer known".getBytes(StandardCharsets.US_ASCII);
        PcapBuilder pcap = new PcapBuilder().syn(99).data(100, STREAM, 0, LENGTH);
        yieldsTheStream(pcap.segment(100 + LENGTH, PcapBuilder.RST, reason));
    }

    @Test
    void heldBytesAreBounded() {
        ReassemblyLimit limit = new ReassemblyLimit(10_000, 15_000);

        TcpStream one = heldBack(limit);
        TcpStream two = heldBack(limit);

        assertThat(one.gap()).isEqualTo(new TcpStream.Gap(0, 100, 1));
        assertThat(two.gap()).isEqualTo(new TcpStream.Gap(0, 100, 1));
        assertThat(limit.held()).isZero();
    }

    private static TcpStream heldBack(ReassemblyLimit limit) {
        TcpSegment segment = new TcpSegment();
        byte[] syn = packet(new PcapBuilder().linkType(LinkLayer.RAW).syn(0));
        segment.read(LinkLayer.RAW, syn, syn.length, 0);
        TcpStream stream = new TcpStream(segment, limit, (bytes, from, to) -> {
            throw new AssertionError("nothing is in order here");
        });
        for (int i = 1; stream.gap() == null && i < 1000; i++) {
            byte[] packet = packet(new PcapBuilder().linkType(LinkLayer.RAW).data(1 + i * 100, STREAM, 0, 100));
            assertThat(segment.read(LinkLayer.RAW, packet, packet.length, 0)).isTrue();
            stream.add(segment, i);
            assertThat(limit.held()).isLessThanOrEqualTo(10_000);
        }
        return stream;
    }

    private static byte[] packet(PcapBuilder pcap) {
        byte[] file = pcap.bytes();
        return Arrays.copyOfRange(file, 24 + 16, file.length);
    }
}
