package dev.silkroute.capture.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.capture.CaptureException;
import java.nio.ByteBuffer;
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

/** Tests TCP segments in fragmented IPv4 and IPv6 packets. */
class IpFragmentsTest {
    private static final byte[] STREAM = BmpStreams.stream(40, 4);
    private static final int IPV4_HEADER = 20;

    /** The IPv6 header and the destination options that the builder writes. */
    private static final int IPV6_HEADERS = 48;

    @TempDir
    Path folder;

    /** Returns the packets of a session, with link type raw IP. */
    private static List<byte[]> packets(boolean ipv6) {
        PcapBuilder pcap = new PcapBuilder().linkType(LinkLayer.RAW);
        pcap = ipv6 ? pcap.ipv6() : pcap;
        pcap.syn(99);
        for (int from = 0; from < STREAM.length; from += 900) {
            pcap.data(100 + from, STREAM, from, Math.min(STREAM.length, from + 900));
        }
        return pcap.fin(100 + STREAM.length).packets();
    }

    /** Splits a packet into fragments with the given number of payload bytes. */
    private static List<byte[]> fragments(byte[] packet, boolean ipv6, int id, int size) {
        int header = ipv6 ? IPV6_HEADERS : IPV4_HEADER;
        List<byte[]> fragments = new ArrayList<>();
        for (int at = header; at < packet.length; at += size) {
            int end = Math.min(packet.length, at + size);
            boolean more = end < packet.length;
            ByteBuffer fragment = ByteBuffer.allocate(header + 8 + end - at).put(packet, 0, header);
            if (ipv6) {
                fragment.put((byte) 6)
                        .put((byte) 0)
                        .putShort((short) (at - header | (more ? 1 : 0)))
                        .putInt(id);
                // The options before the fragment header name it; lengths are without the first 40 bytes.
                fragment.put(40, (byte) 44).putShort(4, (short) (header - 40 + 8 + end - at));
            } else {
                fragment.putShort(2, (short) (header + end - at)).putShort(4, (short) id);
                fragment.putShort(6, (short) ((at - header) / 8 | (more ? 0x2000 : 0)));
            }
            fragment.put(packet, at, end - at);
            fragments.add(Arrays.copyOf(fragment.array(), fragment.position()));
        }
        return fragments;
    }

    private ReplayedSession replay(List<byte[]> packets) throws CaptureException {
        PcapBuilder pcap = new PcapBuilder().linkType(LinkLayer.RAW);
        packets.forEach(pcap::packet);
        return ReplayedSession.session(pcap.write(folder.resolve("a")), 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fragmentsInAnyOrderAndRepeatedAreReassembled(boolean ipv6) throws Exception {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            List<byte[]> all = new ArrayList<>();
            int id = 0;
            for (byte[] packet : packets(ipv6)) {
                List<byte[]> fragments = fragments(packet, ipv6, id++, 8 * (1 + random.nextInt(60)));
                fragments.add(fragments.get(random.nextInt(fragments.size())));
                Collections.shuffle(fragments.subList(0, fragments.size() - 1), random);
                all.addAll(fragments);
            }

            ReplayedSession session = replay(all);

            assertThat(session.failure).as("seed " + seed).isNull();
            assertThat(session.bytes).as("seed " + seed).isEqualTo(STREAM);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void fragmentsOfOtherPacketsAreKeptApart(boolean ipv6) throws Exception {
        List<byte[]> packets = packets(ipv6);
        List<byte[]> first = fragments(packets.get(1), ipv6, 1, 400);
        List<byte[]> second = fragments(packets.get(2), ipv6, 2, 400);
        List<byte[]> all = new ArrayList<>(List.of(packets.get(0), first.get(0), second.get(0), second.get(1)));
        all.addAll(first.subList(1, first.size()));
        all.addAll(second.subList(2, second.size()));
        all.addAll(packets.subList(3, packets.size()));

        assertThat(replay(all).bytes).isEqualTo(STREAM);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMissingFragmentIsAGap(boolean ipv6) throws Exception {
        List<byte[]> packets = packets(ipv6);
        List<byte[]> all = new ArrayList<>(packets.subList(0, 3));
        all.addAll(fragments(packets.get(3), ipv6, 1, 400).subList(1, 3));
        all.addAll(packets.subList(4, packets.size()));

        ReplayedSession session = replay(all);

        assertThat(session.bytes).isEqualTo(Arrays.copyOf(STREAM, 1800));
        assertThat(session.failure).hasMessageContaining("lacks 900 bytes");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aReusedIdentificationIsAnotherPacket(boolean ipv6) throws Exception {
        List<byte[]> packets = packets(ipv6);
        PcapBuilder pcap = new PcapBuilder().linkType(LinkLayer.RAW).at(1_700_000_000_000_000L);
        pcap.packet(packets.get(0));
        pcap.packet(fragments(packets.get(1), ipv6, 7, 400).getFirst());
        pcap.packet(packets.get(1));
        pcap.at(1_700_000_061_000_000L);
        fragments(packets.get(2), ipv6, 7, 400).forEach(pcap::packet);
        packets.subList(3, packets.size()).forEach(pcap::packet);

        ReplayedSession session = ReplayedSession.session(pcap.write(folder.resolve("a")), 0);

        assertThat(session.failure).isNull();
        assertThat(session.bytes).isEqualTo(STREAM);
    }

    @Test
    void incompletePacketsAreBounded() {
        IpFragments fragments = new IpFragments();
        byte[] piece = new byte[8];
        for (int id = 0; id <= 128; id++) {
            assertThat(fragments.add(key(id), 0, true, piece, 0, 8, 0)).isNull();
        }

        assertThat(fragments.add(key(128), 8, false, piece, 0, 5, 0)).hasSize(13);
        assertThat(fragments.add(key(0), 8, false, piece, 0, 5, 0)).isNull();
    }

    @Test
    void impossibleFragmentsAreIgnored() {
        IpFragments fragments = new IpFragments();
        byte[] piece = new byte[65_535];
        assertThat(fragments.add(key(1), 0, true, piece, 0, 12, 0)).isNull();
        assertThat(fragments.add(key(1), 65_528, false, piece, 0, 8, 0)).isNull();
        assertThat(fragments.add(key(1), 0, false, piece, 9, 9, 0)).isNull();
        assertThat(fragments.add(key(1), 0, true, piece, 0, 16, 0)).isNull();
        // The first fragment without more fragments determines the end.
        assertThat(fragments.add(key(1), 24, false, piece, 0, 8, 0)).isNull();
        assertThat(fragments.add(key(1), 16, false, piece, 0, 8, 0)).hasSize(32);
    }

    private static IpFragments.Key key(int id) {
        return new IpFragments.Key(false, 0, 1, 0, 2, id);
    }
}
