package dev.silkroute.route;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The hashes of a record's attribute sets: the first 128 bits of SHA-256 of their canonical bytes. A hash costs as much
 * as decoding a message, so it is computed only for a set whose hash has not been set. Not thread-safe.
 */
final class AttributeSetHashes {
    private final RouteBatch batch;
    /** Upper and lower half for each set; both are 0 if the hash is not known. */
    private final long[] halves;

    private final MessageDigest sha256;
    private final byte[] digest;

    AttributeSetHashes(RouteBatch batch) {
        this.batch = batch;
        halves = new long[2 * batch.attributeSetCount()];
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
        digest = new byte[sha256.getDigestLength()];
    }

    long high(int set) {
        computeIfUnknown(set);
        return halves[2 * set];
    }

    long low(int set) {
        computeIfUnknown(set);
        return halves[2 * set + 1];
    }

    void set(int set, long high, long low) {
        halves[2 * set] = high;
        halves[2 * set + 1] = low;
    }

    private void computeIfUnknown(int set) {
        if ((halves[2 * set] | halves[2 * set + 1]) != 0) {
            return;
        }
        int from = batch.attributesFrom(set);
        try {
            sha256.update(batch.bytes(), from, batch.attributesTo(set) - from);
            sha256.digest(digest, 0, digest.length);
        } catch (DigestException e) {
            throw new AssertionError("the buffer has the digest's length", e);
        }
        set(set, (long) RouteBatch.LONG.get(digest, 0), (long) RouteBatch.LONG.get(digest, Long.BYTES));
    }
}
