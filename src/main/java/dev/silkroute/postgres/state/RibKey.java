package dev.silkroute.postgres.state;

import dev.silkroute.bgp.nlri.NlriKey;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.postgres.copy.CopyBinary;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The whole key of a route in the current state: peer, view, family, RD, prefix or key bytes of the NLRI, path identifier or
 * none. Anything less would merge different routes; anything more, such as the labels in an EVPN NLRI, would keep routes that
 * were replaced.
 */
public final class RibKey {
    /** What {@link #write} writes. */
    static final String COLUMNS = "prefix, nlri, rd, path_id, peer_id, family, rib_view";

    static final int COLUMN_COUNT = 7;

    /** Past this, an NLRI doesn't fit into an index entry (a third of a page) and its SHA-256 stands in the key. */
    static final int LONGEST_INDEXED = 1024;

    /** The highest code that a view can have; in {@code rib_route_peer} three bits are its. */
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
    private final int hash;

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
        long mixed = addressHigh * 31 + addressLow;
        mixed = mixed * 31 + (rd ^ pathId * 0x9E3779B97F4A7C15L);
        mixed = mixed * 31 + ((long) peer << 32 ^ (long) family << 8 ^ prefixLength ^ (long) view << 56);
        mixed = (mixed ^ Arrays.hashCode(nlri)) * 0x9E3779B97F4A7C15L;
        hash = (int) (mixed >>> 32);
    }

    /** @param scratch emptied and used, so that the caller's one serves all keys */
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

    /** Writes the columns of the key, {@value #COLUMNS}. */
    void write(CopyBinary row) {
        if (nlri.length == 0) {
            row.cidr(ipv6, addressHigh, addressLow, prefixLength);
            row.bytea(nlri, 0, 0);
        } else {
            row.cidr(true, 0, 0, 128); // stands for "no prefix": no other prefix is covered by it
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
        return hash;
    }
}
