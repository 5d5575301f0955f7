package dev.silkroute.bmp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decodes messages of real routers and encodes them again: the bytes must be the same. */
class BmpEncoderTest {
    private final PerPeerHeader header = new PerPeerHeader();

    @ParameterizedTest
    @ValueSource(strings = {"gobgp-all", "gobgp-mirror", "frr-noap", "bird-noap"})
    void encodingADecodedMessageGivesTheSameBytes(String name) {
        // Given
        Capture capture = Capture.of(name);
        List<Integer> boundaries = capture.boundaries();
        ByteSink sink = new ByteSink();
        List<MessageType> written = new ArrayList<>();

        // When, then
        for (int n = 0; n + 1 < boundaries.size(); n++) {
            byte[] message = Arrays.copyOfRange(capture.stream(), boundaries.get(n), boundaries.get(n + 1));
            sink.reset();
            MessageType type = again(message, sink);
            if (type != null) {
                written.add(type);
                assertThat(sink.toByteArray()).as("message %d", n).isEqualTo(message);
            }
        }
        assertThat(written)
                .contains(
                        MessageType.ROUTE_MONITORING,
                        MessageType.PEER_UP,
                        MessageType.PEER_DOWN,
                        MessageType.INITIATION);
    }

    private MessageType again(byte[] b, ByteSink out) {
        MessageType type = MessageType.of(BmpMessages.type(b, 0));
        int body = BmpMessages.PEER_BODY;
        switch (type) {
            case ROUTE_MONITORING -> BmpEncoder.routeMonitoring(peer(b), b, body, b.length, out);
            case PEER_DOWN -> {
                PeerDown down = PeerDown.decode(b, body, b.length, BmpMessages.VERSION);
                BmpEncoder.peerDown(peer(b), down.reasonCode(), down.data(), out);
            }
            case PEER_UP -> {
                PeerHeader peer = peer(b);
                PeerUp up = PeerUp.decode(b, body, b.length, header.ipv6(), BmpMessages.VERSION);
                Bytes sent = up.sent().raw();
                Bytes received = up.received().raw();
                BmpEncoder.peerUp(
                        peer,
                        up.localHigh(),
                        up.localLow(),
                        up.localPort(),
                        up.remotePort(),
                        sent,
                        received,
                        up.tlvs(),
                        out);
            }
            case INITIATION, TERMINATION ->
                BmpEncoder.tlvs(
                        type,
                        InformationTlvs.decode(b, BmpMessages.COMMON_HEADER_LENGTH, b.length, BmpMessages.VERSION)
                                .tlvs(),
                        out);
            default -> {
                return null;
            }
        }
        assertThat(BigEndian.i32(out.array(), 1)).isEqualTo(out.position());
        return type;
    }

    private PeerHeader peer(byte[] b) {
        header.read(b, BmpMessages.COMMON_HEADER_LENGTH);
        return new PeerHeader(
                header.peerType(),
                header.flags(),
                header.distinguisher(),
                header.addressHigh(),
                header.addressLow(),
                header.asn(),
                header.bgpId(),
                header.routerTimeMicros());
    }
}
