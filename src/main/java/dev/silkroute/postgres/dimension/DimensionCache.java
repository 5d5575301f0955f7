package dev.silkroute.postgres.dimension;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.KeyedHash;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.copy.Text;
import dev.silkroute.postgres.lane.RouteBatchWriter;
import dev.silkroute.route.PeerEntry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * The ids of routers and peers, made when one is first seen. Remembers the most recently used ones.
 *
 * <p>Every call is one statement of its own, to be made outside a transaction ({@link
 * RouteBatchWriter#prepareBatches}): an id is remembered at once and must not vanish with a rollback. One for all lanes
 * and threads; when two make the same peer, both get the one that is there.
 */
public final class DimensionCache {
    private static final String FIND_ROUTER = "SELECT router_id FROM bmp.router WHERE name = ?";
    private static final String MAKE_ROUTER =
            "INSERT INTO bmp.router (name, address) VALUES (?, bmp.address(?)) ON CONFLICT DO NOTHING";
    private static final String FIND_PEER = "SELECT peer_id FROM bmp.peer WHERE router_id = ? AND peer_type = ?"
            + " AND distinguisher = ? AND address = CAST(? AS inet) AND bgp_id = ?";
    private static final String MAKE_PEER =
            "INSERT INTO bmp.peer (router_id, peer_type, distinguisher, address, bgp_id,"
                    + " asn) VALUES (?, ?, ?, CAST(? AS inet), ?, ?) ON CONFLICT DO NOTHING";

    private static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);

    private final Clock clock;
    private final Map<String, Integer> routers;
    private final Map<PeerKey, Integer> peers;
    private long day;

    /** What makes a peer one: its AS number may change, and all its views are one peer. */
    private record PeerKey(
            int router, int peerType, long distinguisher, boolean ipv6, long addressHigh, long addressLow, int bgpId) {
        static PeerKey of(int router, PeerEntry peer) {
            return new PeerKey(
                    router,
                    peer.peerType(),
                    peer.distinguisher(),
                    peer.ipv6(),
                    peer.addressHigh(),
                    peer.addressLow(),
                    peer.bgpId());
        }

        /** A router must not be able to choose peers whose hashes are equal. */
        @Override
        public int hashCode() {
            long numbers = KeyedHash.of((long) router << 32 ^ bgpId & 0xFFFFFFFFL, peerType);
            return KeyedHash.fold(KeyedHash.of(addressHigh, addressLow, distinguisher, numbers));
        }

        void bind(PreparedStatement statement) throws SQLException {
            statement.setInt(1, router);
            statement.setInt(2, peerType);
            statement.setLong(3, distinguisher);
            statement.setString(4, Addresses.text(ipv6, addressHigh, addressLow));
            statement.setLong(5, bgpId & 0xFFFFFFFFL);
        }
    }

    /** @param remembered how many routers, and how many peers, to remember */
    public DimensionCache(int remembered) {
        this(remembered, Clock.systemUTC());
    }

    DimensionCache(int remembered, Clock clock) {
        this.clock = clock;
        routers = bounded(remembered);
        peers = bounded(remembered);
    }

    /** The id of a router by its name; its address is only kept for a new one. */
    public int router(Connection connection, String name, String address) throws SQLException {
        String clean = Text.clean(name);
        forgetEveryDay();
        Integer known = routers.get(clean);
        if (known != null) {
            return known;
        }
        Optional<Integer> id = findRouter(connection, clean);
        if (id.isEmpty()) {
            mustCommit(connection);
            Sql.update(connection, MAKE_ROUTER, clean, Text.clean(address));
            id = findRouter(connection, clean);
        }
        routers.put(clean, id.orElseThrow());
        return id.get();
    }

    /** Maintenance may delete routers and peers that have ended days ago, of which an id must not be used again. */
    private synchronized void forgetEveryDay() {
        long today = Math.floorDiv(clock.millis(), DAY_MILLIS);
        if (today != day) {
            routers.clear();
            peers.clear();
            day = today;
        }
    }

    private static Optional<Integer> findRouter(Connection connection, String name) throws SQLException {
        return Sql.first(connection, FIND_ROUTER, row -> row.getInt(1), name);
    }

    /** The id of a peer, made if it is new. */
    public int peer(Connection connection, int router, PeerEntry peer) throws SQLException {
        OptionalInt id = findPeer(connection, router, peer);
        if (id.isEmpty()) {
            mustCommit(connection);
            try (PreparedStatement make = connection.prepareStatement(MAKE_PEER)) {
                PeerKey.of(router, peer).bind(make);
                make.setLong(6, peer.asn() & 0xFFFFFFFFL);
                make.executeUpdate();
            }
            id = findPeer(connection, router, peer);
        }
        return id.orElseThrow();
    }

    /** The id of a peer if there is one. */
    public OptionalInt findPeer(Connection connection, int router, PeerEntry peer) throws SQLException {
        PeerKey key = PeerKey.of(router, peer);
        Integer known = peers.get(key);
        if (known != null) {
            return OptionalInt.of(known);
        }
        try (PreparedStatement find = connection.prepareStatement(FIND_PEER)) {
            key.bind(find);
            OptionalInt id = first(find);
            id.ifPresent(found -> peers.put(key, found));
            return id;
        }
    }

    private static void mustCommit(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            throw new IllegalStateException("an id may not be made in a transaction that could be rolled back");
        }
    }

    private static OptionalInt first(PreparedStatement query) throws SQLException {
        try (ResultSet row = query.executeQuery()) {
            return row.next() ? OptionalInt.of(row.getInt(1)) : OptionalInt.empty();
        }
    }

    private static <K> Map<K, Integer> bounded(int limit) {
        return Collections.synchronizedMap(new LinkedHashMap<>(64, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, Integer> eldest) {
                return size() > limit;
            }
        });
    }
}
