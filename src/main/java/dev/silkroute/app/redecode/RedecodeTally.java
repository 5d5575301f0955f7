package dev.silkroute.app.redecode;

import java.util.ArrayList;
import java.util.List;

/** Counts the results of a redecode run and collects notes for the operator. Not thread-safe. */
public final class RedecodeTally {
    private static final int MAX_NOTES = 50;

    private final List<String> notes = new ArrayList<>();
    private long omittedNotes;
    private long sessions;
    private long decoded;
    private long undecodable;
    private long skipped;
    private long events;
    private long records;

    void addSession() {
        sessions++;
    }

    void addDecoded(long messages, long failed, long newEvents) {
        decoded += messages - failed;
        undecodable += failed;
        events += newEvents;
    }

    void addSkipped(long messages) {
        skipped += messages;
    }

    void addRecord() {
        records++;
    }

    void note(String text) {
        if (notes.size() < MAX_NOTES) {
            notes.add(text);
        } else {
            omittedNotes++;
        }
    }

    /** Returns what the operator should know about single sessions, one line each. */
    public List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        if (omittedNotes > 0) {
            all.add("and " + omittedNotes + " more notes like these");
        }
        return all;
    }

    public long sessions() {
        return sessions;
    }

    /** Returns the number of all messages: decoded, undecodable and skipped. */
    public long messages() {
        return decoded + undecodable + skipped;
    }

    public long decoded() {
        return decoded;
    }

    /** Returns how many messages failed to decode again. */
    public long undecodable() {
        return undecodable;
    }

    /** Returns how many messages were not decoded because the context of their session is incomplete. */
    public long skipped() {
        return skipped;
    }

    /** Returns the number of route and peer events in the decoded messages. */
    public long events() {
        return events;
    }

    /** Returns the number of Kafka records sent. */
    public long records() {
        return records;
    }
}
