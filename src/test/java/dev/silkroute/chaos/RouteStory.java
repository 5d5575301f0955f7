package dev.silkroute.chaos;

import java.util.Arrays;

/**
 * The events of one route in {@code bmp.routes}, in order, and its removals by table dumps that do not contain it. Not
 * thread-safe.
 */
final class RouteStory {
    /** The kind of an event. */
    enum Word {
        ANNOUNCE,
        /**
         * An announcement before the table's End-of-RIB, which history omits if it repeats the state of an older
         * session.
         */
        ANNOUNCE_IN_DUMP,
        WITHDRAW,
        /** Removed by the End-of-RIB of a session that did not announce it. */
        GONE,
        GONE_WITH_PEER;

        boolean announces() {
            return this == ANNOUNCE || this == ANNOUNCE_IN_DUMP;
        }
    }

    private static final Word[] WORDS = Word.values();

    private final TopicTruth.Table table;
    private final String name;
    private long[] sessions = new long[2];
    private long[] sequences = new long[2];
    private long[] attributes = new long[2];
    private long[] contents = new long[2];
    private byte[] words = new byte[2];
    private int size;
    private boolean found;

    /** @param name identifies the route in findings */
    RouteStory(TopicTruth.Table table, String name) {
        this.table = table;
        this.name = name;
    }

    /**
     * @param attributeHash the lower half of the hash of the attribute set
     * @param content a hash of all fields of an announcement
     */
    void add(Word word, long session, long sequence, long attributeHash, long content) {
        if (size == words.length) {
            int room = size * 2;
            sessions = Arrays.copyOf(sessions, room);
            sequences = Arrays.copyOf(sequences, room);
            attributes = Arrays.copyOf(attributes, room);
            contents = Arrays.copyOf(contents, room);
            words = Arrays.copyOf(words, room);
        }
        sessions[size] = session;
        sequences[size] = sequence;
        attributes[size] = attributeHash;
        contents[size] = content;
        words[size++] = (byte) word.ordinal();
    }

    TopicTruth.Table table() {
        return table;
    }

    int size() {
        return size;
    }

    Word word(int i) {
        return WORDS[words[i]];
    }

    long session(int i) {
        return sessions[i];
    }

    long sequence(int i) {
        return sequences[i];
    }

    long attributes(int i) {
        return attributes[i];
    }

    long content(int i) {
        return contents[i];
    }

    /** Returns whether the router has the route after all events. */
    boolean there() {
        return size > 0 && word(size - 1).announces();
    }

    /** Returns the session of the last event. */
    long lastSession() {
        return sessions[size - 1];
    }

    /** Returns true on the first call. */
    boolean find() {
        boolean first = !found;
        found = true;
        return first;
    }

    @Override
    public String toString() {
        return name;
    }
}
