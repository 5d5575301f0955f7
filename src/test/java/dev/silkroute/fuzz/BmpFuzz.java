package dev.silkroute.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.FrameScanner;
import dev.silkroute.bmp.InformationTlvs;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.PeerDown;
import dev.silkroute.bmp.PeerUp;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.bmp.RouteMirroring;
import dev.silkroute.bmp.StatisticsReport;
import dev.silkroute.bmp.Tlv;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.DecodeException;
import java.util.ArrayList;
import java.util.List;

/** Fuzzes BMP framing, headers and bodies. */
class BmpFuzz {
    private static final int MAX_FRAME = 4096;

    private final PerPeerHeader header = new PerPeerHeader();
    private final UpdateDecoder decoder = new UpdateDecoder();

    /** Input: a stream. However it is divided, it yields the same messages and the same error. */
    @FuzzTest(maxDuration = "1m")
    void frames(byte[] input) {
        FrameScanner whole = new FrameScanner(MAX_FRAME);
        whole.scan(input, 0, input.length);
        FrameScanner pieces = new FrameScanner(MAX_FRAME);
        int end = 0;
        int messages = 0;
        for (int filled = 1; filled <= input.length && pieces.fault() == null; filled++) {
            pieces.scan(input, end, filled);
            end = pieces.end();
            messages += pieces.messages();
        }
        assertThat(end).isEqualTo(whole.end()).isBetween(0, input.length);
        assertThat(messages).isEqualTo(whole.messages());
        assertThat(pieces.fault()).isEqualTo(whole.fault());
        assertThat(pieces.faultOffset()).isEqualTo(whole.faultOffset());
    }

    /** Input: message type, then the message without its common header. */
    @FuzzTest(maxDuration = "2m")
    void body(byte[] input) {
        MessageType type = input.length == 0 ? null : MessageType.of((input[0] & 0xFF) % 8);
        if (type == null) {
            return;
        }
        ByteSink sink = new ByteSink();
        sink.u8(BmpMessages.VERSION)
                .u32(input.length + BmpMessages.COMMON_HEADER_LENGTH - 1)
                .u8(type.code())
                .bytes(input, 1, input.length);
        byte[] message = sink.toByteArray();
        try {
            int body = BmpMessages.COMMON_HEADER_LENGTH;
            if (type.hasPerPeerHeader()) {
                header.read(message, body, message.length);
                assertThat(header.view()).isNotNull();
                assertThat(PerPeerHeader.peerTypeText(header.peerType())).isNotEmpty();
                body = BmpMessages.PEER_BODY;
            }
            read(type, message, body);
        } catch (DecodeException e) {
            Reading.inside(e, 0, message.length);
        }
    }

    private void read(MessageType type, byte[] b, int body) {
        switch (type) {
            case ROUTE_MONITORING -> Reading.update(decoder, b, body, b.length, Reading.context(b[body - 1]));
            case STATISTICS_REPORT -> {
                StatisticsReport report = StatisticsReport.decode(b, body, b.length, BmpMessages.VERSION);
                report.statistics().forEach(one -> assertThat(one.name()).isNotEmpty());
                int bytes = 4;
                for (var statistic : report.statistics()) {
                    bytes += 4 + statistic.rawHex().length() / 2;
                }
                assertThat(bytes).isEqualTo(b.length - body);
            }
            case PEER_DOWN -> {
                PeerDown down = PeerDown.decode(b, body, b.length, BmpMessages.VERSION);
                assertThat(down.reasonText()).isNotEmpty();
                assertThat(down.data().length()).isEqualTo(b.length - body - 1);
                down.tlvs();
                down.fsmEvent();
                down.notification();
            }
            case PEER_UP -> {
                PeerUp up = PeerUp.decode(b, body, b.length, header.ipv6(), BmpMessages.VERSION);
                assertThat(up.localAddressText()).isNotEmpty();
                Reading.json(up.capabilitiesJson(up.capabilities(false)));
                Reading.json(up.capabilitiesJson(up.capabilities(true)));
            }
            case INITIATION, TERMINATION -> {
                InformationTlvs information = InformationTlvs.decode(b, body, b.length, BmpMessages.VERSION);
                information.sysName();
                information.tlvs().forEach(Tlv::text);
                int bytes = 0;
                for (var tlv : information.tlvs()) {
                    bytes += 4 + tlv.value().length();
                }
                assertThat(bytes).isEqualTo(b.length - body);
            }
            case ROUTE_MIRRORING -> mirrored(b, RouteMirroring.decode(b, body, b.length, BmpMessages.VERSION), body);
        }
    }

    private void mirrored(byte[] b, RouteMirroring mirroring, int body) {
        List<Integer> ends = new ArrayList<>(List.of(body));
        for (RouteMirroring.Entry entry : mirroring.entries()) {
            assertThat(entry.from()).isEqualTo(ends.getLast() + 4);
            assertThat(entry.name()).isNotEmpty();
            Reading.update(decoder, b, entry.from(), entry.to(), Reading.context(0));
            ends.add(entry.to());
        }
        assertThat(ends.getLast()).isEqualTo(b.length);
    }
}
