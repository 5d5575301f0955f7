package dev.silkroute.postgres.state;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.postgres.copy.CopyBinary;
import dev.silkroute.postgres.history.Labels;
import dev.silkroute.postgres.history.Markings;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Folds a run of events into at most one change per route, so that the database sees each row once. The result equals
 * applying every event by itself, whatever the length of the run. The caller applies the fold and clears it before
 * events that it cannot hold: a Peer Down after routes of the peer ({@link #holds}), and a route of a newer session
 * after one of an older session ({@link #ofOlderSession}).
 *
 * <p>An announcement of a table dump also belongs to the history, unless the route is already known. Only the database
 * can decide that for the first announcement of a route in the run. Not thread-safe.
 */
final class RouteFold {
    static final byte[] NO_NLRI = {};

    private final Map<Integer, Map<RibKey, Change>> byPeer = new HashMap<>();

    private final List<Superseded> superseded = new ArrayList<>();
    private boolean isSynchronized = true;
    private int size;

    /** An announcement of a table dump that a later event of the run replaced. */
    private record Superseded(RibKey key, Change change) {}

    /** Determines whether a change is also an event of the history. */
    enum History {
        /** No: the history receives the event elsewhere. */
        NONE,
        /** It is an announcement of a table dump: recorded unless the route is known. */
        IF_NEW,
        /** The same, but it is not the final state of its route, so only the history receives it. */
        ONLY_IF_NEW
    }

    /** The value of a route: the columns {@link RouteColumn#VALUE}, and the whole NLRI. */
    static class Value {
        long attributesHigh;
        long attributesLow;
        int[] labels = Labels.NONE;
        /** See {@link PathMarking}. */
        long marking = PathMarking.NONE;
        /** The whole NLRI, of which the key may be a part; empty for prefixes. */
        byte[] nlri = NO_NLRI;

        final boolean equalsValue(Value other) {
            return other.attributesHigh == attributesHigh
                    && other.attributesLow == attributesLow
                    && Arrays.equals(other.labels, labels)
                    && Arrays.equals(other.nlri, nlri)
                    && other.marking == marking;
        }

        final void setValue(Value other) {
            attributesHigh = other.attributesHigh;
            attributesLow = other.attributesLow;
            labels = other.labels;
            nlri = other.nlri;
            marking = other.marking;
        }

        /** Writes the columns {@link RouteColumn#VALUE}. */
        final void writeValue(int family, CopyBinary row) {
            row.uuid(attributesHigh, attributesLow);
            if (labels.length == 0) {
                row.nullField();
            } else {
                row.int4Array(labels);
            }
            row.text(nlri.length == 0 ? null : NlriText.of(family, nlri, 0, nlri.length));
            Markings.write(row, marking);
        }
    }

    /**
     * The final state of one route after the run. Mutable fields in groups, because a full table creates a million of
     * these.
     */
    static final class Change extends Value {
        // Where it comes from: the newest event.

        /** False if the route is withdrawn. */
        boolean present;

        long session = Long.MIN_VALUE;
        int generation;
        /** True if the table is synchronized in the session. */
        boolean isSynchronized;

        // How it came about within the run; times in microseconds since 1970.

        /** The first announcement; used if there is no row, or if {@link #recreated}. */
        long firstAt;
        /** The announcement since which it has its value. */
        long changedAt;
        /** True if it was withdrawn and announced again. */
        boolean recreated;
        /** True if its value changed, in which case it counts as changed even if it ends with the value of the row. */
        boolean changed;

        // For the history.

        History history = History.NONE;
        /** The sequence number of the announcement to record. */
        long sequence;

        long routerTime;

        private boolean isAlready(Announcement announcement) {
            return present && equalsValue(announcement);
        }

        private void announce(Announcement announcement) {
            if (!present) {
                firstAt = announcement.receivedAt;
                recreated = true;
            }
            if (!isAlready(announcement)) {
                changedAt = announcement.receivedAt;
                changed = true;
            }
            present = true;
            session = announcement.session;
            generation = announcement.generation;
            isSynchronized = announcement.isSynchronized;
            setValue(announcement);
        }

        private void withdraw(long bySession, int inGeneration) {
            present = false;
            session = bySession;
            generation = inGeneration;
            labels = Labels.NONE;
            nlri = NO_NLRI;
            marking = PathMarking.NONE;
        }

        /** A copy of the present state for the history alone. */
        private Change forHistory() {
            Change copy = new Change();
            copy.present = true;
            copy.session = session;
            copy.generation = generation;
            copy.isSynchronized = isSynchronized;
            copy.history = History.ONLY_IF_NEW;
            copy.sequence = sequence;
            copy.routerTime = routerTime;
            copy.setValue(this);
            copy.firstAt = changedAt;
            copy.changedAt = changedAt;
            return copy;
        }
    }

    /** The argument of {@link #announce}: one object, which the caller fills for each announcement. */
    static final class Announcement extends Value {
        long session;
        int generation;
        boolean isSynchronized;
        /** Microseconds since 1970. */
        long receivedAt;

        boolean isTableDump;
        long sequence;
        long routerTime;
    }

    /** Returns whether the pending change of a route belongs to an older session and must be applied first. */
    boolean ofOlderSession(RibKey key, long session) {
        Map<RibKey, Change> changes = byPeer.get(key.peer());
        Change change = changes == null ? null : changes.get(key);
        return change != null && change.session < session;
    }

    /**
     * Returns whether all tables of the routes are synchronized. Then an unchanged route needs neither confirming nor
     * recording.
     */
    boolean isSynchronized() {
        return isSynchronized;
    }

    /** @return whether the event is an announcement of a table dump that the history must record in any case */
    boolean announce(RibKey key, Announcement announcement) {
        isSynchronized &= announcement.isSynchronized && !announcement.isTableDump;
        Map<RibKey, Change> changes = byPeer.computeIfAbsent(key.peer(), peer -> new HashMap<>());
        Change change = changes.get(key);
        if (change == null) {
            change = new Change();
            change.announce(announcement);
            change.recreated = false;
            change.changed = false;
            if (announcement.isTableDump) {
                change.history = History.IF_NEW;
                change.sequence = announcement.sequence;
                change.routerTime = announcement.routerTime;
            }
            changes.put(key, change);
            size++;
            return false;
        }
        if (!change.isAlready(announcement)) {
            supersede(key, change);
        }
        change.announce(announcement);
        return announcement.isTableDump;
    }

    void withdraw(RibKey key, long session, int generation) {
        Map<RibKey, Change> changes = byPeer.computeIfAbsent(key.peer(), peer -> new HashMap<>());
        Change change = changes.get(key);
        if (change == null) {
            change = new Change();
            changes.put(key, change);
            size++;
        }
        supersede(key, change);
        change.withdraw(session, generation);
    }

    /** Keeps the announcement of a table dump that is about to be replaced. */
    private void supersede(RibKey key, Change change) {
        if (change.history == History.IF_NEW) {
            superseded.add(new Superseded(key, change.forHistory()));
            size++;
            change.history = History.NONE;
        }
    }

    /** Returns whether there are changes of a peer's routes. */
    boolean holds(int peer) {
        return byPeer.containsKey(peer);
    }

    void clear() {
        byPeer.clear();
        superseded.clear();
        isSynchronized = true;
        size = 0;
    }

    /** The number of changes, each of which occupies about 250 bytes of heap. */
    int size() {
        return size;
    }

    /** Visits the announcements for the history alone, then one change per route, {@link #inIndexOrder}. */
    void forEach(Visitor visitor) throws SQLException {
        for (Superseded announcement : superseded) {
            visitor.visit(announcement.key, announcement.change);
        }
        for (Map.Entry<RibKey, Change> entry : inIndexOrder()) {
            visitor.visit(entry.getKey(), entry.getValue());
        }
    }

    /**
     * The final changes in the order of the primary key. The hash has a random key, so the order of the maps is random;
     * the database looks up neighbouring keys one after the other in pages that it has just read.
     */
    private List<Map.Entry<RibKey, Change>> inIndexOrder() {
        List<Map.Entry<RibKey, Change>> entries = new ArrayList<>(size - superseded.size());
        byPeer.values().forEach(changes -> entries.addAll(changes.entrySet()));
        entries.sort(Map.Entry.comparingByKey(RibKey::compareInIndex));
        return entries;
    }

    @FunctionalInterface
    interface Visitor {
        void visit(RibKey key, Change change) throws SQLException;
    }
}
