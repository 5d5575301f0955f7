package dev.silkroute.capture.packet;

import static dev.silkroute.fixture.CollidingKeys.assertKeyed;
import static dev.silkroute.fixture.CollidingKeys.folded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.capture.BmpHeader;
import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureInput;
import dev.silkroute.capture.Flow;
import dev.silkroute.capture.Survey;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the memory bound for streams that are not yet known to be BMP. */
class PacketSurveyTest {
    private static final int STREAMS = 20;
    private static final int OVERALL = 100_000;

    @TempDir
    Path folder;

    /**
     * Returns a stream without a beginning whose second byte looks like the header of a message of nearly maximum
     * length.
     */
    private static byte[] undecided() {
        byte[] stream = new byte[30_000];
        ByteBuffer.wrap(stream)
                .put(1, (byte) 3)
                .putInt(2, BmpHeader.MAX_MESSAGE - 1)
                .put(6, (byte) 1);
        return stream;
    }

    private static PcapBuilder undecided(PcapBuilder pcap, int streams) {
        byte[] stream = undecided();
        for (int from = 0; from < stream.length; from += 1_000) {
            for (int i = 0; i < streams; i++) {
                pcap.from(1_000 + i).data(7_000 + from, stream, from, from + 1_000);
            }
        }
        return pcap;
    }

    private PacketSurvey survey(PcapBuilder pcap, ReassemblyLimit limit) throws CaptureException {
        Path file = pcap.write(folder.resolve("a.pcap"));
        PacketSurvey survey = new PacketSurvey(file, limit);
        try (PacketReader packets = new PcapReader(CaptureInput.open(file))) {
            survey.read(packets);
        }
        return survey;
    }

    @Test
    void streamsThatMayBeBmpShareTheLimit() throws Exception {
        ReassemblyLimit limit = new ReassemblyLimit(OVERALL, OVERALL);
        // A stream that starts with a message is recognized without buffering, however long its segments are.
        byte[] bmp = BmpStreams.stream(200, 4);
        PcapBuilder pcap = undecided(new PcapBuilder(), STREAMS);
        pcap.from(20_000).syn(99).data(100, bmp, 0, bmp.length);

        PacketSurvey survey = survey(pcap, limit);

        assertThat(limit.held()).isPositive().isLessThanOrEqualTo(OVERALL);
        Survey result = survey.result();
        assertThat(result.sessions()).hasSize(1);
        assertThat(result.notes())
                .singleElement()
                .asString()
                .containsPattern("^left out because too many at once may be BMP: 1\\d of the TCP streams");
        assertThat(limit.held()).isZero();
    }

    @Test
    void withoutASessionTheErrorMentionsTheStreamsLeftOut() throws Exception {
        PacketSurvey survey = survey(undecided(new PcapBuilder(), STREAMS), new ReassemblyLimit(OVERALL, OVERALL));
        assertThatThrownBy(survey::result)
                .hasMessageContaining("no BMP session in 600 packets; left out because too many at once may be BMP: 1");
    }

    @Test
    void belowTheLimitNothingIsLeftOut() throws Exception {
        PcapBuilder pcap = undecided(new PcapBuilder(), 2);
        byte[] bmp = BmpStreams.stream(40, 4);
        pcap.from(20_000).data(7005, bmp, 5, 300).data(7300, bmp, 300, bmp.length);
        ReassemblyLimit limit = new ReassemblyLimit(OVERALL, OVERALL);
        Survey result = survey(pcap, limit).result();
        assertThat(result.sessions()).hasSize(1);
        assertThat(result.notes()).singleElement().asString().endsWith("35 bytes are left out");
        assertThat(limit.held()).isZero();
    }

    @Test
    void aStreamThatIsNotBmpHoldsNoMemory() throws Exception {
        ReassemblyLimit limit = new ReassemblyLimit(OVERALL, OVERALL);
        PcapBuilder pcap = new PcapBuilder();
        for (int i = 0; i < 200; i++) {
            for (int from = 0; from < 10_000; from += 1_000) {
                pcap.from(1_000 + i).data(7_000 + from, new byte[1_000], 0, 1_000);
            }
        }
        PacketSurvey survey = survey(pcap, limit);
        assertThat(limit.held()).isLessThan(200 * 10);
        assertThatThrownBy(survey::result).hasMessageEndingWith("no BMP session in 2000 packets");
        assertThat(limit.held()).isZero();
    }

    @Test
    void flowsWhoseUnkeyedHashesAreEqualAreSpread() {
        assertKeyed(i -> new Flow(true, folded(i), folded(i), 1, 0, 1, 2));
        assertKeyed(i -> new Flow(true, 0, 1, 1, folded(i), 0, 2));
    }
}
