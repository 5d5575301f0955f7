package dev.silkroute.rib;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.nlri.NlriKey;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Hex;
import dev.silkroute.rib.trie.PrefixBits;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules of {@code docs/explanation/state.md} in maps and objects: the slow reference for the RIB. */
final class RibModel {
    record Key(
            RibPeer peer,
            RibView view,
            int family,
            long rd,
            String nlri,
            @Nullable Long pathId,
            int length,
            long high,
            long low) {}

    record Route(String attributes, String labels, long marking, String wholeNlri, long session) {
        boolean hasSameContent(Route other) {
            return attributes.equals(other.attributes)
                    && labels.equals(other.labels)
                    && marking == other.marking
                    && wholeNlri.equals(other.wholeNlri);
        }
    }

    private static final class Side {
        long session = Long.MIN_VALUE;
        boolean blank = true;
    }

    private static final class Router {
        long session = Long.MIN_VALUE;
        boolean up;
        String collector = "";
        long changedAt;
    }

    private record SideKey(RibPeer peer, RibView view) {}

    final Map<Key, Route> routes = new HashMap<>();
    private final Map<SideKey, Side> sides = new HashMap<>();
    private final Map<String, Router> routers = new HashMap<>();
    private final Map<String, Long> collectors = new HashMap<>();

    boolean stale(Key key) {
        Router router = routers.get(key.peer.router());
        return !router.up || routes.get(key).session != router.session;
    }

    List<RouteOutcome> apply(RouteBatch batch) {
        List<RouteOutcome> outcomes = new ArrayList<>();
        RouteCursor event = batch.cursor();
        while (event.next()) {
            outcomes.add(batch.redecoded() ? RouteOutcome.IGNORED : apply(batch, event));
        }
        return outcomes;
    }

    private RouteOutcome apply(RouteBatch batch, RouteCursor event) {
        long session = batch.sessionId();
        if (event.kind() == EventKind.COLLECTOR_START) {
            collectors.merge(batch.collector(), session, Math::max);
            for (Router router : routers.values()) {
                if (router.up && router.collector.equals(batch.collector()) && router.session < session) {
                    router.up = false;
                    router.changedAt = batch.receivedAtMicros();
                }
            }
            return RouteOutcome.STATE;
        }
        turn(batch, event.kind());
        if (routers.get(batch.router()).session > session) {
            return RouteOutcome.IGNORED;
        }
        if (!event.kind().hasPeer()) {
            return RouteOutcome.STATE;
        }
        PeerEntry entry = batch.peer(event.peerIndex());
        RibPeer peer = RibPeer.of(batch.router(), entry);
        return switch (event.kind()) {
            case ANNOUNCE -> announce(batch, event, peer, entry.view());
            case WITHDRAW -> withdraw(batch, event, peer, entry.view());
            case PEER_UP -> {
                observeSession(peer, session);
                yield RouteOutcome.STATE;
            }
            case PEER_DOWN -> {
                for (RibView view : RibView.values()) {
                    Side side = sides.get(new SideKey(peer, view));
                    if ((event.coversAllViews() || view == entry.view())
                            && side != null
                            && !side.blank
                            && side.session <= session) {
                        side.blank = true;
                        side.session = session;
                        routes.keySet().removeIf(key -> key.peer.equals(peer) && key.view == view);
                    }
                }
                yield RouteOutcome.STATE;
            }
            case END_OF_RIB -> {
                observeSession(peer, session);
                for (RibView view : RibView.values()) {
                    if (isCurrent(peer, event.family() == 0 ? null : entry.view(), session)
                            && (event.family() == 0 || view == entry.view())) {
                        routes.entrySet()
                                .removeIf(e -> e.getKey().peer.equals(peer)
                                        && e.getKey().view == view
                                        && (event.family() == 0 || e.getKey().family == event.family())
                                        && e.getValue().session < session);
                    }
                }
                yield RouteOutcome.STATE;
            }
            default -> throw new AssertionError(event.kind());
        };
    }

    /** Whether a session is the newest that reported a view, or any view if it is null. */
    private boolean isCurrent(RibPeer peer, @Nullable RibView view, long session) {
        return sides.entrySet().stream()
                .anyMatch(e -> e.getKey().peer.equals(peer)
                        && (view == null || view == e.getKey().view)
                        && !e.getValue().blank
                        && e.getValue().session <= session);
    }

    private void turn(RouteBatch batch, EventKind kind) {
        Router router = routers.computeIfAbsent(batch.router(), name -> new Router());
        long session = batch.sessionId();
        boolean explicit = kind == EventKind.SESSION_UP || kind == EventKind.SESSION_DOWN;
        if (session < router.session || session == router.session && !explicit) {
            return;
        }
        boolean up =
                kind != EventKind.SESSION_DOWN && collectors.getOrDefault(batch.collector(), Long.MIN_VALUE) <= session;
        if (session != router.session || up != router.up) {
            router.changedAt = batch.receivedAtMicros();
            router.collector = batch.collector();
        }
        router.session = session;
        router.up = up;
    }

    private void observeSession(RibPeer peer, long session) {
        for (RibView view : RibView.values()) {
            Side side = sides.get(new SideKey(peer, view));
            if (side != null) {
                side.session = Math.max(side.session, session);
            }
        }
    }

    private RouteOutcome announce(RouteBatch batch, RouteCursor event, RibPeer peer, RibView view) {
        Side side = sides.computeIfAbsent(new SideKey(peer, view), key -> new Side());
        long session = batch.sessionId();
        if (side.session > session) {
            return RouteOutcome.IGNORED;
        }
        side.session = session;
        side.blank = false;
        Key key = key(batch, event, peer, view);
        StringBuilder labels = new StringBuilder();
        for (int i = 0; i < event.nlri().labelCount(); i++) {
            labels.append(event.nlri().label(i)).append(' ');
        }
        String whole = event.nlri().isPrefix()
                ? ""
                : Hex.of(batch.bytes(), event.nlri().from(), event.nlri().to());
        int set = event.attributeSet();
        Route now = new Route(
                Hex.of(batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set)),
                labels.toString(),
                event.marking(),
                whole,
                session);
        Route before = routes.put(key, now);
        if (before == null) {
            return RouteOutcome.NEW;
        }
        if (!before.hasSameContent(now)) {
            return RouteOutcome.CHANGED;
        }
        return before.session < session ? RouteOutcome.CONFIRMED : RouteOutcome.UNCHANGED;
    }

    private RouteOutcome withdraw(RouteBatch batch, RouteCursor event, RibPeer peer, RibView view) {
        Side side = sides.get(new SideKey(peer, view));
        if (side != null && side.session > batch.sessionId()) {
            return RouteOutcome.IGNORED;
        }
        return routes.remove(key(batch, event, peer, view)) == null ? RouteOutcome.UNKNOWN : RouteOutcome.WITHDRAWN;
    }

    private static Key key(RouteBatch batch, RouteCursor event, RibPeer peer, RibView view) {
        var nlri = event.nlri();
        String text;
        if (nlri.isPrefix()) {
            text = "%016x%016x/%d".formatted(nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength());
        } else {
            ByteSink sink = new ByteSink();
            NlriKey.write(event.family(), batch.bytes(), nlri.from(), nlri.to(), sink);
            text = Hex.of(sink.array(), 0, sink.position());
        }
        return new Key(
                peer,
                view,
                event.family(),
                nlri.rd(),
                text,
                nlri.hasPathId() ? Integer.toUnsignedLong(nlri.pathId()) : null,
                nlri.prefixLength(),
                nlri.addressHigh(),
                nlri.addressLow());
    }

    /** Ends tables whose timeouts have passed. */
    void expire(long now, long staleTimeout, long resyncTimeout) {
        sides.forEach((key, side) -> {
            Router router = routers.get(key.peer.router());
            boolean over = router.up
                    ? side.session < router.session && router.changedAt < now - resyncTimeout
                    : router.changedAt < now - staleTimeout;
            if (!side.blank && over) {
                side.blank = true;
                side.session = Math.max(side.session, router.session);
                routes.keySet().removeIf(k -> k.peer.equals(key.peer) && k.view == key.view);
            }
        });
    }

    /** The longest prefix length of a table that covers an address (of 128 bits, left-aligned), -1 if there is none. */
    int longest(RibPeer peer, RibView view, int family, long rd, long high, long low, boolean ipv6) {
        int best = -1;
        for (Key key : routes.keySet()) {
            if (key.family == family
                    && key.rd == rd
                    && key.view == view
                    && key.peer.equals(peer)
                    && key.length > best
                    && covers(key, high, low, ipv6)) {
                best = key.length;
            }
        }
        return best;
    }

    static boolean covers(Key key, long high, long low, boolean ipv6) {
        return ipv6
                ? PrefixBits.covers(key.high, key.low, key.length, high, low)
                : PrefixBits.covers(key.low << 32, 0, key.length, low << 32, 0);
    }
}
