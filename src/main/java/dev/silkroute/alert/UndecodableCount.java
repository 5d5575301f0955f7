package dev.silkroute.alert;

import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.Evidence;
import dev.silkroute.alert.record.VantagePoint;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * The newest undecodable messages of the subject of one entry: one more than its maximum, which is enough to find that
 * the maximum is exceeded. Not thread-safe.
 */
final class UndecodableCount {
    private static final long NOT_OPEN = Long.MIN_VALUE;

    private final AlertSubject subject;
    private final MonitoredQuarantine entry;
    /** Oldest first. */
    private final Deque<Evidence> newest = new ArrayDeque<>();
    /** The time of the last message. */
    private long last;
    /** The time when the maximum was exceeded; {@link #NOT_OPEN} after {@link #close}. */
    private long openedAt = NOT_OPEN;

    UndecodableCount(AlertSubject subject, MonitoredQuarantine entry) {
        this.subject = subject;
        this.entry = entry;
    }

    AlertSubject subject() {
        return subject;
    }

    AlertScope scope() {
        return AlertScope.of(entry);
    }

    /** Returns the maximum number of messages that are remembered. */
    static int capacity(MonitoredQuarantine entry) {
        return entry.max() + 1;
    }

    int capacity() {
        return capacity(entry);
    }

    int size() {
        return newest.size();
    }

    /** Counts a message; its time is not before that of the one before. */
    void add(Evidence message, long at) {
        newest.addLast(message);
        if (newest.size() > capacity()) {
            newest.removeFirst();
        }
        last = at;
        if (!isOpen()
                && newest.size() == capacity()
                && newest.getFirst().receivedAtMicros() > at - entry.withinMicros()) {
            openedAt = at;
        }
    }

    /** Takes over an alert that is open; its messages are used if no others are known. */
    void reopen(Alert alert) {
        openedAt = alert.openedAt();
        last = Math.max(last, openedAt);
        if (newest.isEmpty()) {
            for (Evidence message : alert.evidence()) {
                add(message, Math.max(last, message.receivedAtMicros()));
            }
        }
    }

    /** Returns whether the maximum has been exceeded, and there was no quiet time since. */
    boolean isOpen() {
        return openedAt != NOT_OPEN;
    }

    long openedAt() {
        return openedAt;
    }

    void close() {
        openedAt = NOT_OPEN;
    }

    /** Returns when the alert closes if no message arrives; without an alert, when no message counts any more. */
    long endsAt() {
        return last + (isOpen() ? entry.quietMicros() : entry.withinMicros());
    }

    /** Returns the condition by its key; nothing if there is none. */
    Map<String, Condition> conditions() {
        if (!isOpen()) {
            return Map.of();
        }
        Condition condition = new Condition(
                AlertRule.QUARANTINE_GROWTH,
                "",
                sentence() + " has sent more than " + entry.max() + " undecodable messages within " + entry.within(),
                List.of("a larger max of " + entry.text(), "a shorter within of " + entry.text()));
        newest.forEach(condition::addEvent);
        return Map.of(condition.key(subject), condition);
    }

    private String sentence() {
        return subject instanceof AlertSubject.OfPeer(VantagePoint peer)
                ? "peer " + peer.peerAddress() + " (AS" + peer.peerAsn() + ") of router " + peer.router()
                : subject.key();
    }
}
