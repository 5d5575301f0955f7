package dev.silkroute.chaos;

import java.util.Arrays;

/** The announcements and withdrawals of one session as {@code bmp.routes} has them, in its order. Not thread-safe. */
final class SentEvents {
    static final int ANNOUNCED = 1;
    /** Before the End-of-RIB of its peer, view and family, and the same as what an earlier session said last. */
    static final int UNCHANGED = 2;

    private long[] sequences = new long[64];
    private long[] attributes = new long[64];
    private byte[] flags = new byte[64];
    private int size;

    void add(long sequence, long attributeHash, int flag) {
        if (size == sequences.length) {
            sequences = Arrays.copyOf(sequences, size * 2);
            attributes = Arrays.copyOf(attributes, size * 2);
            flags = Arrays.copyOf(flags, size * 2);
        }
        sequences[size] = sequence;
        attributes[size] = attributeHash;
        flags[size++] = (byte) flag;
    }

    int size() {
        return size;
    }

    long last() {
        return size == 0 ? -1 : sequences[size - 1];
    }

    long sequence(int i) {
        return sequences[i];
    }

    /** The lower half of the hash of its attribute set, 0 for a withdrawal. */
    long attributes(int i) {
        return attributes[i];
    }

    boolean announced(int i) {
        return (flags[i] & ANNOUNCED) != 0;
    }

    boolean unchanged(int i) {
        return (flags[i] & UNCHANGED) != 0;
    }
}
