package dev.silkroute.bmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriFormat;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever arrives, a decoder succeeds or throws {@link DecodeException}, and what it has accepted can be read to the
 * end.
 */
class DecoderRobustnessTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final UpdateContext PLAIN = UpdateContext.strict(true, AddPathFamilies.NONE);
    private static final UpdateContext PATHS = UpdateContext.strict(
            false,
            AddPathFamilies.of(
                    Family.IPV4_UNICAST, Family.IPV6_UNICAST, Family.VPNV4, Family.EVPN, Family.IPV4_FLOWSPEC));

    private final PerPeerHeader header = new PerPeerHeader();
    private final RouteMonitoring message = new RouteMonitoring();
    private final PathMarkings markings = new PathMarkings();
    private final UpdateDecoder decoder = new UpdateDecoder();
    private final NlriReader reader = new NlriReader();
    private final ByteSink sink = new ByteSink();

    @ParameterizedTest
    @ValueSource(strings = {"gobgp-all", "gobgp-mirror", "frr-malformed", "bird-noap"})
    void everyTruncationIsRejectedOrReadable(String name) {
        // Given
        List<byte[]> messages = messages(name, 5);

        messages.addAll(messages.stream().map(DecoderRobustnessTest::asVersion4).toList());

        // When, then
        for (byte[] message : messages) {
            for (int length = BmpMessages.COMMON_HEADER_LENGTH; length < message.length; length++) {
                decode(Arrays.copyOf(message, length), name + " cut to " + length);
            }
        }
    }

    @Test
    void twentyThousandMutationsAreRejectedOrReadable() {
        // Given
        long seed = 20261121;
        SplittableRandom random = new SplittableRandom(seed);
        List<byte[]> messages = new ArrayList<>();
        for (String name : List.of("gobgp-all", "gobgp-mirror", "frr-malformed", "bird-noap")) {
            messages.addAll(messages(name, 1));
        }

        messages.addAll(messages.stream().map(DecoderRobustnessTest::asVersion4).toList());

        // When, then
        for (int i = 0; i < 20_000; i++) {
            byte[] message = messages.get(random.nextInt(messages.size())).clone();
            int at = random.nextInt(BmpMessages.COMMON_HEADER_LENGTH, message.length);
            message[at] = (byte) random.nextInt(256);
            decode(message, "seed " + seed + ", mutation " + i + " at " + at);
        }
    }

    @Test
    void mirroredMalformedUpdatesHaveOutcomes() {
        // Given
        int faults = 0;

        // When
        for (byte[] message : messages("frr-malformed", 1)) {
            if (MessageType.of(BmpMessages.type(message, 0)) == MessageType.ROUTE_MIRRORING) {
                for (RouteMirroring.Entry entry : RouteMirroring.decode(
                                message, BmpMessages.PEER_BODY, message.length, BmpMessages.VERSION)
                        .entries()) {
                    faults += update(message, entry.from(), entry.to(), PLAIN) ? 0 : 1;
                }
            }
        }

        // Then
        assertThat(faults)
                .as("mirrored messages that are no UPDATE or have outcomes")
                .isPositive();
    }

    private static List<byte[]> messages(String name, int step) {
        Capture capture = Capture.of(name);
        List<Integer> boundaries = capture.boundaries();
        List<byte[]> messages = new ArrayList<>();
        for (int n = 0; n + 1 < boundaries.size(); n += step) {
            messages.add(Arrays.copyOfRange(capture.stream(), boundaries.get(n), boundaries.get(n + 1)));
        }
        return messages;
    }

    /** The same in version 4, Route Monitoring with a group, a path marking and a capability beside its UPDATE. */
    private static byte[] asVersion4(byte[] message) {
        byte[] same = message.clone();
        same[0] = BmpMessages.VERSION_4;
        if (BmpMessages.type(message, 0) != MessageType.ROUTE_MONITORING.code()) {
            return same;
        }
        ByteSink out = new ByteSink();
        TlvRevision revision = TlvRevision.at(message.length % TlvRevision.count());
        byte[] capability = {69, 4, 0, 1, 1, 3};
        out.bytes(same, 0, BmpMessages.PEER_BODY);
        Version4Encoder.group(revision, 1, new int[] {1, 2}, out);
        Version4Encoder.indexedTlv(revision.code(RouteMonitoringTlv.STATELESS_PARSING), 0, capability, 0, 6, out);
        Version4Encoder.bgpMessage(revision, same, BmpMessages.PEER_BODY, same.length, out);
        if (revision != TlvRevision.DRAFT_21) {
            Version4Encoder.pathMarking(revision, 0x8001, PathMarking.of(2, 3), out);
        }
        BmpEncoder.end(0, out);
        return out.toByteArray();
    }

    private void decode(byte[] message, String what) {
        try {
            MessageType type = MessageType.of(BmpMessages.type(message, 0));
            if (type == null) {
                return;
            }
            int body = BmpMessages.COMMON_HEADER_LENGTH;
            if (type.hasPerPeerHeader()) {
                header.read(message, body, message.length);
                assertReadable(header::view);
                body = BmpMessages.PEER_BODY;
            }
            body(type, message, body);
        } catch (DecodeException e) {
            assertThat(e.offset()).as(what).isBetween(0, message.length);
        } catch (RuntimeException e) {
            throw new AssertionError(what, e);
        }
    }

    /**
     * What was decoded must be readable: an accessor may return anything but must not throw, not even a
     * DecodeException.
     */
    private static void assertReadable(Supplier<?> accessor) {
        assertThatNoException().isThrownBy(accessor::get);
    }

    private void body(MessageType type, byte[] b, int body) {
        int version = BmpMessages.version(b, 0);
        switch (type) {
            case ROUTE_MONITORING -> {
                message.read(b, 0, b.length);
                update(b, message.updateFrom(), message.updateTo(), PLAIN);
                update(b, message.updateFrom(), message.updateTo(), PATHS);
                markings.read(message, b, 3);
                assertReadable(message::tableName);
                assertReadable(() -> message.addPath(header.view()));
            }
            case STATISTICS_REPORT -> StatisticsReport.decode(b, body, b.length, version);
            case PEER_DOWN -> {
                PeerDown down = PeerDown.decode(b, body, b.length, version);
                assertThat(down.reasonText()).isNotEmpty();
                assertReadable(down::tlvs);
                assertThat(down.fsmEvent().isPresent() && down.notification() != null)
                        .isFalse();
            }
            case PEER_UP -> {
                PeerUp up = PeerUp.decode(b, body, b.length, header.ipv6(), version);
                parse(up.capabilitiesJson(up.capabilities(false)));
            }
            case INITIATION, TERMINATION -> {
                InformationTlvs information = InformationTlvs.decode(b, body, b.length, version);
                assertReadable(information::sysName);
                assertReadable(() -> information.tlvs().stream().map(Tlv::text).toList());
            }
            case ROUTE_MIRRORING -> {
                for (RouteMirroring.Entry entry :
                        RouteMirroring.decode(b, body, b.length, version).entries()) {
                    update(b, entry.from(), entry.to(), PLAIN);
                }
            }
        }
    }

    /**
     * Decodes, and reads everything decoded. Returns false if it was malformed. Only the decoding itself may reject.
     */
    private boolean update(byte[] b, int from, int to, UpdateContext context) {
        try {
            decoder.decode(b, from, to, context);
        } catch (DecodeException e) {
            assertThat(e.offset()).isBetween(from, to);
            return false;
        }
        try {
            for (int section = 0; section < decoder.sections(); section++) {
                section(b, section);
            }
        } catch (DecodeException e) {
            throw new AssertionError("decoded, but not readable: " + e.getMessage(), e);
        }
        return decoder.outcomes().isEmpty();
    }

    private void section(byte[] b, int section) {
        boolean withdrawal = !decoder.announcedForm(section);
        int count = 0;
        for (int at = decoder.from(section); at < decoder.to(section); count++) {
            reader.read(decoder.family(section), b, at, decoder.to(section), decoder.addPath(section), withdrawal);
            int end = NlriFormat.end(
                    decoder.family(section), b, at, decoder.to(section), decoder.addPath(section), withdrawal);
            assertThat(end).isEqualTo(reader.to()).isGreaterThan(at);
            at = end;
        }
        assertThat(count).isEqualTo(decoder.count(section));
        if (decoder.announces(section)) {
            sink.reset();
            decoder.writeAttributes(section, sink);
            parse(PathAttributes.decode(sink.array(), 0, sink.position()).toJson());
        }
    }

    private static void parse(String json) {
        try {
            assertThat(JSON.readTree(json).isObject()).isTrue();
        } catch (JsonProcessingException e) {
            throw new AssertionError(json, e);
        }
    }
}
