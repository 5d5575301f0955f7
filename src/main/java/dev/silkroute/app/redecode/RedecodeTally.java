package dev.silkroute.app.redecode;

import java.util.ArrayList;
import java.util.List;

/** What came of it. */
public final class RedecodeTally {
    private static final int MOST_NOTES = 50;

    private final List<String> notes = new ArrayList<>();
    private long moreNotes;
    private long sessions;
    private long decoded;
    private long undecodable;
    private long left;
    private long events;
    private long records;

    void session() {
        sessions++;
    }

    void decoded(long messages, long failed, long madeEvents) {
        decoded += messages - failed;
        undecodable += failed;
        events += madeEvents;
    }

    void left(long messages) {
        left += messages;
    }

    void sent() {
        records++;
    }

    void note(String text) {
        if (notes.size() < MOST_NOTES) {
            notes.add(text);
        } else {
            moreNotes++;
        }
    }

    /** What the operator should know of single sessions, one line each. */
    public List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        if (moreNotes > 0) {
            all.add("and " + moreNotes + " more like these");
        }
        return all;
    }

    public long sessions() {
        return sessions;
    }

    /** Messages that could be decoded. */
    public long decoded() {
        return decoded;
    }

    /** Messages that still can't be decoded. */
    public long undecodable() {
        return undecodable;
    }

    /** Messages that were not tried, because what their session knew then is gone. */
    public long left() {
        return left;
    }

    /** Route and peer events that the decoded messages make. */
    public long events() {
        return events;
    }

    /** Kafka records sent. */
    public long records() {
        return records;
    }
}
