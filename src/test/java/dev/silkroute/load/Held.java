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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

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

    /** The routes that a station holds after these events, with all that they have. */
    public static Map<String, String> state(DecodedBatch decoded, Map<EventKind, Integer> events) {
        return state(decoded, events, false);
    }

    /** @param again whether a route that is not there may be withdrawn */
    static Map<String, String> state(DecodedBatch decoded, Map<EventKind, Integer> events, boolean again) {
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
                int set = cursor.attributeSet();
                state.put(
                        key,
                        RouteRow.of(
                                cursor.nlri(),
                                PathAttributes.decode(
                                        batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set))));
            } else {
                assertThat(state.remove(key) != null || again).as(key).isTrue();
            }
        }
        return state;
    }

    /** The first of what is other than expected: whole tables are too much to read. */
    static List<String> differences(Map<String, String> state, Map<String, String> expected) {
        Set<String> keys = new TreeSet<>(state.keySet());
        keys.addAll(expected.keySet());
        return keys.stream()
                .filter(key -> !Objects.equals(state.get(key), expected.get(key)))
                .map(key -> key + "\n is       " + state.get(key) + "\n expected " + expected.get(key))
                .limit(5)
                .toList();
    }

    /** The routes that the router says a station holds. */
    public static Map<String, String> expected(LoadRouter router) {
        Map<String, String> expected = new TreeMap<>();
        for (ExpectedRib rib : router.expected()) {
            int before = expected.size();
            rib.table()
                    .accept(route -> expected.put(
                            rib.peerAddress() + " " + rib.view() + " " + Family.text(rib.family()) + " " + route.nlri()
                                    + " " + route.pathId(),
                            RouteRow.of(route)));
            assertThat(expected.size() - before).isEqualTo(rib.routes());
        }
        return expected;
    }
}
