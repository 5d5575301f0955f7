package dev.silkroute.digest;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.SipHash;
import java.nio.charset.StandardCharsets;

/**
 * Hashes routes and the names of tables with a {@link DigestKey}. A route has two hashes: that of its key, which
 * identifies it within its table, and that of the whole route. When a route was announced, and in which session, is not
 * part of it: that differs between two stations that have received the same.
 *
 * <pre>
 * long key = hasher.prefix(rd, high, low, length, hasPathId, pathId);
 * long route = hasher.begin(key, marking).label(100).nlri(bytes, from, to).attributes(bytes, from, to);
 * </pre>
 *
 * No hash is 0. Not thread-safe; does not allocate.
 */
public final class RouteHasher {
    // Distinguish the hashes of different things
    private static final int TABLE = 1;
    private static final int PREFIX = 2;
    private static final int OTHER_KEY = 3;
    private static final int ROUTE = 4;

    private final DigestKey key;
    private final ByteSink bytes = new ByteSink();

    public RouteHasher(DigestKey key) {
        this.key = key;
    }

    public DigestKey key() {
        return key;
    }

    /** Returns the hash of a table's name. */
    public long table(TableName name) {
        byte[] text = name.toString().getBytes(StandardCharsets.UTF_8);
        bytes.reset();
        bytes.u8(TABLE).bytes(text, 0, text.length);
        return hash();
    }

    /**
     * Returns the hash of the key of a prefix.
     *
     * @param rd route distinguisher, 0 in families without one
     * @param high upper half of an IPv6 address, 0 for IPv4
     * @param low lower half of an IPv6 address, or the IPv4 address in the lower 32 bits
     * @param pathId ignored unless there is one
     */
    public long prefix(long rd, long high, long low, int length, boolean hasPathId, int pathId) {
        bytes.reset();
        bytes.u8(PREFIX).i64(rd).i64(high).i64(low).u8(length);
        return path(hasPathId, pathId);
    }

    /**
     * Returns the hash of the key of an NLRI that is not a prefix.
     *
     * @param b contains the bytes that {@link dev.silkroute.bgp.nlri.NlriKey} extracts
     */
    public long other(byte[] b, int from, int to, boolean hasPathId, int pathId) {
        bytes.reset();
        bytes.u8(OTHER_KEY).bytes(b, from, to);
        return path(hasPathId, pathId);
    }

    private long path(boolean hasPathId, int pathId) {
        bytes.u8(hasPathId ? 1 : 0).u32(hasPathId ? pathId : 0);
        return hash();
    }

    /**
     * Begins the hash of a route. Labels and, unless it is a prefix, the NLRI follow, then its attributes.
     *
     * @param routeKey the hash of its key
     * @param marking see {@link dev.silkroute.bgp.PathMarking}
     */
    public RouteHasher begin(long routeKey, long marking) {
        bytes.reset();
        bytes.u8(ROUTE).i64(routeKey).i64(marking);
        return this;
    }

    public RouteHasher label(int label) {
        bytes.u8(Integer.BYTES).u32(label);
        return this;
    }

    /** Adds the whole NLRI, which may be longer than the key. */
    public RouteHasher nlri(byte[] b, int from, int to) {
        bytes.u8(0).u16(to - from).bytes(b, from, to);
        return this;
    }

    /** Adds the canonical bytes of the attribute set, and returns the hash of the route. */
    public long attributes(byte[] b, int from, int to) {
        bytes.i64(SipHash.of(key.first(), key.second(), b, from, to));
        return hash();
    }

    private long hash() {
        long hash = SipHash.of(key.first(), key.second(), bytes.array(), 0, bytes.position());
        return hash == 0 ? 1 : hash;
    }
}
