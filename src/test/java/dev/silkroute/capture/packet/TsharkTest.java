package dev.silkroute.capture.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.open.AddPathMode;
import dev.silkroute.bgp.open.Capabilities;
import dev.silkroute.bgp.open.Capability;
import dev.silkroute.bgp.open.MoreCapabilities;
import dev.silkroute.bgp.open.OpenEncoder;
import dev.silkroute.bgp.update.RandomUpdates;
import dev.silkroute.bgp.update.UpdateEncoder;
import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.PeerHeader;
import dev.silkroute.fixture.Programs;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.LoadRouter;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks our encoders with Wireshark's decoder, if {@code tshark} is installed. */
class TsharkTest {
    private static final PeerHeader PEER =
            new PeerHeader(0, 0, 0, 0, 0xC000_0202L, 64500, 0x0A00_0002, 1_700_000_000_000_000L);

    /** After the SYN, the Initiation and six Peer Ups. */
    private static final int LOC_RIB_PEER_UP = 9;

    @TempDir
    private Path folder;

    @BeforeEach
    void requireTshark() {
        Programs.assumeOnPath("tshark");
    }

    @Test
    void wiresharkAcceptsEncodedMessages() throws Exception {
        // Given: a BMP session of OPENs, random UPDATEs and End-of-RIBs
        ByteSink stream = new ByteSink();
        BmpEncoder.initiation("router", "made up", stream);
        Bytes open = open();
        BmpEncoder.peerUp(PEER, 0, 0xC000_0201L, 179, 20_000, open, open, List.of(), stream);
        int updates = 400;
        for (long seed = 0; seed < updates; seed++) {
            byte[] update = new RandomUpdates(seed).next(true, false).update();
            BmpEncoder.routeMonitoring(PEER, update, 0, update.length, stream);
        }
        ByteSink end = new ByteSink();
        UpdateEncoder encoder = new UpdateEncoder(end, true, false);
        for (int family : RandomUpdates.families()) {
            end.reset();
            encoder.endOfRib(family);
            BmpEncoder.routeMonitoring(PEER, end.array(), 0, end.position(), stream);
        }

        // When
        Path pcap = pcap(stream);
        List<String> complaints = complaints(pcap);
        List<String> types = tshark(pcap, "-Y", "bmp", "-T", "fields", "-e", "bmp.type");

        // Then
        assertThat(complaints).isEmpty();
        assertThat(types.stream()
                        .flatMap(line -> Arrays.stream(line.split(",")))
                        .collect(Collectors.groupingBy(type -> type, Collectors.counting())))
                .isEqualTo(Map.of("4", 1L, "3", 1L, "0", (long) updates + RandomUpdates.families().length));
    }

    /**
     * Every family by itself, in all views, with statistics, Peer Downs and a Termination.
     *
     * <p>What Wireshark 4.0 does not support is left out: path identifiers of other families than unicast, and
     * two-octet AS numbers in messages that could be read both ways, for which it has its own heuristic. Of the Peer Up
     * of the Loc-RIB it passes all bytes after the ports to its BGP dissector, which fails at the table name after the
     * OPENs, where RFC 7854, Section 4.10 and RFC 9069, Section 5.2.1 have it.
     */
    @ParameterizedTest
    @MethodSource("loads")
    void wiresharkAcceptsGeneratedLoad(int family, int paths) throws Exception {
        // Given
        LoadRouter router = TestLoad.of(1, 6, 40)
                .families(family)
                .views(EnumSet.allOf(RibView.class))
                .paths(paths)
                .changes(500)
                .down(true)
                .router();
        ByteSink stream = new ByteSink();
        while (router.next(stream) > 0) {}

        // When
        Path pcap = pcap(stream);
        List<String> complaints = complaints(pcap);
        List<String> types = tshark(pcap, "-Y", "bmp", "-T", "fields", "-e", "bmp.type");

        // Then
        assertThat(complaints).hasSize(1).first().asString().startsWith(LOC_RIB_PEER_UP + "\t[Malformed Packet: BGP]");
        assertThat(types).hasSize((int) router.messages());
    }

    static Stream<Arguments> loads() {
        return Stream.concat(
                LoadProfile.FAMILIES.stream().map(family -> arguments(family, 0)),
                Stream.of(Family.IPV4_UNICAST, Family.IPV6_UNICAST).map(family -> arguments(family, 2)));
    }

    private static Bytes open() {
        List<Capability> capabilities = new ArrayList<>();
        for (int family : RandomUpdates.families()) {
            capabilities.add(Capabilities.multiprotocol(family));
        }
        capabilities.add(Capabilities.multiprotocol(Family.IPV4_UNICAST));
        capabilities.add(Capabilities.routeRefresh());
        capabilities.add(MoreCapabilities.enhancedRouteRefresh());
        capabilities.add(Capabilities.extendedMessage());
        capabilities.add(Capabilities.extendedNextHop(List.of(Family.IPV4_UNICAST)));
        capabilities.add(MoreCapabilities.gracefulRestart(false, 120, List.of(Family.IPV4_UNICAST)));
        capabilities.add(MoreCapabilities.longLivedGracefulRestart(Map.of(Family.VPNV4, 3600)));
        capabilities.add(Capabilities.addPath(Map.of(Family.EVPN, AddPathMode.RECEIVE)));
        capabilities.add(MoreCapabilities.role(3));
        capabilities.add(MoreCapabilities.fqdn("router", "example.net"));
        capabilities.add(Capabilities.fourOctetAs(64500));
        ByteSink out = new ByteSink();
        OpenEncoder.write(64500, 180, 0x0A00_0001, capabilities, out);
        return Bytes.of(out.toByteArray());
    }

    /**
     * Puts each message into its own segment, because Wireshark 4.0 applies what it learns from an UPDATE to others in
     * the same packet.
     */
    private Path pcap(ByteSink stream) {
        PcapBuilder pcap = new PcapBuilder().syn(0);
        byte[] bytes = stream.toByteArray();
        int to;
        for (int at = 0; at < bytes.length; at = to) {
            to = at + BmpMessages.length(bytes, at);
            pcap.data(1 + at, bytes, at, to);
        }
        return pcap.write(folder.resolve("session.pcap"));
    }

    private List<String> complaints(Path pcap) throws IOException, InterruptedException {
        return tshark(
                pcap,
                "-Y",
                "_ws.malformed || (bmp && _ws.expert.severity >= 0x600000)",
                "-T",
                "fields",
                "-e",
                "frame.number",
                "-e",
                "_ws.malformed",
                "-e",
                "_ws.expert.message");
    }

    private List<String> tshark(Path pcap, String... options) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("tshark", "-n", "-d", "tcp.port==11019,bmp", "-r", pcap.toString()));
        command.addAll(List.of(options));
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(folder.resolve("errors").toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue())
                    .as(Files.readString(folder.resolve("errors")))
                    .isZero();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(output, StandardCharsets.UTF_8);
        return text.lines().filter(line -> !line.isBlank()).toList();
    }
}
