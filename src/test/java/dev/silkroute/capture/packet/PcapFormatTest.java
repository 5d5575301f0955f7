package dev.silkroute.capture.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.CaptureSession;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a stream yields the same bytes in every variant of the pcap format. */
class PcapFormatTest {
    private static final byte[] STREAM = BmpStreams.stream(20, 1);

    @TempDir
    Path folder;

    private PcapBuilder session(PcapBuilder pcap) {
        pcap.syn(1000);
        int from = 0;
        for (int to = 7; from < STREAM.length; to += 700) {
            int end = Math.min(to, STREAM.length);
            pcap.data(1001 + from, STREAM, from, end);
            from = end;
        }
        return pcap.fin(1001 + STREAM.length);
    }

    private void holdsTheStream(Path file) throws CaptureException {
        ReplayedSession session = ReplayedSession.session(file, 0);
        assertThat(session.failure).isNull();
        assertThat(session.bytes).isEqualTo(STREAM);
    }

    @ParameterizedTest
    @CsvSource({"LITTLE_ENDIAN,false", "LITTLE_ENDIAN,true", "BIG_ENDIAN,false", "BIG_ENDIAN,true"})
    void bothByteOrdersAndBothClocks(String order, boolean nanos) throws Exception {
        PcapBuilder pcap = new PcapBuilder().at(1_700_000_000_123_456L);
        pcap.order(order.startsWith("B") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        Path file = session(nanos ? pcap.nanos() : pcap).write(folder.resolve("a"));

        CaptureFile capture = CaptureFile.open(file, PacketFormat.AND_RAW);

        holdsTheStream(file);
        assertThat(capture.survey().timed()).isTrue();
        // The SYN came a millisecond before the first byte.
        assertThat(capture.survey().startNanos()).isEqualTo(1_700_000_000_124_456_000L);
        assertThat(capture.survey().sessions().getFirst().messages()).isEqualTo(20);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 12, 14, 101, 108, 113, 228, 276})
    void linkTypesWithIpv4(int linkType) throws Exception {
        holdsTheStream(session(new PcapBuilder().linkType(linkType)).write(folder.resolve("a")));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 101, 108, 113, 229, 276})
    void linkTypesWithIpv6(int linkType) throws Exception {
        Path file = session(new PcapBuilder().linkType(linkType).ipv6()).write(folder.resolve("a"));

        holdsTheStream(file);
        assertThat(CaptureFile.open(file, PacketFormat.AND_RAW)
                        .survey()
                        .sessions()
                        .getFirst()
                        .name())
                .isEqualTo("[2001:db8:0:0:0:0:0:1]:20000 > [2001:db8:0:0:0:0:0:2]:11019");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void vlanTags(int tags) throws Exception {
        holdsTheStream(session(new PcapBuilder().vlanTags(tags)).write(folder.resolve("a")));
    }

    @Test
    void aCompressedFileOfAnyNameIsRecognized() throws Exception {
        byte[] packed = PcapBuilder.gzip(session(new PcapBuilder()).bytes());

        holdsTheStream(PcapBuilder.write(folder.resolve("capture.bmp"), packed));
    }

    @Test
    void sessionsAreSeparatedAndOtherPacketsLeftOut() throws Exception {
        byte[] other = BmpStreams.stream(5, 2);
        byte[] http = "GET / HTTP/1.1\r\nHost: station\r\n\r\n".getBytes();
        PcapBuilder pcap = new PcapBuilder();
        pcap.packet(new byte[60]).packet(new byte[3]).from(3000).syn(5).data(6, http, 0, http.length);
        pcap.from(1000).syn(10).from(2000).syn(20);
        pcap.data(21, other, 0, 30)
                .from(1000)
                .data(11, STREAM, 0, 500)
                .from(2000)
                .data(51, other, 30, other.length);
        pcap.from(1000).data(511, STREAM, 500, STREAM.length);

        CaptureFile file = CaptureFile.open(pcap.write(folder.resolve("a")), PacketFormat.AND_RAW);
        List<byte[]> sessions = new ArrayList<>();
        for (CaptureSession session : file.survey().sessions()) {
            sessions.add(ReplayedSession.session(file, session).bytes);
        }

        assertThat(sessions).containsExactly(STREAM, other);
    }

    @Test
    void anotherConnectionBetweenTheSamePortsIsAnotherSession() throws Exception {
        byte[] second = BmpStreams.stream(6, 3);
        PcapBuilder pcap = session(new PcapBuilder());
        pcap.syn(77_000).data(77_001, second, 0, second.length);
        Path file = pcap.write(folder.resolve("a"));

        assertThat(CaptureFile.open(file, PacketFormat.AND_RAW).survey().sessions())
                .hasSize(2);
        holdsTheStream(file);
        assertThat(ReplayedSession.session(file, 1).bytes).isEqualTo(second);
    }

    @Test
    void eachPieceHasTheTimeOfThePacketThatCompletedIt() throws Exception {
        PcapBuilder pcap = new PcapBuilder().syn(0);
        pcap.at(1_000_000).data(1, STREAM, 0, 100);
        pcap.at(2_000_000).data(201, STREAM, 200, 300);
        pcap.at(3_500_000).data(101, STREAM, 100, 200);

        ReplayedSession session = ReplayedSession.session(pcap.write(folder.resolve("a")), 0);

        assertThat(session.times).containsExactly(1_000_000_000L, 3_500_000_000L);
    }
}
