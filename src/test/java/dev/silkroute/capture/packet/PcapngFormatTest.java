package dev.silkroute.capture.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.CaptureSession;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a stream yields the same bytes with pcapng blocks, sections, interfaces and clocks of every kind. */
class PcapngFormatTest {
    private static final byte[] STREAM = BmpStreams.stream(20, 1);
    private static final long SECONDS = 1_700_000_000L;
    private static final int SNAP = 262_144;

    @TempDir
    Path folder;

    /** Returns SYN, stream segments and FIN as frames of the link type. */
    private static List<byte[]> frames(int linkType) {
        PcapBuilder pcap = new PcapBuilder().linkType(linkType).syn(1000);
        int from = 0;
        for (int to = 7; from < STREAM.length; to += 700) {
            int end = Math.min(to, STREAM.length);
            pcap.data(1001 + from, STREAM, from, end);
            from = end;
        }
        return pcap.fin(1001 + STREAM.length).packets();
    }

    private static PcapngBuilder pcapng(ByteOrder order) {
        return new PcapngBuilder().section(order);
    }

    private ReplayedSession holdsTheStream(PcapngBuilder pcapng) throws CaptureException {
        ReplayedSession session = ReplayedSession.session(pcapng.write(folder.resolve("a")), 0);
        assertThat(session.failure).isNull();
        assertThat(session.bytes).isEqualTo(STREAM);
        return session;
    }

    private ReplayedSession session(byte[] file) throws CaptureException {
        return ReplayedSession.session(PcapBuilder.write(folder.resolve("a"), file), 0);
    }

    private CaptureException rejected(PcapngBuilder pcapng) {
        return assertThatExceptionOfType(CaptureException.class)
                .isThrownBy(() -> CaptureFile.open(pcapng.write(folder.resolve("a")), PacketFormat.AND_RAW)
                        .survey())
                .actual();
    }

    @ParameterizedTest
    @ValueSource(strings = {"LITTLE_ENDIAN", "BIG_ENDIAN"})
    void bothByteOrdersAndAllKindsOfPacketBlocks(String order) throws Exception {
        PcapngBuilder pcapng = pcapng(order.startsWith("B") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        pcapng.device(LinkLayer.ETHERNET);
        int at = 0;
        for (byte[] frame : frames(LinkLayer.ETHERNET)) {
            switch (at++ % 3) {
                case 0 -> pcapng.enhanced(0, SECONDS * 1_000_000 + at, frame);
                case 1 -> pcapng.old(0, SECONDS * 1_000_000 + at, frame);
                default -> pcapng.simple(frame, frame.length);
            }
        }

        holdsTheStream(pcapng);
    }

    @Test
    void otherBlocksAreSkipped() throws Exception {
        PcapngBuilder pcapng = pcapng(ByteOrder.LITTLE_ENDIAN).other(0x0bad, 40).device(LinkLayer.ETHERNET);
        for (byte[] frame : frames(LinkLayer.ETHERNET)) {
            // Name resolution, statistics, TLS secrets larger than any packet, custom, and an unassigned type.
            pcapng.other(4, 64)
                    .other(5, 32)
                    .other(10, 100)
                    .other(0x4000_0bad, 8)
                    .other(0x7fff_ffff, 0);
            pcapng.enhanced(0, SECONDS * 1_000_000, frame);
        }

        holdsTheStream(pcapng.other(10, 5 << 20));
    }

    @Test
    void aSessionMaySpanInterfacesOfDifferentLinkTypesAndClocks() throws Exception {
        PcapngBuilder pcapng = pcapng(ByteOrder.LITTLE_ENDIAN);
        pcapng.device(LinkLayer.ETHERNET).device(LinkLayer.LINUX_SLL2, SNAP, PcapngBuilder.NANOS, 0);
        List<byte[]> ethernet = frames(LinkLayer.ETHERNET);
        List<byte[]> cooked = frames(LinkLayer.LINUX_SLL2);
        for (int i = 0; i < ethernet.size(); i++) {
            // Half a second apart, whatever the clock counts in.
            long halves = SECONDS * 2 + i;
            if (i % 2 == 0) {
                pcapng.enhanced(0, halves * 500_000, ethernet.get(i));
            } else {
                pcapng.enhanced(1, halves * 500_000_000, cooked.get(i));
            }
        }

        ReplayedSession session = holdsTheStream(pcapng);

        for (int i = 0; i < session.times.size(); i++) {
            assertThat(session.times.get(i)).isEqualTo(SECONDS * 1_000_000_000 + (i + 1) * 500_000_000L);
        }
    }

    @Test
    void eachSectionHasItsOwnByteOrderAndInterfaces() throws Exception {
        PcapngBuilder pcapng = pcapng(ByteOrder.BIG_ENDIAN).device(147).device(LinkLayer.ETHERNET);
        List<byte[]> ethernet = frames(LinkLayer.ETHERNET);
        List<byte[]> raw = frames(LinkLayer.RAW);
        for (int i = 0; i < ethernet.size(); i++) {
            if (i == 3) {
                pcapng.section(ByteOrder.LITTLE_ENDIAN).device(LinkLayer.RAW);
            }
            pcapng.enhanced(i < 3 ? 1 : 0, SECONDS * 1_000_000, i < 3 ? ethernet.get(i) : raw.get(i));
        }

        holdsTheStream(pcapng);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 1700000000, 1700000000000000000",
        "3, 0, 1700000000123, 1700000000123000000",
        "6, 0, 1700000000123456, 1700000000123456000",
        "9, 0, 1700000000123456789, 1700000000123456789",
        "10, 0, 17000000001234567891, 1700000000123456789",
        "12, 1700000000, 123456789123, 1700000000123456789",
        "6, 3600, 1700000000123456, 1700003600123456000",
        "6, -3600, 1700000000123456, 1699996400123456000",
        "128, 0, 1700000000, 1700000000000000000",
        // Half a second in 2^-10, 2^-32 and 2^-40.
        "138, 0, 1740800000512, 1700000000500000000",
        "160, 0, 7301444405347483648, 1700000000500000000",
        "168, 1700000000, 549755813888, 1700000000500000000",
    })
    void timesAreConvertedToNanoseconds(int resolution, long offset, String units, long nanos) {
        PcapngInterface device = new PcapngInterface(1, 0, resolution, offset);

        assertThat(device.nanos(Long.parseUnsignedLong(units))).isEqualTo(nanos);
    }

    @Test
    void impossibleClocksAreRejected() {
        assertThat(new PcapngInterface(1, 0, 0, 0).nanos(-1)).isEqualTo(Long.MAX_VALUE);
        assertThat(new PcapngInterface(1, 0, 6, Long.MIN_VALUE).nanos(1)).isNegative();
        assertThat(rejected(pcapng(ByteOrder.LITTLE_ENDIAN).device(1, SNAP, 19, 0)))
                .hasMessageContaining("damaged: a clock of resolution 19");
        assertThat(rejected(pcapng(ByteOrder.LITTLE_ENDIAN).device(1, SNAP, 0x80 | 64, 0)))
                .hasMessageContaining("damaged: a clock of resolution 192");
    }

    @Test
    void simplePacketsHaveNoTimes() throws Exception {
        PcapngBuilder pcapng = pcapng(ByteOrder.LITTLE_ENDIAN).device(LinkLayer.ETHERNET);
        frames(LinkLayer.ETHERNET).forEach(frame -> pcapng.simple(frame, frame.length));

        holdsTheStream(pcapng);

        assertThat(CaptureFile.open(pcapng.write(folder.resolve("a")), PacketFormat.AND_RAW)
                        .survey()
                        .timed())
                .isFalse();
    }

    @Test
    void simplePacketsAreLimitedByTheSnapLength() throws Exception {
        PcapngBuilder pcapng = pcapng(ByteOrder.LITTLE_ENDIAN).device(LinkLayer.ETHERNET, 154, 6, 0);
        PcapBuilder pcap = new PcapBuilder().syn(99).data(100, STREAM, 0, 90).data(190, STREAM, 90, 600);
        for (byte[] frame : pcap.packets()) {
            pcapng.simple(Arrays.copyOf(frame, Math.min(154, frame.length)), frame.length);
        }

        ReplayedSession session = session(pcapng.bytes());

        assertThat(session.bytes).isEqualTo(Arrays.copyOf(STREAM, 190));
        assertThat(session.failure).hasMessageContaining("lacks 410 bytes");
    }

    @Test
    void packetsOfUnsupportedLinkTypesAreCounted() throws Exception {
        List<byte[]> frames = frames(LinkLayer.ETHERNET);
        PcapngBuilder mixed = pcapng(ByteOrder.LITTLE_ENDIAN).device(189).device(LinkLayer.ETHERNET);
        frames.forEach(frame -> mixed.enhanced(0, 1, frame).enhanced(1, 1, frame));
        holdsTheStream(mixed);

        PcapngBuilder unknown = pcapng(ByteOrder.LITTLE_ENDIAN).device(189);
        int first = unknown.length();
        frames.forEach(frame -> unknown.enhanced(0, 1, frame));
        CaptureException rejected = rejected(unknown);
        assertThat(rejected.offset()).isEqualTo(first);
        assertThat(rejected.reason())
                .startsWith("no BMP session in " + frames.size() + " packets, of which " + frames.size()
                        + " cannot be read: link type 189 is not one that can be read");
    }

    @Test
    void anInvalidFileIsRejectedWithItsOffset() {
        PcapngBuilder pcapng = pcapng(ByteOrder.BIG_ENDIAN).device(LinkLayer.ETHERNET);
        int place = pcapng.length();
        assertThat(rejected(pcapng.enhanced(1, 0, new byte[60])))
                .hasMessageEndingWith("offset " + place + ": damaged: a packet of interface 1 in a section with 1");
        assertThat(rejected(pcapng(ByteOrder.BIG_ENDIAN).simple(new byte[60], 60)))
                .hasMessageContaining("a packet of interface 0 in a section with 0");
        assertThat(rejected(pcapng(ByteOrder.BIG_ENDIAN).device(1).other(6, 8)))
                .hasMessageContaining("a packet block of 8 bytes");
        assertThat(rejected(pcapng(ByteOrder.BIG_ENDIAN).device(1).other(6, 3 << 20)))
                .hasMessageContaining("a block of 3145740 bytes is impossible");
        assertThat(rejected(pcapng(ByteOrder.BIG_ENDIAN))).hasMessageContaining("no BMP session in 0 packets");
    }

    @Test
    void aTruncatedFileIsReplayedUpToTheTruncation() throws Exception {
        PcapngBuilder pcapng = pcapng(ByteOrder.LITTLE_ENDIAN).device(LinkLayer.ETHERNET);
        List<byte[]> packets = new PcapBuilder()
                .syn(9)
                .data(10, STREAM, 0, 1000)
                .data(1010, STREAM, 1000, 2000)
                .packets();
        pcapng.enhanced(0, 1, packets.get(0)).enhanced(0, 2, packets.get(1));
        int last = pcapng.length();
        byte[] whole = pcapng.enhanced(0, 3, packets.get(2)).bytes();

        for (int cut = last + 1; cut < whole.length; cut++) {
            ReplayedSession session = session(Arrays.copyOf(whole, cut));

            assertThat(session.bytes).isEqualTo(Arrays.copyOf(STREAM, 1000));
            assertThat(session.failure.offset()).isEqualTo(last);
            assertThat(session.failure.reason()).startsWith("truncated: a block");
        }
    }

    /** A damaged capture is either read or rejected with a CaptureException. */
    @Test
    void aDamagedFileIsReadOrRejected() {
        PcapngBuilder pcapng = pcapng(ByteOrder.LITTLE_ENDIAN).device(LinkLayer.ETHERNET, SNAP, 6, 0);
        for (byte[] frame : frames(LinkLayer.ETHERNET)) {
            pcapng.enhanced(0, 5, frame).other(5, 20);
        }
        byte[] good = pcapng.bytes();
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            byte[] damaged = good.clone();
            for (int i = 0; i <= seed % 10; i++) {
                damaged[4 + random.nextInt((i & 1) == 0 ? 120 : good.length - 4)] = (byte) random.nextInt();
            }
            try {
                CaptureFile file =
                        CaptureFile.open(PcapBuilder.write(folder.resolve("a"), damaged), PacketFormat.AND_RAW);
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
}
