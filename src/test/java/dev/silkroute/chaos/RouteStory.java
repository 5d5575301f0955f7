package dev.silkroute.chaos;

import java.util.Arrays;

/** What {@code bmp.routes} says of one route, in its order; and where the router's table is told without a word of it, that it is gone. Not thread-safe. */
final class RouteStory {
    /** What is said. */
    enum Word {
        ANNOUNCE,
        /** Before the End-of-RIB of its table: what an older session said too is no news. */
        ANNOUNCE_IN_DUMP,
        WITHDRAW,
        /** By the End-of-RIB of a session that didn't mention it. */
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

    /** @param name for those who read findings */
    RouteStory(TopicTruth.Table table, String name) {
        this.table = table;
        this.name = name;
    }

    /**
     * @param attributeHash the lower half of the hash of its attribute set
     * @param content a hash of all that an announcement says
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

    /** Whether its router has it after all that was said. */
    boolean there() {
        return size > 0 && word(size - 1).announces();
    }

    /** The session that spoke last of it. */
    long lastSession() {
        return sessions[size - 1];
    }

    /** Whether it is found for the first time. */
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
