package dev.silkroute.postgres.dimension;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.KeyedHash;
import dev.silkroute.postgres.copy.DatabaseIdentity;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.copy.Text;
import dev.silkroute.postgres.lane.RouteBatchWriter;
import dev.silkroute.route.PeerEntry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The database ids of routers and peers, which are inserted when they are first seen. The ids that are used most are
 * cached, each for the database that it was read from ({@link DatabaseIdentity}).
 *
 * <p>Each statement must be executed outside a transaction ({@link RouteBatchWriter#prepareBatches}), because an id is
 * cached at once and a rollback would remove its row. Thread-safe: all lanes share one instance, and if two insert the
 * same peer, both get the id of the row that was inserted first.
 */
public final class DimensionCache {
    private static final String FIND_ROUTERS =
            "SELECT name, router_id FROM bmp.router WHERE name = ANY (CAST(? AS text[]))";
    /** In the order of the names, as bmp.ensure_routers does: lanes do not wait for each other in a circle. */
    private static final String MAKE_ROUTERS = "INSERT INTO bmp.router (name, address)"
            + " SELECT name, bmp.address(address) FROM unnest(CAST(? AS text[]), CAST(? AS text[]))"
            + " AS given (name, address) ORDER BY name ON CONFLICT DO NOTHING";

    private static final String GIVEN_PEERS = "unnest(CAST(? AS integer[]), CAST(? AS smallint[]),"
            + " CAST(? AS bigint[]), CAST(? AS inet[]), CAST(? AS bigint[]), CAST(? AS bigint[])) WITH ORDINALITY"
            + " AS given (router_id, peer_type, distinguisher, address, bgp_id, asn, place)";
    private static final String FIND_PEERS = "SELECT place, peer_id FROM " + GIVEN_PEERS
            + " JOIN bmp.peer p USING (router_id, peer_type, distinguisher, address, bgp_id)";
    /** In the order of the unique key, as bmp.ensure_peers does: lanes do not wait for each other in a circle. */
    private static final String MAKE_PEERS =
            "INSERT INTO bmp.peer (router_id, peer_type, distinguisher, address, bgp_id, asn)"
                    + " SELECT router_id, peer_type, distinguisher, address, bgp_id, asn FROM " + GIVEN_PEERS
                    + " ORDER BY router_id, peer_type, distinguisher, address, bgp_id, place ON CONFLICT DO NOTHING";

    /** Maintenance may delete routers and peers that have ended days ago, whose ids must not be used again. */
    private static final Duration EXPIRY = Duration.ofDays(1);

    /** By database and name. A string, because a table of strings resists names that are chosen for their hash. */
    private final Cache<String, Integer> routers;

    private final Cache<PeerKey, Integer> peers;

    /** A peer of a router whose id is known. */
    record RouterPeer(int router, PeerEntry peer) {}

    /** The identity of a peer: its AS number may change, and all its RIB views belong to one peer. */
    record PeerKey(
            DatabaseIdentity database,
            int router,
            int peerType,
            long distinguisher,
            boolean ipv6,
            long addressHigh,
            long addressLow,
            int bgpId) {
        static PeerKey of(DatabaseIdentity database, RouterPeer wanted) {
            PeerEntry peer = wanted.peer();
            return new PeerKey(
                    database,
                    wanted.router(),
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

    /**
     * Returns the ids of routers by their names, by at most three statements.
     *
     * @param addresses of the routers by their names without NUL characters ({@link Text#clean}); a new router is
     *     inserted with its address
     */
    Map<String, Integer> routers(Connection connection, SortedMap<String, String> addresses) throws SQLException {
        String database = DatabaseIdentity.of(connection).text();
        Map<String, Integer> ids = new TreeMap<>();
        SortedMap<String, String> missing = new TreeMap<>();
        addresses.forEach((name, address) -> {
            Integer known = routers.getIfPresent(key(database, name));
            if (known == null) {
                missing.put(name, Text.clean(address));
            } else {
                ids.put(name, known);
            }
        });
        find(connection, missing, ids);
        if (!missing.isEmpty()) {
            mustCommit(connection);
            try (PreparedStatement statement = connection.prepareStatement(MAKE_ROUTERS)) {
                statement.setArray(1, Sql.array(connection, "text", List.copyOf(missing.keySet())));
                statement.setArray(2, Sql.array(connection, "text", List.copyOf(missing.values())));
                statement.executeUpdate();
            }
            find(connection, missing, ids);
            if (!missing.isEmpty()) {
                throw new IllegalStateException("a router that has just been inserted is not there");
            }
        }
        return ids;
    }

    /** Looks up routers, and moves those that are stored from the missing ones to the ids. */
    private void find(Connection connection, SortedMap<String, String> missing, Map<String, Integer> ids)
            throws SQLException {
        if (missing.isEmpty()) {
            return;
        }
        String database = DatabaseIdentity.of(connection).text();
        try (PreparedStatement statement = connection.prepareStatement(FIND_ROUTERS)) {
            statement.setArray(1, Sql.array(connection, "text", List.copyOf(missing.keySet())));
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String name = row.getString(1);
                    missing.remove(name);
                    ids.put(name, row.getInt(2));
                    routers.put(key(database, name), row.getInt(2));
                }
            }
        }
    }

    private static String key(String database, String router) {
        return database + " " + router;
    }

    /**
     * Returns the ids of peers, by at most three statements.
     *
     * @param wanted peers of any routers
     * @param insert whether those that are new are inserted
     * @return the ids in the order of the peers; {@link BatchPeers#UNKNOWN} for those that are not stored
     */
    int[] peers(Connection connection, List<RouterPeer> wanted, boolean insert) throws SQLException {
        DatabaseIdentity database = DatabaseIdentity.of(connection);
        int[] ids = new int[wanted.size()];
        List<Integer> missing = new ArrayList<>();
        for (int i = 0; i < ids.length; i++) {
            Integer known = peers.getIfPresent(PeerKey.of(database, wanted.get(i)));
            ids[i] = known == null ? BatchPeers.UNKNOWN : known;
            if (known == null) {
                missing.add(i);
            }
        }
        List<Integer> added = find(connection, wanted, missing, ids);
        if (insert && !added.isEmpty()) {
            mustCommit(connection);
            try (PreparedStatement statement = connection.prepareStatement(MAKE_PEERS)) {
                bind(statement, wanted, added);
                statement.executeUpdate();
            }
            if (!find(connection, wanted, added, ids).isEmpty()) {
                throw new IllegalStateException("a peer that has just been inserted is not there");
            }
        }
        return ids;
    }

    /** Looks up the peers with some indexes, and returns the indexes of those that are not stored. */
    private List<Integer> find(Connection connection, List<RouterPeer> wanted, List<Integer> indexes, int[] ids)
            throws SQLException {
        if (indexes.isEmpty()) {
            return indexes;
        }
        try (PreparedStatement statement = connection.prepareStatement(FIND_PEERS)) {
            bind(statement, wanted, indexes);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    int index = indexes.get(row.getInt(1) - 1);
                    ids[index] = row.getInt(2);
                    peers.put(PeerKey.of(DatabaseIdentity.of(connection), wanted.get(index)), ids[index]);
                }
            }
        }
        return indexes.stream()
                .filter(index -> ids[index] == BatchPeers.UNKNOWN)
                .toList();
    }

    /** Sets the parameters of {@link #GIVEN_PEERS}. */
    private static void bind(PreparedStatement statement, List<RouterPeer> wanted, List<Integer> indexes)
            throws SQLException {
        bind(statement, 1, "int4", wanted, indexes, RouterPeer::router);
        bind(statement, 2, "int2", wanted, indexes, of -> (short) of.peer().peerType());
        bind(statement, 3, "int8", wanted, indexes, of -> of.peer().distinguisher());
        bind(statement, 4, "text", wanted, indexes, of -> address(of.peer()));
        bind(statement, 5, "int8", wanted, indexes, of -> of.peer().bgpId() & 0xFFFFFFFFL);
        bind(statement, 6, "int8", wanted, indexes, of -> of.peer().asn() & 0xFFFFFFFFL);
    }

    private static void bind(
            PreparedStatement statement,
            int parameter,
            String type,
            List<RouterPeer> wanted,
            List<Integer> indexes,
            Function<RouterPeer, Object> value)
            throws SQLException {
        List<Object> values = indexes.stream().map(wanted::get).map(value).toList();
        statement.setArray(parameter, Sql.array(statement.getConnection(), type, values));
    }

    private static String address(PeerEntry peer) {
        return Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow());
    }

    private static void mustCommit(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "a router or peer must not be inserted in a transaction that could be rolled back");
        }
    }
}
