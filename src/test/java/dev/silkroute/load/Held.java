package dev.silkroute.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.RouterValues;
import dev.silkroute.session.SessionConfig;
import java.net.InetAddress;
import java.util.Map;
import java.util.TreeMap;

/** What a station holds after a synthetic session, by our own decoder, and what it should hold. */
public final class Held {
    private Held() {}

    /** What is left of the router's session. */
    public static byte[] bytes(LoadRouter router) {
        ByteSink out = new ByteSink();
        while (router.next(out) > 0) {}
        return out.toByteArray();
    }

    public static DecodedBatch decode(byte[] stream) {
        SessionConfig config = new SessionConfig("col", RouterValues.NONE, 1000);
        return new BmpSession(config, 1, InetAddress.ofLiteral("192.0.2.99")).decode(stream, 0, 1, null);
    }

    private static String rib(PeerEntry peer, int family) {
        String address = Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow());
        return address + " " + peer.view() + " " + Family.text(family) + " ";
    }

    /** The routes that a station holds after these events, with their AS paths. */
    public static Map<String, String> state(DecodedBatch decoded, Map<EventKind, Integer> events) {
        Map<String, String> state = new TreeMap<>();
        RouteBatch batch = RouteBatch.read(decoded.routes());
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            events.merge(cursor.kind(), 1, Integer::sum);
            if (cursor.kind() == EventKind.PEER_DOWN) {
                PeerEntry peer = batch.peer(cursor.peerIndex());
                String gone = Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow()) + " ";
                state.keySet().removeIf(key -> key.startsWith(gone));
            }
            if (!cursor.kind().isRoute()) {
                continue;
            }
            String nlri = NlriText.of(
                    cursor.family(),
                    batch.bytes(),
                    cursor.nlri().from(),
                    cursor.nlri().to());
            String key = rib(batch.peer(cursor.peerIndex()), cursor.family()) + nlri + " "
                    + (cursor.nlri().hasPathId() ? cursor.nlri().pathId() : -1);
            if (cursor.kind() == EventKind.ANNOUNCE) {
                int set = cursor.attributes();
                state.put(key, asPath(batch, set));
            } else {
                assertThat(state.remove(key)).as(key).isNotNull();
            }
        }
        return state;
    }

    private static String asPath(RouteBatch batch, int set) {
        var path = PathAttributes.decode(batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set))
                .asPath();
        assertThat(path).isNotNull();
        return path.text();
    }

    /** The routes that the router says a station holds. */
    public static Map<String, String> expected(LoadRouter router) {
        Map<String, String> expected = new TreeMap<>();
        for (ExpectedRib rib : router.expected()) {
            int before = expected.size();
            rib.table()
                    .accept((nlri, pathId, asPath) -> expected.put(
                            rib.peerAddress() + " " + rib.view() + " " + Family.text(rib.family()) + " " + nlri + " "
                                    + pathId,
                            asPath));
            assertThat(expected.size() - before).isEqualTo(rib.routes());
        }
        return expected;
    }
}
