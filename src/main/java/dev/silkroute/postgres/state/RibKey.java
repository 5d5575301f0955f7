package dev.silkroute.postgres.state;

import dev.silkroute.bgp.nlri.NlriKey;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.KeyedHash;
import dev.silkroute.postgres.copy.CopyBinary;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The key of a route in the current state: peer, view, family, route distinguisher, prefix or identifying bytes of the
 * NLRI, and path identifier. A shorter key would merge different routes; a longer one, for example with the labels of
 * an EVPN NLRI, would keep routes that have been replaced.
 */
public final class RibKey {
    /** A longer NLRI does not fit into an index entry (a third of a page) and is replaced by its SHA-256. */
    static final int LONGEST_INDEXED = 1024;

    /** The highest code of a view: the index {@code rib_route_peer} reserves three bits for it. */
    public static final int LAST_VIEW = 7;

    private static final byte[] NO_BYTES = {};
    private static final long NO_PATH_ID = -1;

    private final int peer;
    private final int view;
    private final int family;
    private final long rd;
    private final long pathId;
    private final boolean ipv6;
    private final long addressHigh;
    private final long addressLow;
    private final int prefixLength;
    private final byte[] nlri;
    private final long hash;

    private RibKey(int peer, int view, int family, NlriReader reader, byte[] nlri) {
        this.peer = peer;
        this.view = view;
        this.family = family;
        this.nlri = nlri;
        rd = reader.rd();
        pathId = reader.hasPathId() ? reader.pathId() & 0xFFFFFFFFL : NO_PATH_ID;
        ipv6 = reader.ipv6();
        addressHigh = reader.addressHigh();
        addressLow = reader.addressLow();
        prefixLength = reader.prefixLength();
        long where = (long) peer << 32 ^ (long) family << 8 ^ prefixLength ^ (long) view << 56;
        long mixed = KeyedHash.of(KeyedHash.of(addressHigh, addressLow, rd, pathId), where);
        hash = nlri.length == 0 ? mixed : KeyedHash.of(mixed, nlri, 0, nlri.length);
    }

    /** @param scratch a buffer that is overwritten, so that one serves all keys */
    static RibKey of(int peer, int view, int family, NlriReader nlri, byte[] bytes, ByteSink scratch) {
        if (nlri.isPrefix()) {
            return new RibKey(peer, view, family, nlri, NO_BYTES);
        }
        scratch.reset();
        NlriKey.write(family, bytes, nlri.from(), nlri.to(), scratch);
        return new RibKey(peer, view, family, nlri, scratch.toByteArray());
    }

    int peer() {
        return peer;
    }

    int family() {
        return family;
    }

    /** A {@link KeyedHash}. */
    long hash() {
        return hash;
    }

    /** Returns whether the key contains the whole NLRI, which is empty for prefixes. */
    boolean isWhole(byte[] whole) {
        return nlri.length <= LONGEST_INDEXED && Arrays.equals(nlri, whole);
    }

    /**
     * Compares as the primary key of {@code bmp.rib_route} does. PostgreSQL orders {@code cidr} values by IP version,
     * address and length.
     */
    int compareInIndex(RibKey other) {
        int order = Boolean.compare(isStoredAsIpv6(), other.isStoredAsIpv6());
        order = order != 0 ? order : Long.compareUnsigned(addressHigh, other.addressHigh);
        order = order != 0 ? order : Long.compareUnsigned(addressLow, other.addressLow);
        order = order != 0 ? order : Integer.compare(prefixLength, other.prefixLength);
        order = order != 0 ? order : Integer.compare(peer, other.peer);
        order = order != 0 ? order : Integer.compare(view, other.view);
        order = order != 0 ? order : Integer.compare(family, other.family);
        order = order != 0 ? order : Long.compare(rd, other.rd);
        order = order != 0 ? order : Long.compare(pathId, other.pathId);
        return order != 0 ? order : Arrays.compareUnsigned(nlri, other.nlri);
    }

    private boolean isStoredAsIpv6() {
        return ipv6 || nlri.length != 0;
    }

    /** Writes the columns of {@link RouteColumn#KEY}. */
    void write(CopyBinary row) {
        if (nlri.length == 0) {
            row.cidr(ipv6, addressHigh, addressLow, prefixLength);
            row.bytea(nlri, 0, 0);
        } else {
            row.cidr(true, 0, 0, 128); // stands for "not a prefix": it covers no other prefix
            byte[] indexed = nlri.length > LONGEST_INDEXED ? sha256(nlri) : nlri;
            row.bytea(indexed, 0, indexed.length);
        }
        row.int8(rd);
        row.int8(pathId);
        row.int4(peer);
        row.int4(family);
        row.int2(view);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RibKey that
                && hash == that.hash
                && addressLow == that.addressLow
                && addressHigh == that.addressHigh
                && prefixLength == that.prefixLength
                && ipv6 == that.ipv6
                && peer == that.peer
                && view == that.view
                && family == that.family
                && rd == that.rd
                && pathId == that.pathId
                && Arrays.equals(nlri, that.nlri);
    }

    @Override
    public int hashCode() {
        return KeyedHash.fold(hash);
    }
}
