package dev.silkroute.mrt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.CaptureSession;
import dev.silkroute.capture.SessionReader;
import dev.silkroute.fixture.ParsedRecords;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterIdentifier;
import dev.silkroute.session.identity.RouterValues;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a station makes of a file: the routes that it holds in the end and all that happened. It believes the OPENs
 * about path identifiers, so they have to be right.
 */
final class Station {
    private static final SessionConfig CONFIG =
            new SessionConfig("test", 1000, AddPathPolicy.STRICT, RouterValues.NONE);

    /** Peer, view, family, path identifier and prefix to AS path and next hop. */
    final Map<String, String> routes = new TreeMap<>();

    /** One line an event, without the routes. */
    final List<String> events = new ArrayList<>();

    final List<Map<String, Object>> peers = new ArrayList<>();
    String router;
    byte[] stream;
    CaptureException failure;

    static CaptureFile open(Path file) throws CaptureException {
        return CaptureFile.open(file, List.of(new MrtFormat()));
    }

    static Station of(Path file) throws CaptureException {
        CaptureFile capture = open(file);
        assertThat(capture.survey().sessions()).hasSize(1);
        return of(capture, 0);
    }

    static Station of(CaptureFile capture, int index) throws CaptureException {
        CaptureSession session = capture.survey().sessions().get(index);
        Station station = new Station();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (SessionReader reader = capture.read(session)) {
            while (reader.next()) {
                out.write(reader.bytes(), reader.from(), reader.to() - reader.from());
            }
        } catch (CaptureException e) {
            station.failure = e;
        }
        station.stream = out.toByteArray();
        assertThat(station.stream).hasSize((int) session.bytes());
        station.decode(session);
        return station;
    }

    private void decode(CaptureSession session) {
        InetAddress address = InetAddress.ofLiteral("192.0.2.250");
        BmpSession bmp = new BmpSession(CONFIG, 1, address, RouterIdentifier.identify(address, stream));
        int messages = 0;
        for (int at = 0; at < stream.length; at += BmpMessages.length(stream, at)) {
            byte[] message = java.util.Arrays.copyOfRange(stream, at, at + BmpMessages.length(stream, at));
            DecodedBatch decoded = bmp.decode(message, messages++, 1, null);
            assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE)).isEmpty();
            for (DecodeOutcome.Kind kind : DecodeOutcome.Kind.values()) {
                assertThat(decoded.outcomes(kind)).as(kind.name()).isZero();
            }
            peers.addAll(ParsedRecords.of(decoded, LaneName.PEERS));
            if (decoded.routes().length > 0) {
                fold(RouteBatch.read(decoded.routes()));
            }
        }
        assertThat((long) messages).isEqualTo(session.messages());
        router = bmp.router();
    }

    private void fold(RouteBatch batch) {
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            String peer = cursor.peerIndex() < 0 ? "" : text(batch.peer(cursor.peerIndex()));
            if (cursor.kind().isRoute()) {
                String key = peer + " " + Family.text(cursor.family()) + " " + nlri(batch, cursor);
                if (cursor.kind() == EventKind.ANNOUNCE) {
                    routes.put(key, attributes(batch, cursor.attributeSet()));
                } else {
                    routes.remove(key);
                }
                continue;
            }
            if (cursor.kind() == EventKind.PEER_DOWN) {
                String down = peer.substring(0, peer.lastIndexOf(' '));
                routes.keySet().removeIf(key -> key.startsWith(down));
            }
            boolean family = cursor.kind() == EventKind.END_OF_RIB;
            events.add(cursor.kind() + " " + peer + (family ? " " + Family.text(cursor.family()) : ""));
        }
    }

    private static String text(PeerEntry peer) {
        return String.join(
                " ",
                Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow()),
                "AS" + Integer.toUnsignedString(peer.asn()),
                Addresses.ipv4(peer.bgpId()),
                peer.view().text());
    }

    private static String nlri(RouteBatch batch, RouteCursor cursor) {
        var nlri = cursor.nlri();
        String id = nlri.hasPathId() ? Integer.toUnsignedString(nlri.pathId()) + ":" : "";
        return id
                + (nlri.isPrefix()
                        ? Addresses.prefix(nlri.ipv6(), nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength())
                        : Hex.of(batch.bytes(), nlri.from(), nlri.to()));
    }

    private static String attributes(RouteBatch batch, int set) {
        PathAttributes attributes =
                PathAttributes.decode(batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set));
        return attributes.asPath().text() + " via " + attributes.nextHop().text();
    }
}
