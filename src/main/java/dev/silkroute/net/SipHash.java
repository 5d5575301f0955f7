package dev.silkroute.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * SipHash-2-4: a hash of 64 bits with a key of 128 bits. Whoever does not know the key cannot predict the hash of any
 * value. Unlike those of {@link KeyedHash}, hashes with the same key are equal in all processes, so they can be sent.
 *
 * <p>Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012).
 */
public final class SipHash {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long INITIAL_0 = 0x736f6d6570736575L;
    private static final long INITIAL_1 = 0x646f72616e646f6dL;
    private static final long INITIAL_2 = 0x6c7967656e657261L;
    private static final long INITIAL_3 = 0x7465646279746573L;
    private static final int FINAL_MARK = 0xFF;
    private static final int ROUNDS = 2;

    private SipHash() {}

    /**
     * Returns the hash of some bytes.
     *
     * @param key0 bytes 0 to 7 of the key, in little-endian order
     * @param key1 bytes 8 to 15
     */
    public static long of(long key0, long key1, byte[] b, int from, int to) {
        long v0 = key0 ^ INITIAL_0;
        long v1 = key1 ^ INITIAL_1;
        long v2 = key0 ^ INITIAL_2;
        long v3 = key1 ^ INITIAL_3;
        int words = (to - from) / Long.BYTES;
        int end = from + words * Long.BYTES;
        // The words of the bytes, the last word, and the finalization, which takes as long as two words.
        for (int i = 0; i <= words + 2; i++) {
            long word = 0;
            if (i < words) {
                word = (long) LONGS.get(b, from + i * Long.BYTES);
            } else if (i == words) {
                word = lastWord(b, end, to, to - from);
            } else if (i == words + 1) {
                v2 ^= FINAL_MARK;
            }
            v3 ^= word;
            for (int round = 0; round < ROUNDS; round++) {
                v0 += v1;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v0 = Long.rotateLeft(v0, 32);
                v2 += v3;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 += v3;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v2 += v1;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v2 = Long.rotateLeft(v2, 32);
            }
            v0 ^= word;
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }

    /** The remaining bytes, and the length in the uppermost byte. */
    private static long lastWord(byte[] b, int from, int to, int length) {
        long word = (long) length << 56;
        for (int i = from; i < to; i++) {
            word |= (b[i] & 0xFFL) << 8 * (i - from);
        }
        return word;
    }
}
