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
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterIdentifier;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decodes synthetic sessions with the product's decoder and compares the routes that are left with the expected ones.
 */
public final class DecodedLoad {
    private DecodedLoad() {}

    /** Returns the rest of the router's session. */
    public static byte[] bytes(LoadRouter router) {
        ByteSink out = new ByteSink();
        while (router.next(out) > 0) {}
        return out.toByteArray();
    }

    public static DecodedBatch decode(byte[] stream) {
        SessionConfig config = new SessionConfig("col", 1000);
        InetAddress address = InetAddress.ofLiteral("192.0.2.99");
        return new BmpSession(config, 1, address, RouterIdentifier.identify(address, stream))
                .decode(stream, 0, 1, null);
    }

    private static String rib(PeerEntry peer, int family) {
        String address = Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow());
        return address + " " + peer.view() + " " + Family.text(family) + " ";
    }

    /**
     * Returns the routes that a station holds after the events, as {@link RouteRow} by key.
     *
     * @param events receives the number of events by kind
     */
    public static Map<String, String> state(DecodedBatch decoded, Map<EventKind, Integer> events) {
        return state(decoded, events, false);
    }

    /** @param mayRepeatWithdrawals whether the withdrawal of an absent route is accepted */
    static Map<String, String> state(
            DecodedBatch decoded, Map<EventKind, Integer> events, boolean mayRepeatWithdrawals) {
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
                assertThat(state.remove(key) != null || mayRepeatWithdrawals)
                        .as(key)
                        .isTrue();
            }
        }
        return state;
    }

    /** Returns descriptions of the first differences, at most five. */
    static List<String> differences(Map<String, String> state, Map<String, String> expected) {
        Set<String> keys = new TreeSet<>(state.keySet());
        keys.addAll(expected.keySet());
        return keys.stream()
                .filter(key -> !Objects.equals(state.get(key), expected.get(key)))
                .map(key -> key + "\n is       " + state.get(key) + "\n expected " + expected.get(key))
                .limit(5)
                .toList();
    }

    /** Returns the expected routes, in the form of {@link #state}. */
    public static Map<String, String> expected(LoadRouter router) {
        Map<String, String> expected = new TreeMap<>();
        for (ExpectedTable table : ExpectedTable.of(router)) {
            int before = expected.size();
            String key = table.peerAddress() + " " + table.view() + " " + Family.text(table.family()) + " ";
            table.forEach(route -> expected.put(key + route.nlri() + " " + route.pathId(), RouteRow.of(route)));
            assertThat(expected.size() - before).isEqualTo(table.size());
        }
        return expected;
    }
}
