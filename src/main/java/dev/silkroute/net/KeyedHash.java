package dev.silkroute.net;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import java.security.SecureRandom;

/**
 * Hashes of values from the wire for tables in memory, keyed with random numbers of this process. A router that does
 * not know the key cannot choose values that collide, which would make a table as slow as a list. The hashes differ
 * from process to process, so they must not be stored or sent. Thread-safe, without allocation.
 *
 * <p>Two values are combined with the key and multiplied to 128 bits, of which both halves are combined; and once more,
 * because one multiplication keeps sequences regular.
 */
public final class KeyedHash {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long KEY_1 = RANDOM.nextLong();
    private static final long KEY_2 = RANDOM.nextLong();
    private static final long KEY_3 = RANDOM.nextLong();
    /** Odd, so that the multiplication loses nothing. */
    private static final long KEY_4 = RANDOM.nextLong() | 1;

    private static final Hasher64 BYTES = Hashing.komihash5_0(RANDOM.nextLong());
    private static final Hasher64 OTHER_BYTES = Hashing.komihash5_0(RANDOM.nextLong());

    private KeyedHash() {}

    /** Returns the hash of two values. Chain calls for more: {@code of(of(a, b), c)}. */
    public static long of(long first, long second) {
        return multiply(multiply(first ^ KEY_1, second ^ KEY_2) ^ KEY_3, KEY_4);
    }

    private static long multiply(long a, long b) {
        return Math.unsignedMultiplyHigh(a, b) ^ a * b;
    }

    /** Returns the hash of four values. */
    public static long of(long first, long second, long third, long fourth) {
        return of(of(first, second), of(third ^ KEY_2, fourth ^ KEY_1));
    }

    /** Returns the hash of a value and bytes. */
    public static long of(long value, byte[] bytes, int from, int length) {
        return of(value, BYTES.hashBytesToLong(bytes, from, length));
    }

    /** Returns the hash of a value and a text. */
    public static long of(long value, String text) {
        return of(value, BYTES.hashCharsToLong(text));
    }

    /**
     * Returns 64 more bits of the hash of a value and bytes. Both together are as good as comparing the bytes:
     * without the key, two values with the same 128 bits cannot be found.
     */
    public static long more(long value, byte[] bytes, int from, int length) {
        return of(value, OTHER_BYTES.hashBytesToLong(bytes, from, length));
    }

    /** Folds a hash into the 32 bits of {@link Object#hashCode()}. */
    public static int fold(long hash) {
        return (int) (hash ^ hash >>> 32);
    }
}
