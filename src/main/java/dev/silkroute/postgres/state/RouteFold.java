package dev.silkroute.postgres.state;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.postgres.history.Labels;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Folds a run of events into at most one change per route, so that the database sees each row once: the result is the
 * same as if every event had been applied by itself, whatever the run's length. What a run can't hold (a Peer Down after routes of the
 * peer, a route of a newer session after one of an older) ends it before: see {@link #holds} and {@link #ofOlderSession}.
 *
 * <p>An announcement of a table dump is a row of the history too, unless the route is known already: the first one of a route
 * can only be judged by what is in the database. Not thread-safe.
 */
final class RouteFold {
    static final byte[] NO_NLRI = {};

    private final Map<Integer, Map<RibKey, Change>> byPeer = new HashMap<>();
    private boolean settled = true;
    private final List<Told> aside = new ArrayList<>();
    private int size;

    /** An announcement of a table dump that is no longer what becomes of its route. */
    private record Told(RibKey key, Change change) {}

    /** What of a change is for the history. */
    enum History {
        /** Nothing: that is done elsewhere. */
        NONE,
        /** It is an announcement of a table dump, to be told unless it is known. */
        ASK,
        /** The same, and that is all: it isn't what the route is now. */
        ONLY
    }

    /** What becomes of one route. */
    static final class Change {
        /** False: it is withdrawn. */
        boolean present;
        /** Of the newest event. */
        long session = Long.MIN_VALUE;

        int generation;
        /** The table is through in the session. */
        boolean synced;

        History history = History.NONE;
        /** Of the announcement that may be told. */
        long sequence;

        long routerTime;

        long attributesHigh;
        long attributesLow;
        int[] labels = Labels.NONE;
        /** See {@link PathMarking}. */
        long marking = PathMarking.NONE;
        /** The whole NLRI, of which the key may be a part; empty for prefixes. */
        byte[] nlri = NO_NLRI;
        /** When it was first announced, microseconds since 1970; counts if there is no row, or {@link #reborn}. */
        long firstAt;
        /** When it became what it is. */
        long changedAt;
        /** It was withdrawn and announced again within the run. */
        boolean reborn;
        /** It changed within the run, so it counts as changed even if it ends as what the row says. */
        boolean changed;

        private boolean says(Announcement said) {
            return present
                    && said.attributesHigh == attributesHigh
                    && said.attributesLow == attributesLow
                    && Arrays.equals(said.labels, labels)
                    && Arrays.equals(said.nlri, nlri)
                    && said.marking == marking;
        }

        private void announce(Announcement said) {
            if (!present) {
                firstAt = said.at;
                reborn = true;
            }
            if (!says(said)) {
                changedAt = said.at;
                changed = true;
            }
            present = true;
            session = said.session;
            generation = said.generation;
            synced = said.synced;
            attributesHigh = said.attributesHigh;
            attributesLow = said.attributesLow;
            labels = said.labels;
            nlri = said.nlri;
            marking = said.marking;
        }

        private void withdraw(long by, int ofGeneration) {
            present = false;
            session = by;
            generation = ofGeneration;
            labels = Labels.NONE;
            nlri = NO_NLRI;
            marking = PathMarking.NONE;
        }

        /** As it is now, for the history alone. */
        private Change told() {
            Change told = new Change();
            told.present = true;
            told.session = session;
            told.generation = generation;
            told.synced = synced;
            told.history = History.ONLY;
            told.sequence = sequence;
            told.routerTime = routerTime;
            told.attributesHigh = attributesHigh;
            told.attributesLow = attributesLow;
            told.labels = labels;
            told.marking = marking;
            told.nlri = nlri;
            told.firstAt = changedAt;
            told.changedAt = changedAt;
            return told;
        }
    }

    /** An announcement on its way into the fold; filled anew for each. */
    static final class Announcement {
        long session;
        int generation;
        boolean synced;
        long attributesHigh;
        long attributesLow;
        int[] labels = Labels.NONE;
        byte[] nlri = NO_NLRI;
        long marking = PathMarking.NONE;
        /** When it was received, microseconds since 1970. */
        long at;

        boolean dump;
        long sequence;
        long routerTime;
    }

    /** Whether the pending change of the route is of an older session: it has to be applied before. */
    boolean ofOlderSession(RibKey key, long session) {
        Map<RibKey, Change> changes = byPeer.get(key.peer());
        Change change = changes == null ? null : changes.get(key);
        return change != null && change.session < session;
    }

    /** Whether all tables of the routes are through: then what is announced as it was needs neither confirming nor telling. */
    boolean settled() {
        return settled;
    }

    /** @return whether it is an announcement of a table dump that has to be told whatever is in the database */
    boolean announce(RibKey key, Announcement said) {
        settled &= said.synced && !said.dump;
        Map<RibKey, Change> changes = byPeer.computeIfAbsent(key.peer(), peer -> new HashMap<>());
        Change change = changes.get(key);
        if (change == null) {
            change = new Change();
            change.announce(said);
            change.reborn = false;
            change.changed = false;
            if (said.dump) {
                change.history = History.ASK;
                change.sequence = said.sequence;
                change.routerTime = said.routerTime;
            }
            changes.put(key, change);
            size++;
            return false;
        }
        if (!change.says(said)) {
            setAside(key, change);
        }
        change.announce(said);
        return said.dump;
    }

    void withdraw(RibKey key, long session, int generation) {
        Map<RibKey, Change> changes = byPeer.computeIfAbsent(key.peer(), peer -> new HashMap<>());
        Change change = changes.get(key);
        if (change == null) {
            change = new Change();
            changes.put(key, change);
            size++;
        }
        setAside(key, change);
        change.withdraw(session, generation);
    }

    private void setAside(RibKey key, Change change) {
        if (change.history == History.ASK) {
            aside.add(new Told(key, change.told()));
            size++;
            change.history = History.NONE;
        }
    }

    /** Whether there are changes of a peer. */
    boolean holds(int peer) {
        return byPeer.containsKey(peer);
    }

    void clear() {
        byPeer.clear();
        aside.clear();
        settled = true;
        size = 0;
    }

    /** How many rows it gives, at about 250 bytes of heap each. */
    int size() {
        return size;
    }

    void forEach(Visitor visitor) throws SQLException {
        for (Told told : aside) {
            visitor.visit(told.key, told.change);
        }
        for (Map<RibKey, Change> changes : byPeer.values()) {
            for (Map.Entry<RibKey, Change> entry : changes.entrySet()) {
                visitor.visit(entry.getKey(), entry.getValue());
            }
        }
    }

    @FunctionalInterface
    interface Visitor {
        void visit(RibKey key, Change change) throws SQLException;
    }
}
