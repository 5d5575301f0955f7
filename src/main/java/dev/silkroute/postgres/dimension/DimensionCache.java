package dev.silkroute.postgres.dimension;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
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
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The database ids of routers and peers, which are inserted when they are first seen. The ids that are used most are
 * cached.
 *
 * <p>Each statement must be executed outside a transaction ({@link RouteBatchWriter#prepareBatches}), because an id is
 * cached at once and a rollback would remove its row. Thread-safe: all lanes share one instance, and if two insert the
 * same peer, both get the id of the row that was inserted first.
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

    /** Maintenance may delete routers and peers that have ended days ago, whose ids must not be used again. */
    private static final Duration EXPIRY = Duration.ofDays(1);

    private final Cache<String, Integer> routers;
    private final Cache<PeerKey, Integer> peers;

    /** The identity of a peer: its AS number may change, and all its RIB views belong to one peer. */
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

    /** @param size the maximum number of routers, and of peers, whose ids are cached */
    public DimensionCache(int size) {
        this(size, Ticker.systemTicker());
    }

    DimensionCache(int size, Ticker ticker) {
        routers = cache(size, ticker);
        peers = cache(size, ticker);
    }

    private static <K> Cache<K, Integer> cache(int size, Ticker ticker) {
        return Caffeine.newBuilder()
                .maximumSize(size)
                .expireAfterWrite(EXPIRY)
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
    }

    /** Returns the id of the router with a name. A new router is inserted with this address. */
    public int router(Connection connection, String name, String address) throws SQLException {
        String clean = Text.clean(name);
        Integer known = routers.getIfPresent(clean);
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

    private static Optional<Integer> findRouter(Connection connection, String name) throws SQLException {
        return Sql.first(connection, FIND_ROUTER, row -> row.getInt(1), name);
    }

    /** Returns the id of a peer, which is inserted if it is new. */
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

    /** Returns the id of a peer, or nothing if it is not stored. */
    public OptionalInt findPeer(Connection connection, int router, PeerEntry peer) throws SQLException {
        PeerKey key = PeerKey.of(router, peer);
        Integer known = peers.getIfPresent(key);
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
            throw new IllegalStateException("a router or peer must not be inserted in a transaction that could be rolled back");
        }
    }

    private static OptionalInt first(PreparedStatement query) throws SQLException {
        try (ResultSet row = query.executeQuery()) {
            return row.next() ? OptionalInt.of(row.getInt(1)) : OptionalInt.empty();
        }
    }
}
